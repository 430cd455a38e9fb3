/** What a fake upstream can say: `upstream.scripts('gpt-4o', chat({ text: 'Hello' }))`, and every way of failing at it. */
import { gzipSync } from 'node:zlib'
import { now } from '../../../src/process/clock.ts'
import type { ScriptedAnswer } from './http-server.ts'
import { type Call, errorBody, type Script } from './openai.ts'

type Spoken = {
  text?: string
  /** Number of content events of a stream; by default one a word. */
  chunks?: number
  /** `null` reports none; anything else is sent as it is, however wrong. */
  usage?: unknown
  finish_reason?: string
  tool_calls?: { id: string; name: string; arguments: string }[]
  /** The pause before each event. */
  pause_ms?: number
  /** Sends the body in two writes parted at this byte. */
  cut_at?: number
  /** For an end that could overtake what has been said: it waits for this. */
  received?: () => Promise<unknown>
}

const MEGABYTE = 1_048_576
const sse = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
const id = 'chatcmpl-fake'

/** A well-behaved answer, streamed or whole as the caller asks; usage in a stream only when asked for, as the real one does. */
export const chat =
  (spoken: Spoken = {}): Script =>
  async (call, answer) => {
    if (spoken.cut_at !== undefined) answer.cutAt(spoken.cut_at)
    if (call.body.stream !== true) return answer.json(wholeAnswer(call, spoken))
    await answer.head(200, sse, 'chunked')
    for (const event of eventsOf(call, spoken)) {
      if (spoken.pause_ms) await Bun.sleep(spoken.pause_ms)
      await answer.write(event)
    }
    await answer.end()
  }

/** OpenAI's own error answers. */
export const refuses =
  (status: number, headers: Record<string, string> = {}): Script =>
  (_call, answer) =>
    answer.json(refusals[status] ?? errorBody('The server had an error.', 'server_error'), status, headers)

const refusals: Record<number, unknown> = {
  400: errorBody("Invalid type for 'temperature'.", 'invalid_request_error', 'invalid_type', 'temperature'),
  401: errorBody('Incorrect API key provided: sk-***.', 'invalid_request_error', 'invalid_api_key'),
  403: errorBody(
    'Country, region, or territory not supported',
    'request_forbidden',
    'unsupported_country_region_territory',
  ),
  429: errorBody('Rate limit reached for requests', 'requests', 'rate_limit_exceeded'),
  500: errorBody('The server had an error while processing your request. Sorry about that!', 'server_error'),
  503: errorBody('The engine is currently overloaded, please try again later', 'server_error'),
}

/** One script a call, the last one for ever. */
export function inTurn(...scripts: Script[]): Script {
  let turn = 0
  return (call, answer) => scripts[Math.min(turn++, scripts.length - 1)]!(call, answer)
}

/** Accepts the request and never answers. */
export const hangs = (): Script => (_call, answer) => answer.left

/** A stream that stops well-formed after `events` events, then meets the given end; not before these have been heard. */
const streamThen =
  (
    events: number,
    { received = () => Bun.sleep(20), ...spoken }: Spoken,
    framing: 'chunked' | 'close',
    ending: (answer: ScriptedAnswer) => Promise<void> | void,
  ): Script =>
  async (call, answer) => {
    await answer.head(200, sse, framing)
    for (const event of eventsOf(call, spoken).slice(0, events)) await answer.write(event)
    await Promise.race([received(), answer.left])
    await ending(answer)
  }

const long: Spoken = { text: 'one two three four five six seven eight nine ten' }

export const hangsAfter = (events: number, spoken = long) =>
  streamThen(events, spoken, 'chunked', answer => answer.left)

/** Streams that say one thing, and the rest when they are let. */
export function gate(): { script: Script; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    script: async (call, answer) => {
      await Promise.race([hangsAfter(2)(call, answer), promise])
      await answer.write('data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
      await answer.write('data: [DONE]\n\n')
      await answer.end()
    },
    open: resolve,
  }
}

export const resetsAfter = (events: number, spoken: Spoken = {}) =>
  streamThen(events, { ...long, ...spoken }, 'chunked', answer => answer.reset())
/** A FIN where the next chunk should be. */
export const closesAfter = (events: number, spoken: Spoken = {}) =>
  streamThen(events, { ...long, ...spoken }, 'chunked', answer => answer.fin())
/** Neither length nor chunks: the end of the connection is the end of the body, so a cut looks like a clean end. */
export const truncatesAfter = (events: number, spoken: Spoken = {}) =>
  streamThen(events, { ...long, ...spoken }, 'close', answer => answer.fin())
export const truncatesByResetAfter = (events: number, spoken: Spoken = {}) =>
  streamThen(events, { ...long, ...spoken }, 'close', answer => answer.reset())

/** A whole answer whose Content-Length is off by so many bytes: too large and closed early, or too small and open still. */
export const wrongLength =
  (bytes: number, spoken: Spoken = {}): Script =>
  async (call, answer) => {
    const body = Buffer.from(JSON.stringify(wholeAnswer(call, spoken)))
    await answer.head(200, { 'content-type': 'application/json' }, body.length + bytes)
    await answer.write(body)
    if (bytes > 0) answer.fin()
  }

/** JSON that ends in the middle, though its length is right. */
export const halfJson = (): Script => async (call, answer) => {
  const text = JSON.stringify(wholeAnswer(call, {}))
  await says(text.slice(0, text.length / 2), 'application/json')(call, answer)
}

/** Any body, with 200 unless told otherwise. */
export const says =
  (body: string | Uint8Array, type: string, headers: Record<string, string> = {}, status = 200): Script =>
  async (_call, answer) => {
    await answer.head(status, { 'content-type': type, ...headers }, Buffer.byteLength(body))
    await answer.write(body)
  }

export const html = () => says('<!doctype html><title>Sign in</title><h1>Welcome to nginx!</h1>', 'text/html')

export const gzipBomb = (megabytes: number, status = 200): Script =>
  says(gzipSync(Buffer.alloc(megabytes * MEGABYTE, 0x20)), 'application/json', { 'content-encoding': 'gzip' }, status)

/** JSON without an end in sight; its size is told before or not at all. */
export const hugeAnswer =
  (megabytes: number, framing: 'sized' | 'chunked'): Script =>
  async (_call, answer) => {
    const size = megabytes * MEGABYTE
    await answer.head(200, { 'content-type': 'application/json' }, framing === 'sized' ? size : 'chunked')
    const piece = Buffer.alloc(MEGABYTE, '[')
    for (let sent = 0; sent < megabytes && !answer.gone; sent++) await answer.write(piece)
    await answer.end()
  }

/** An answer whose text is so long, sent as fast as it is taken. */
export const largeAnswer =
  (megabytes: number, framing: 'sized' | 'chunked'): Script =>
  async (call, answer) => {
    const body = Buffer.from(JSON.stringify(wholeAnswer(call, { text: 'x'.repeat(megabytes * MEGABYTE) })))
    await answer.head(200, { 'content-type': 'application/json' }, framing === 'sized' ? body.length : 'chunked')
    for (let at = 0; at < body.length && !answer.gone; at += MEGABYTE)
      await answer.write(body.subarray(at, at + MEGABYTE))
    await answer.end()
  }

/** An error inside a 200: as the body, or as a stream's first event. */
export const errorInside = (): Script => async (call, answer) => {
  const error = errorBody('The upstream is out of order', 'server_error', 'internal_error')
  if (call.body.stream !== true) return answer.json(error)
  await streams([`data: ${JSON.stringify(error)}\n\n`])(call, answer)
}

/** Any events, as they are. */
export const streams =
  (events: (string | Uint8Array)[]): Script =>
  async (_call, answer) => {
    await answer.head(200, sse, 'chunked')
    for (const event of events) await answer.write(event)
    await answer.end()
  }

/** A stream whose n-th event (from 1) is not JSON. */
export const badEvent =
  (position: number, spoken = long): Script =>
  (call, answer) =>
    streams(eventsOf(call, spoken).with(position - 1, 'data: {"id": "chatcmpl-fake", "choices": [\n\n'))(call, answer)

export const hugeEvent = (megabytes: number) => chat({ text: 'x'.repeat(megabytes * MEGABYTE), chunks: 1 })

/** Very many very small events, handed to the network in one piece. */
export const tinyEvents =
  (count: number): Script =>
  (call, answer) =>
    streams([eventsOf(call, { text: 'x'.repeat(count), chunks: count }).join('')])(call, answer)

export const redirects =
  (url: string, status = 302): Script =>
  async (_call, answer) => {
    await answer.head(status, { location: url }, 0)
  }

const usageOf = (spoken: Spoken) => {
  if (spoken.usage !== undefined) return spoken.usage
  const completion_tokens = pieces(spoken).length
  return { prompt_tokens: 9, completion_tokens, total_tokens: 9 + completion_tokens }
}

const toolCalls = (spoken: Spoken) =>
  spoken.tool_calls?.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))

function wholeAnswer(call: Call, spoken: Spoken) {
  const tool_calls = toolCalls(spoken)
  const message = {
    role: 'assistant',
    content: tool_calls ? null : (spoken.text ?? 'Hello there'),
    refusal: null,
    ...(tool_calls && { tool_calls }),
  }
  const finish_reason = spoken.finish_reason ?? (tool_calls ? 'tool_calls' : 'stop')
  const usage = usageOf(spoken)
  return {
    id,
    object: 'chat.completion',
    created: now(),
    model: call.body.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    ...(usage !== null && { usage }),
  }
}

/** The text as a stream brings it. */
function pieces({ text = 'Hello there', chunks }: Spoken): string[] {
  if (!chunks) return text.match(/\S+\s*/g) ?? []
  const size = Math.ceil(text.length / chunks)
  return Array.from({ length: chunks }, (_, index) => text.slice(index * size, (index + 1) * size) || '.')
}

function eventsOf(call: Call, spoken: Spoken): string[] {
  const common = { id, object: 'chat.completion.chunk', created: now(), model: call.body.model }
  const event = (value: object) => `data: ${JSON.stringify({ ...common, ...value })}\n\n`
  const choice = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  const tools = toolCalls(spoken)
  const wantsUsage = (call.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
  const usage = usageOf(spoken)
  return [
    choice({ role: 'assistant', content: tools ? null : '' }),
    ...(tools
      ? tools.map((tool, index) => choice({ tool_calls: [{ index, ...tool }] }))
      : pieces(spoken).map(content => choice({ content }))),
    choice({}, spoken.finish_reason ?? (tools ? 'tool_calls' : 'stop')),
    ...(wantsUsage && usage !== null ? [event({ choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ]
}
