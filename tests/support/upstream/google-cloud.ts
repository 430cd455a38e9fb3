/** A cloud like Google's: it gives tokens for assertions, and answers those who have one that lives. */
import { afterAll } from 'bun:test'
import { now } from '../../../src/process/clock.ts'
import { tokenAnswer, tokenViolationOf } from './google-token.ts'

type Json = Record<string, any>

/** What the token endpoint says instead of a token; undefined for a token after all. */
export type TokenScript = () => Response | undefined | Promise<Response | undefined>

const unauthenticated = {
  error: { code: 401, message: 'Request had invalid authentication credentials.', status: 'UNAUTHENTICATED' },
}

export class GoogleCloud {
  token_requests = 0
  calls = 0
  violations: string[] = []
  /** The most calls that ran at a time. */
  peak = 0
  /** Bodies of the calls, in the order in which they came. */
  bodies: Json[] = []
  /** And their headers. */
  heads: Record<string, string>[] = []
  /** The server's clock, against the gateway's. */
  clock_seconds = 0
  /** The life of its tokens. */
  token_seconds = 3599
  tokens?: TokenScript
  /** Answers a call in place of `answerTo`. */
  answer?: (path: string, body: Json) => Response | undefined | Promise<Response | undefined>
  #running = 0
  readonly #alive = new Set<string>()
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

  get alive() {
    return [...this.#alive]
  }

  /** Every token ends before its time. */
  revoke() {
    this.#alive.clear()
  }

  reset() {
    this.revoke()
    Object.assign(this, {
      token_requests: 0,
      calls: 0,
      violations: [],
      peak: 0,
      bodies: [],
      heads: [],
      clock_seconds: 0,
      token_seconds: 3599,
    })
    this.tokens = undefined
    this.answer = undefined
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const body = await request.text()
    if (pathname === '/token') return this.#giveToken(request, body)
    this.calls++
    this.peak = Math.max(this.peak, ++this.#running)
    try {
      return await this.#answer(request, pathname, JSON.parse(body))
    } finally {
      this.#running--
    }
  }

  async #giveToken({ method, headers }: Request, body: string): Promise<Response> {
    this.token_requests++
    const received = { method, headers: headers.toJSON() as Record<string, string>, body }
    const violation = await tokenViolationOf(received, `${this.url}/token`, now() + this.clock_seconds)
    if (violation) this.violations.push(violation)
    if (violation) return Response.json({ error: 'invalid_grant', error_description: violation }, { status: 400 })
    const scripted = await this.tokens?.()
    if (scripted) return scripted
    const access_token = `ya29.c.cloud-${this.token_requests}-${crypto.randomUUID()}`
    this.#alive.add(access_token)
    return Response.json(tokenAnswer({ access_token, expires_in: this.token_seconds }))
  }

  async #answer({ headers }: Request, path: string, body: Json): Promise<Response> {
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!this.#alive.has(token)) return Response.json(unauthenticated, { status: 401 })
    this.bodies.push(body)
    this.heads.push(headers.toJSON() as Record<string, string>)
    return (await this.answer?.(path, body)) ?? answerTo(path, body)
  }
}

/** A short answer of the model that the path names, streamed when it says so. */
export function answerTo(path: string, { instances = [], stream }: Json): Response {
  if (path.endsWith(':predict')) return Response.json({ predictions: instances.map(vector) })
  const isStreamed = stream || path.includes(':stream')
  if (/anthropic|messages/.test(path)) return isStreamed ? events(...messageEvents) : Response.json(message)
  return isStreamed ? events(content) : Response.json(content)
}

const events = (...list: Json[]) => {
  const text = list.map(event => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

/** Its one number is the length of the text. */
const vector = ({ content }: Json) => ({
  embeddings: { values: [content.length], statistics: { token_count: 1, truncated: false } },
})

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    cache_creation_input_tokens: 40,
    cache_read_input_tokens: 20,
    cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 0 },
    output_tokens: 5,
  },
}

const messageEvents = [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]

const content = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: {
    promptTokenCount: 30,
    candidatesTokenCount: 12,
    thoughtsTokenCount: 20,
    cachedContentTokenCount: 10,
    totalTokenCount: 62,
  },
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r1',
}
