/** Baidu's server: it gives tokens for the two parts of a key, and answers those who have one that lives. */
import { afterAll } from 'bun:test'
import { channelTo } from './served-channel.ts'

type Script = (token: string) => object | Promise<object>

export const BAIDU_USAGE = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 }
const hello = { id: 'as-1', object: 'chat.completion', created: 1, result: 'Hello', usage: BAIDU_USAGE }

class Baidu {
  /** Requests for a token, and for anything else. */
  grants = 0
  calls = 0
  readonly tokens = new Set<string>()
  grant: () => Response = () => this.granted()
  script: Script = () => hello
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: request => this.#serve(request),
  })

  constructor() {
    afterAll(() => this.#server.stop(true))
  }

  get url() {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** The token of the latest request. */
  get token() {
    return `24.token-${this.grants}.of-baidu`
  }

  granted(seconds = 2_592_000): Response {
    this.tokens.add(this.token)
    return Response.json({ access_token: this.token, expires_in: seconds })
  }

  reset() {
    this.grants = 0
    this.calls = 0
    this.tokens.clear()
    this.grant = () => this.granted()
    this.script = () => hello
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/oauth/2.0/token') {
      this.grants++
      await Bun.sleep(50)
      return this.grant()
    }
    this.calls++
    const token = searchParams.get('access_token') ?? ''
    if (!this.tokens.has(token)) return Response.json({ error_code: 110, error_msg: `Access token invalid: ${token}` })
    const { stream } = (await request.json()) as { stream?: boolean }
    const said = await this.script(token)
    if (!stream || 'error_code' in said) return Response.json(said)
    const events = [
      { ...said, is_end: false, sentence_id: 0 },
      { ...said, result: '', is_end: true, sentence_id: 1 },
    ]
    return new Response(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
}

export const baidu = new Baidu()

let made = 0
/** A channel to it whose key has no token yet. */
export const channelToBaidu = (fields: object = {}) =>
  channelTo(baidu.url, { type: 15, key: `ak-${made++}-0123456789|sk-9876543210`, ...fields })
