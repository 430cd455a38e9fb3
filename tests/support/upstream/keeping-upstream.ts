/**
 * A maker that keeps what it answers, for each account of its own: OpenAI's Responses and Anthropic's threads. An id of
 * another account, and a body that it does not know, are refused.
 */
import { afterAll } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'

export interface KeptCall {
  key: string
  method: string
  path: string
  query: string
  body: Json
  /** Aborted when the connection closes before the end of the answer. */
  signal: AbortSignal
}

interface Kept {
  /** Tokens of the conversation with its last answer. */
  tokens: number
  response: Json
}

let made = 0

const keyOf = (headers: Headers): string =>
  headers.get('authorization')?.slice('Bearer '.length) ?? headers.get('x-api-key') ?? headers.get('api-key') ?? ''

const fail = (status: number, message: string, fields: Json = {}) =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code: null, ...fields } }, { status })

const threadFails = (error_code: string) =>
  Response.json(
    { type: 'error', error: { type: 'invalid_request_error', message: error_code, details: { error_code } } },
    { status: 400 },
  )

const compaction = {
  ...{ id: 'resp_compact', object: 'response.compaction', created_at: 1 },
  output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }],
  usage: { input_tokens: 5000, output_tokens: 50, total_tokens: 5050 },
}

export function keepingUpstream() {
  const kept = new Map<string, Kept>()
  const calls: KeptCall[] = []
  /** Tokens of each prompt that is sent, and of each answer; its events, and the pause after about twenty of them. */
  const size = { prompt: 100, answer: 10, pieces: 2, pause_ms: 0 }
  /** Resolves when the answers of streams may end. */
  let gate: Promise<void> = Promise.resolve()

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search: query } = new URL(request.url)
      const path = pathname.replace(/^\/openai(?=\/v1\/)/, '')
      const key = keyOf(request.headers)
      const body = request.method === 'POST' ? ((await request.json().catch(() => ({}))) as Json) : {}
      const call: KeptCall = { key, method: request.method, path, query, body, signal: request.signal }
      calls.push(call)
      if (path === '/v1/messages') return threaded(key, body, kept, size)
      return await responded(call)
    },
  })
  afterAll(() => void server.stop(true))

  async function responded({ key, method, path, query, body }: KeptCall): Promise<Response> {
    const [, , , id, verb] = path.split('/')
    if (method === 'POST' && !id) return create(key, body)
    if (id === 'input_tokens') return Response.json({ object: 'response.input_tokens', input_tokens: 1234 })
    if (id === 'compact') return Response.json(compaction)
    const found = kept.get(`${key} ${id}`)
    if (!found) return fail(404, `Response with id '${id}' not found.`)
    if (method === 'DELETE') {
      kept.delete(`${key} ${id}`)
      return Response.json({ id, object: 'response', deleted: true })
    }
    if (verb === 'input_items')
      return Response.json({ object: 'list', data: [{ id: `msg_in_${id}`, query }], has_more: false })
    if (verb === 'cancel') return fail(400, 'Only responses in the background can be cancelled.')
    return Response.json(found.response)
  }

  function create(key: string, body: Json): Response {
    if (body.background) return fail(400, 'The gateway runs what is in the background.', { param: 'background' })
    const previous = body.previous_response_id as string | undefined
    const conversation = body.conversation as string | undefined
    const before = previous ? kept.get(`${key} ${previous}`) : undefined
    if (previous && !before) {
      const fields = { param: 'previous_response_id', code: 'previous_response_not_found' }
      return fail(400, `Previous response with id '${previous}' not found.`, fields)
    }
    const held = before ?? (conversation ? kept.get(`${key} ${conversation}`) : undefined)
    const input_tokens = (held?.tokens ?? 0) + size.prompt
    const tokens = input_tokens + size.answer
    const id = `resp_${++made}_${'0'.repeat(24)}`
    const text = { type: 'output_text', text: 'x'.repeat(size.answer), annotations: [], logprobs: [] }
    const response = {
      ...{ id, object: 'response', created_at: 1, status: 'completed', model: body.model, background: false },
      output: [{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [text] }],
      usage: { input_tokens, output_tokens: size.answer, total_tokens: tokens },
    }
    if (body.store !== false) kept.set(`${key} ${id}`, { tokens, response })
    if (conversation) kept.set(`${key} ${conversation}`, { tokens, response })
    return body.stream ? streamed(response, gate, { ...size }) : Response.json(response)
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    size,
    kept,
    /** Streams begin, and go on when this is called. */
    holdStreams() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

/** The second half of its text waits for the gate. */
function streamed(
  response: Json & { output: Json[] },
  gate: Promise<void>,
  { pieces, pause_ms }: { pieces: number; pause_ms: number },
): Response {
  let sequence_number = 0
  const event = (type: string, fields: Json) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...fields })}\n\n`
  const [item] = response.output
  const { text } = (item!.content as { text: string }[])[0]!
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const at = { item_id: item!.id, output_index: 0, content_index: 0 }
  async function* body() {
    yield event('response.created', { response: begun })
    yield event('response.in_progress', { response: begun })
    yield event('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    })
    const part = { type: 'output_text', text: '', annotations: [] }
    yield event('response.content_part.added', { ...at, part })
    const length = Math.ceil(text.length / pieces)
    for (let from = 0; from < text.length; from += length) {
      if (from <= text.length / 2 && from + length > text.length / 2) await gate
      yield event('response.output_text.delta', { ...at, delta: text.slice(from, from + length), logprobs: [] })
    }
    yield event('response.output_text.done', { ...at, text, logprobs: [] })
    yield event('response.content_part.done', { ...at, part: { ...part, text } })
    yield event('response.output_item.done', { output_index: 0, item })
    yield event('response.completed', { response })
  }
  return new Response(inChunks(body(), pause_ms) as unknown as BodyInit, {
    headers: { 'content-type': 'text/event-stream' },
  })
}

const CHUNK_LENGTH = 4096

/** Events as they come, many to a chunk where they are many. */
async function* inChunks(events: AsyncGenerator<string>, pause_ms: number) {
  let waiting = ''
  for (let event = events.next(); ; event = events.next()) {
    const isSlow = await Promise.race([event.then(() => false), Promise.resolve().then(later)])
    if (waiting && (isSlow || waiting.length > CHUNK_LENGTH)) {
      yield waiting
      waiting = ''
      if (pause_ms) await Bun.sleep(pause_ms)
    }
    const { value, done } = await event
    if (done) break
    waiting += value
  }
  if (waiting) yield waiting
}

const later = () => new Promise<true>(resolve => setImmediate(() => resolve(true)))

/** Answers the first turn with a call of the tool, and its result with a text. */
function threaded(key: string, body: Json, kept: Map<string, Kept>, size: { prompt: number; answer: number }) {
  const thread = body.thread as { type: string; previous_message_id?: string } | undefined
  const before = thread?.previous_message_id ? kept.get(`${key} ${thread.previous_message_id}`) : undefined
  if (thread?.type === 'continue') {
    if (!before) return threadFails('thread_not_found')
    if (body.system || body.tools) return fail(400, 'A thread keeps its tools.')
  }
  const messages = body.messages as { role: string; content: unknown }[]
  const answersTool = JSON.stringify(messages.at(-1)?.content ?? '').includes('tool_result')
  const input_tokens = (before?.tokens ?? 0) + size.prompt
  const tools = body.tools ?? before?.response.tools
  const content =
    tools && !answersTool
      ? [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Bonn' } }]
      : [{ type: 'text', text: 'It rains.' }]
  const id = `msg_${++made}`
  const response = {
    ...{ id, type: 'message', role: 'assistant', model: body.model, content },
    ...{ stop_reason: content[0]!.type === 'tool_use' ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens, output_tokens: size.answer },
  }
  if (thread) kept.set(`${key} ${id}`, { tokens: input_tokens + size.answer, response: { tools } })
  return body.stream ? streamedMessage(response) : Response.json(response)
}

function streamedMessage(message: Json & { content: Json[]; usage: Json }): Response {
  const { content, stop_reason, usage } = message
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  const blocks = content.flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: { ...block, ...('text' in block ? { text: '' } : { input: {} }) },
    },
    {
      type: 'content_block_delta',
      index,
      delta:
        'text' in block
          ? { type: 'text_delta', text: block.text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    },
    { type: 'content_block_stop', index },
  ])
  const events: Json[] = [
    { type: 'message_start', message: begun },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ]
  const text = events.map(each => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}
