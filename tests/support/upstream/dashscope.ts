/** DashScope with jobs, files and streams that a test scripts; its files and uploads are on a host of their own. */
import { afterAll, beforeEach } from 'bun:test'
import { logsOf } from '../app/logs.ts'
import { setPrice } from '../app/prices.ts'
import { setEnv } from '../env.ts'
import { client } from '../people/client.ts'
import { setUp } from '../people/person.ts'
import { until } from '../until.ts'
import { makeChannel } from './channel.ts'

type Json = Record<string, any>

export interface DashScopeCall {
  at_ms: number
  method: string
  path: string
  headers: Headers
  body: Json
}

/** An answer: JSON, or any response. */
type Answer = Json | Response
type Script = (call: DashScopeCall, earlier: number) => Answer | Promise<Answer>

export class DashScope {
  readonly calls: DashScopeCall[] = []
  /** What the host of the files was asked, whose requests must carry no key. */
  readonly fetched: DashScopeCall[] = []
  readonly #scripts = new Map<string, Script>()
  readonly #api = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => this.#answer(request, this.calls) })
  readonly #files = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => this.#answer(request, this.fetched) })

  constructor() {
    afterAll(() => {
      this.#api.stop(true)
      this.#files.stop(true)
    })
  }

  get url() {
    return `http://127.0.0.1:${this.#api.port}`
  }

  fileUrl = (path: string) => `http://127.0.0.1:${this.#files.port}${path}`

  /** @param path below the host, without the query */
  on(path: string, script: Script) {
    this.#scripts.set(path, script)
  }

  to = (path: string) => this.calls.filter(call => call.path === path)

  reset() {
    this.calls.length = 0
    this.fetched.length = 0
    this.#scripts.clear()
  }

  async #answer(request: Request, journal: DashScopeCall[]): Promise<Response> {
    const { pathname: path } = new URL(request.url)
    const type = request.headers.get('content-type') ?? ''
    const body = type.startsWith('multipart/')
      ? Object.fromEntries(await request.formData())
      : JSON.parse((await request.text()) || '{}')
    const earlier = journal.filter(call => call.path === path).length
    const call = { at_ms: performance.now(), method: request.method, path, headers: request.headers, body }
    journal.push(call)
    const script = this.#scripts.get(path)
    if (!script) return Response.json({ code: 'NotFound', message: `no such path: ${path}` }, { status: 404 })
    const answer = await script(call, earlier)
    return answer instanceof Response ? answer : Response.json(answer)
  }
}

/** A stream of these events: texts as they are, others as data. */
export const events = (...list: unknown[]): Response =>
  new Response(
    list.map(event => (typeof event === 'string' ? `${event}\n\n` : `data: ${JSON.stringify(event)}\n\n`)).join(''),
    { headers: { 'content-type': 'text/event-stream;charset=UTF-8' } },
  )

export const task = (output: Json, usage?: Json): Json => ({ output, request_id: 'r', ...(usage && { usage }) })

/**
 * A server, a channel with these models to it, and a client; each token costs 1, of output 4, a model of `per_call`
 * 1000 a call.
 */
export async function servedDashScope(models: string[], per_call: string[] = []) {
  const upstream = new DashScope()
  await setPrice('ModelRatio', Object.fromEntries(models.map(name => [name, 1])))
  await setPrice('CompletionRatio', Object.fromEntries(models.map(name => [name, 4])))
  await setPrice('ModelPrice', Object.fromEntries(per_call.map(name => [name, 0.002])))
  await makeChannel(await setUp(), { type: 17, key: 'sk-ali', base_url: upstream.url, models: models.join() })
  const ann = await client()
  beforeEach(() => {
    // Files are on loopback here.
    setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
    upstream.reset()
  })
  return { upstream, ann, billOf: () => until(async () => (await logsOf(ann.person))[0] as Json | undefined) }
}
