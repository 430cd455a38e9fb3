/**
 * The upstream of the bench: a bare socket server, so that it is never the slowest part. A chat answer of 1 KB, or a
 * stream of 200 events, each a chunk and a write of its own; with `"model":"brief"`, of the last few of them; with
 * `"model":"paced"`, one every 20 ms; with `"model":"translated"`, the same in Anthropic's format; with
 * `"model":"thoughtful"`, the brief one after a pause; its first word is the time at which it was sent; with
 * `"model":"limited"`, 429; with `"model":"refused"`, 400. Paths of Bedrock get the same in frames of Claude or of
 * Converse, after the same pause for the thoughtful model.
 */
import type { Socket } from 'bun'
import { awsFrame, chunkFrame } from '../support/upstream/aws-frame.ts'
import { SAID_AT } from './load.ts'

const EVENTS = 200
const FEW = 5
const PACE_MS = 20
const THOUGHT_MS = 50

type Connection = { request: Buffer; unsent: Buffer }

const id = 'chatcmpl-bench'
const usage = { prompt_tokens: 250, completion_tokens: EVENTS, total_tokens: 250 + EVENTS }
const none = Buffer.alloc(0)

const whole = (() => {
  const message = { role: 'assistant', content: 'All work and no play makes a dull gateway. '.repeat(19) }
  const body = JSON.stringify({
    id,
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  })
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
})()

const limited = refusal('429 Too Many Requests', ['retry-after: 1'], {
  ...{ type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached' },
})
const refused = refusal('400 Bad Request', [], {
  ...{ type: 'invalid_request_error', code: 'invalid_value', message: 'temperature is at most 2' },
})

function refusal(status: string, headers: string[], error: object): Buffer {
  const body = JSON.stringify({ error })
  const lines = [`HTTP/1.1 ${status}`, ...headers, 'content-type: application/json', `content-length: ${body.length}`]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
const last = `${chunk('data: [DONE]\n\n')}0\r\n\r\n`

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

const event = (value: object) =>
  chunk(`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'bench', ...value })}\n\n`)
const events = Array.from({ length: EVENTS }, (_, index) => {
  const finish_reason = index === EVENTS - 1 ? 'stop' : null
  return Buffer.from(event({ choices: [{ index: 0, delta: { content: `word ${index} ` }, finish_reason }] }))
})
const plainEnd = Buffer.from(last)
const usageEnd = Buffer.from(event({ choices: [], usage }) + last)

const message = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench', content: [], stop_reason: null }
const typed = (value: { type: string }) =>
  Buffer.from(chunk(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`))
const anthropicEvents = [
  { type: 'message_start', message: { ...message, usage: { input_tokens: 250, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...Array.from({ length: EVENTS }, (_, index) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: `word ${index} ` },
  })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: EVENTS } },
  { type: 'message_stop' },
]
const typedEvents = anthropicEvents.map(typed)
const typedEnd = Buffer.from('0\r\n\r\n')

const framesHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\ntransfer-encoding: chunked\r\n\r\n',
)
const chunked = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const frameOf = (name: string, payload: object) =>
  chunked(awsFrame({ headers: { ':event-type': name, ':content-type': 'application/json' }, payload }))
const claudeFrames = anthropicEvents.map(one => chunked(awsFrame(chunkFrame(one))))
const wordFrame = (text: string) =>
  frameOf('contentBlockDelta', { contentBlockIndex: 0, delta: { text }, p: 'abcdefghij'.slice(text.length % 7) })
const converseStart = frameOf('messageStart', { role: 'assistant' })
const converseWords = Array.from({ length: EVENTS }, (_, index) => wordFrame(`word ${index} `))
const converseEnd = [
  frameOf('contentBlockStop', { contentBlockIndex: 0 }),
  frameOf('messageStop', { stopReason: 'end_turn' }),
  frameOf('metadata', { usage: { inputTokens: 250, outputTokens: EVENTS, totalTokens: 250 + EVENTS } }),
  typedEnd,
]

function send(socket: Socket<Connection>, bytes: Buffer) {
  const { unsent } = socket.data
  if (unsent.length) {
    socket.data.unsent = Buffer.concat([unsent, bytes])
    return
  }
  const written = socket.write(bytes)
  if (written < bytes.length) socket.data.unsent = bytes.subarray(Math.max(0, written))
}

function answerBedrock(socket: Socket<Connection>, path: string) {
  send(socket, framesHead)
  if (path.includes('thoughtful')) return void setTimeout(() => speakInFrames(socket), THOUGHT_MS)
  const frames = path.includes('claude')
    ? [...claudeFrames, typedEnd]
    : [converseStart, ...converseWords, ...converseEnd]
  for (const one of frames) send(socket, one)
}

function speakInFrames(socket: Socket<Connection>) {
  send(socket, converseStart)
  send(socket, wordFrame(`${SAID_AT}${performance.timeOrigin + performance.now()} `))
  for (const one of [...converseWords.slice(-FEW), ...converseEnd]) send(socket, one)
}

function answer(socket: Socket<Connection>, path: string, body: string) {
  if (path.startsWith('/model/')) return answerBedrock(socket, path)
  if (body.includes('"limited"')) return send(socket, limited)
  if (body.includes('"refused"')) return send(socket, refused)
  if (!body.includes('"stream":true')) return send(socket, whole)
  const end = body.includes('"include_usage":true') ? usageEnd : plainEnd
  send(socket, head)
  if (body.includes('"translated"')) {
    for (const one of typedEvents) send(socket, one)
    return send(socket, typedEnd)
  }
  if (body.includes('"paced"')) return pace(socket, end)
  if (body.includes('"thoughtful"')) return void setTimeout(() => speakUp(socket, end), THOUGHT_MS)
  for (const one of body.includes('"brief"') ? events.slice(-FEW) : events) send(socket, one)
  send(socket, end)
}

function speakUp(socket: Socket<Connection>, end: Buffer) {
  const content = `${SAID_AT}${performance.timeOrigin + performance.now()} `
  send(socket, Buffer.from(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })))
  for (const one of events.slice(-FEW)) send(socket, one)
  send(socket, end)
}

function pace(socket: Socket<Connection>, end: Buffer) {
  let next = 0
  const timer = setInterval(() => {
    if (next < events.length) return send(socket, events[next++]!)
    clearInterval(timer)
    send(socket, end)
  }, PACE_MS)
}

const server = Bun.listen<Connection>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      socket.data = { request: none, unsent: none }
    },
    data(socket, data) {
      const connection = socket.data
      connection.request = connection.request.length ? Buffer.concat([connection.request, data]) : data
      const { request } = connection
      const bodyAt = request.indexOf('\r\n\r\n') + 4
      if (bodyAt < 4) return
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(request.toString('latin1', 0, bodyAt))?.[1] ?? 0)
      if (request.length < bodyAt + length) return
      connection.request = none
      answer(socket, request.toString('latin1', 0, bodyAt).split(' ', 2)[1]!, request.toString('latin1', bodyAt))
    },
    drain(socket) {
      const { unsent } = socket.data
      socket.data.unsent = none
      if (unsent.length) send(socket, unsent)
    },
  },
})
process.stdout.write(`http://127.0.0.1:${server.port}\n`)
