/** A gateway that listens, an upstream behind it, and a caller with a key: for tests that call models. */
import { afterAll, expect } from 'bun:test'
import OpenAI from 'openai'
import { Role } from '../../src/contracts/account.ts'
import { flushOutcomes } from '../../src/domain/channels/health/hourly.ts'
import { listen } from './app.ts'
import { makeChannel } from './channel.ts'
import { fakeUpstream, type Script, type Upstream } from './upstream.ts'
import { balance, type Person, setUp, visitor } from './visit.ts'

export const RICH = 50_000_000

/** A model with a price in the built-in tables: 1.25 a token of the prompt, four times that for output. */
export const MODEL = 'gpt-4o'
export const quotaOf = (prompt: number, completion: number) => Math.round((prompt + completion * 4) * 1.25)

const upstreams: Upstream[] = []
afterAll(() => {
  for (const upstream of upstreams) upstream.stop()
})

export async function startUpstream(script?: Script, model = MODEL): Promise<Upstream> {
  const upstream = await fakeUpstream()
  if (script) upstream.says(model, script)
  upstreams.push(upstream)
  return upstream
}

/** Someone with a key, calling over a real socket. */
export class Client {
  constructor(
    readonly person: Person,
    readonly key: string,
    readonly url = listen(),
  ) {}

  post = (body: object | string, init?: RequestInit) => this.postTo('/v1/chat/completions', body, init)

  /** Any body to any address; what is not a form, bytes or a text goes as JSON. */
  postTo(path: string, body: object | string, init: RequestInit = {}): Promise<Response> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
    const type: Record<string, string> = body instanceof FormData ? {} : { 'content-type': 'application/json' }
    return fetch(this.url + path, {
      method: 'POST',
      ...init,
      headers: { ...this.#headers, ...type, ...(init.headers as Record<string, string>) },
      body: raw ? (body as BodyInit) : JSON.stringify(body),
    })
  }

  get = (path: string, headers: Record<string, string> = {}) =>
    fetch(this.url + path, { headers: { ...this.#headers, ...headers } })

  /** OpenAI's own client. */
  sdk = () => new OpenAI({ apiKey: `sk-${this.key}`, baseURL: `${this.url}/v1`, maxRetries: 0 })

  get #headers(): Record<string, string> {
    return { authorization: `Bearer sk-${this.key}`, 'accept-language': 'en' }
  }

  /** A chat with this text, answered whole; further fields as given. */
  chat = (fields: Record<string, unknown> = {}, init?: RequestInit) => this.post(chatBody(fields), init)
  stream = (fields: Record<string, unknown> = {}, init?: RequestInit) => this.chat({ stream: true, ...fields }, init)

  balance = () => balance(this.person)
}

export const chatBody = (fields: Record<string, unknown> = {}) => ({
  model: MODEL,
  messages: [{ role: 'user', content: 'Say hello' }],
  ...fields,
})

/** A user with quota and a key whose own quota does not limit. */
export async function client(token: Record<string, unknown> = {}, quota = RICH): Promise<Client> {
  const person = await visitor(Role.user, quota)
  return clientOf(person, token)
}

export async function clientOf(person: Person, token: Record<string, unknown> = {}): Promise<Client> {
  const made = await person.post('/api/token/', { name: 'key', unlimited_quota: true, ...token })
  if (!made.success) throw new Error(made.message)
  return new Client(person, [made.data].flat()[0].key)
}

/** A channel that leads to this upstream. */
export async function channelTo(upstream: Upstream | string, fields: Record<string, unknown> = {}) {
  const url = typeof upstream === 'string' ? upstream : upstream.url
  return makeChannel(await setUp(), { key: 'sk-upstream', base_url: url, models: MODEL, ...fields })
}

export async function setOption(key: string, value: unknown) {
  const answer = await (await setUp()).put('/api/option/', { key, value })
  if (!answer.success) throw new Error(answer.message)
}

/** The newest entries of the log, newest first, details parsed; seen by root. */
export async function logsOf(person: Person, type = 2) {
  const root = await setUp()
  const { data } = await root.get(`/api/log/?p=1&page_size=20&type=${type}&username=${person.username}`)
  return data.items.map((item: { other: string }) => ({ ...item, other: JSON.parse(item.other || '{}') }))
}

/** A channel as operators see it, outcomes and closings written down. */
export async function channelNow(id: number) {
  await flushOutcomes()
  return (await (await setUp()).get(`/api/channel/${id}`)).data
}

/** An error as its caller gets it: in OpenAI's shape, signed with the request's id, open to every origin. */
export async function told(response: Response) {
  const { error } = (await response.json()) as any
  expect(error.message).toEndWith(` (request id: ${response.headers.get('x-request-id')})`)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  return { status: response.status, code: error.code, param: error.param, type: error.type, message: error.message }
}

/** Resolves when a stream has said this; it can be read from its beginning all the same. */
export async function says(response: Response, words: string) {
  const reader = response.clone().body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes(words); ) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
  }
}

/** For streams that break off once these words of them have been heard: `heard` is what their upstream waits for. */
export function hearing(words: string) {
  let call = Promise.withResolvers<void>()
  return {
    heard: () => call.promise,
    async read(response: Response) {
      says(response, words).then(call.resolve, call.resolve)
      const stream = await readStream(response)
      call = Promise.withResolvers()
      return stream
    },
  }
}

/** What a stream says, put together. */
export async function readStream(response: Response) {
  const text = await response.text()
  const events = text
    .split('\n\n')
    .filter(event => event.startsWith('data: '))
    .map(event => event.slice('data: '.length))
  const parsed = events.filter(event => event !== '[DONE]').map(event => JSON.parse(event))
  return {
    raw: text,
    done: events.at(-1) === '[DONE]',
    text: parsed.map(event => event.choices?.[0]?.delta?.content ?? '').join(''),
    usage: parsed.find(event => event.usage)?.usage,
    error: parsed.find(event => event.error)?.error,
    events: parsed,
  }
}

const NEVER_MS = 120_000

/** Waits until something is so: for what happens after an answer. Nothing is timed: what is not so by then never will be. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + NEVER_MS
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    if (performance.now() > end) throw new Error('it did not happen in time')
    await Bun.sleep(5)
  }
}
