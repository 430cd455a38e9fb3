/**
 * A maker of three formats that names all that it makes for an answer, and knows it for the key that made it alone: an id of
 * another key, or one that it has not made, is refused.
 */
import { afterAll } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'

export interface NamedCall {
  key: string
  path: string
  body: Json
}

/** Every id of these tests ends so. */
const ID = /[a-z]+_[0-9a-f]{32}/g

export const newId = (prefix: string) => `${prefix}${crypto.randomUUID().replaceAll('-', '')}`

const keyOf = ({ headers }: Request): string =>
  headers.get('authorization')?.slice('Bearer '.length) ??
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key') ??
  ''

export function namingUpstream() {
  const kept = new Set<string>()
  const calls: NamedCall[] = []
  /** Tokens of every prompt. */
  const size = { prompt: 100 }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const key = keyOf(request)
      const { pathname: path } = new URL(request.url)
      const body = (await request.json()) as Json
      calls.push({ key, path, body })
      const foreign = idsIn(body).find(id => !kept.has(`${key} ${id}`))
      if (foreign) return Response.json({ error: { message: `The maker does not know ${foreign}` } }, { status: 404 })
      const made = (prefix: string) => {
        const id = newId(prefix)
        kept.add(`${key} ${id}`)
        return id
      }
      if (path.endsWith('/responses')) return response(body, made, size.prompt)
      if (path.endsWith('/messages')) return message(body, made, size.prompt)
      if (path.endsWith('/completions')) return completion(body, made, size.prompt)
      if (path.includes(':generateContent')) return Response.json(content(size.prompt))
      if (path.endsWith('/speech')) return new Response('sound', { headers: { 'content-type': 'audio/mpeg' } })
      return Response.json({ created: 1, data: [{ b64_json: 'aW1hZ2U=' }], usage: usageOf(size.prompt) })
    },
  })
  afterAll(() => void server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    size,
    /** Something that was made past the gateway. */
    keeps: (key: string, id: string) => void kept.add(`${key} ${id.split('/').at(-1)}`),
  }
}

const idsIn = (body: Json) => [...new Set(JSON.stringify(body).match(ID) ?? [])]

type Make = (prefix: string) => string

const usageOf = (prompt: number) => ({ input_tokens: prompt, output_tokens: 10, total_tokens: prompt + 10 })

const events = (list: Json[]) =>
  new Response(list.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

function response(body: Json, made: Make, prompt: number): Response {
  const container_id = made('cntr_')
  const cited = { type: 'container_file_citation', container_id, file_id: made('cfile_'), filename: 'a.csv' }
  const text = { type: 'output_text', text: 'Done.', annotations: [{ ...cited, start_index: 0, end_index: 4 }] }
  const output: Json[] = [
    { type: 'reasoning', id: made('rs_'), summary: [] },
    { type: 'code_interpreter_call', id: made('ci_'), status: 'completed', code: '1', container_id, outputs: null },
    { type: 'image_generation_call', id: made('ig_'), status: 'completed', result: 'aW1hZ2U=' },
    { type: 'message', id: made('msg_'), status: 'completed', role: 'assistant', content: [text] },
  ]
  const whole = {
    ...{ id: made('resp_'), object: 'response', created_at: 1, status: 'completed', model: body.model },
    ...{ output, usage: usageOf(prompt) },
  }
  if (!body.stream) return Response.json(whole)
  const begun = { ...whole, status: 'in_progress', output: [], usage: null }
  return events([
    { type: 'response.created', sequence_number: 0, response: begun },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', sequence_number: 1 + 2 * output_index, output_index, item },
      { type: 'response.output_item.done', sequence_number: 2 + 2 * output_index, output_index, item },
    ]),
    { type: 'response.completed', sequence_number: 9, response: whole },
  ])
}

function message(body: Json, made: Make, prompt: number): Response {
  const file = { type: 'bash_code_execution_output', file_id: made('file_') }
  const result = { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0, content: [file] }
  const content = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'bash_code_execution', input: {} },
    { type: 'bash_code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: result },
    { type: 'text', text: 'Done.' },
  ]
  const container = { id: made('container_'), expires_at: '2030-01-01T00:00:00Z' }
  const usage = { input_tokens: prompt, output_tokens: 10 }
  const head = { id: made('msg_'), type: 'message', role: 'assistant', model: body.model }
  const end = { stop_reason: 'end_turn', stop_sequence: null, container }
  if (!body.stream) return Response.json({ ...head, content, ...end, usage })
  return events([
    {
      type: 'message_start',
      message: {
        ...head,
        content: [],
        ...end,
        stop_reason: null,
        container: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: end, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ])
}

function completion(body: Json, made: Make, prompt_tokens: number): Response {
  const head = { id: newId('chatcmpl-'), created: 1, model: body.model }
  const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 }
  const audio = { id: made('audio_'), data: 'AAAA', transcript: 'Done.', expires_at: 9_999_999_999 }
  if (!body.stream) {
    const choice = { index: 0, message: { role: 'assistant', content: null, audio }, finish_reason: 'stop' }
    return Response.json({ ...head, object: 'chat.completion', choices: [choice], usage })
  }
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    ...{ ...head, object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const { id, data, transcript, expires_at } = audio
  const chunks = [
    chunk({ role: 'assistant', audio: { id, transcript } }),
    chunk({ audio: { data } }),
    chunk({ audio: { expires_at } }),
    chunk({}, 'stop'),
    { ...chunk({}), choices: [], usage },
  ]
  return new Response(`${chunks.map(each => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })
}

const content = (promptTokenCount: number) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount, candidatesTokenCount: 10, totalTokenCount: promptTokenCount + 10 },
})
