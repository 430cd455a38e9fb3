// @engine sqlite
/** Very many calls over each transport: what the gateway takes up does not grow with them. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { run as load } from '../bench/load.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { awsFrame } from '../support/upstream/aws-frame.ts'

const CALLS = 10_000
/** By then everything is warm: what is compiled is compiled. */
const WARM = 5000
const GROWTH_MB = 10
const FOR_EVER_SECONDS = 1000
const A_LONG_RUN_MS = 400_000
const JSON_TYPE = { ':content-type': 'application/json' }

const frames = [
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'lo' } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 }, metrics: { latencyMs: 200 } }],
].map(([type, payload]) => awsFrame({ headers: { ':event-type': type as string, ...JSON_TYPE }, payload }))

const converse = {
  output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 },
}

const meta = { task_status: 'SUCCESS', usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } }
const raw = ['event:add\nid:1\ndata:Hello', `event:finish\nid:1\ndata:\nmeta:${JSON.stringify(meta)}`]

const ids = { task_id: 't', message_id: 'm', conversation_id: 'c', created_at: 1_750_000_000 }
const chat = [
  { event: 'message', ...ids, answer: 'Hello' },
  { event: 'message_end', ...ids, metadata: { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } } },
].map(event => `data: ${JSON.stringify(event)}`)

const JOB = '/api/v1/tasks/'
const task = (output: object) => Response.json({ output, request_id: 'r', usage: { image_count: 1 } })

/** In two pieces, so that a reader has to wait for the rest. */
const stream = (bytes: Buffer, type: string) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, bytes.length >> 1))
        await Promise.resolve()
        controller.enqueue(bytes.subarray(bytes.length >> 1))
        controller.close()
      },
    }),
    { headers: { 'content-type': type } },
  )

const events = (list: string[]) => stream(Buffer.from(list.map(event => `${event}\n\n`).join('')), 'text/event-stream')

/** What comes before or after a call itself: uploads and polls. */
let beside = 0

function answer(path: string): Response {
  if (path.endsWith('/converse')) return Response.json(converse)
  if (path.endsWith('/converse-stream')) return stream(Buffer.concat(frames), 'application/vnd.amazon.eventstream')
  if (path.endsWith('/sse-invoke')) return events(raw)
  if (path.endsWith('/chat-messages')) return events(chat)
  if (path.endsWith('/image-synthesis')) return task({ task_id: crypto.randomUUID(), task_status: 'PENDING' })
  beside++
  if (path.endsWith('/files/upload')) return Response.json({ id: crypto.randomUUID() }, { status: 201 })
  const task_id = path.slice(path.indexOf(JOB) + JOB.length)
  return task({ task_id, task_status: 'SUCCEEDED', results: [{ url: 'https://files.example/1.png' }] })
}

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    await request.arrayBuffer()
    return answer(new URL(request.url).pathname)
  },
})
afterAll(() => upstream.stop(true))

let server: Server
beforeEach(async () => {
  beside = 0
  server = await startServer()
})
afterEach(() => server.stop('SIGKILL'))

const picture = `data:image/png;base64,${Buffer.alloc(20_000, 'picture').toString('base64')}`
const withPicture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] }]

interface Transport {
  name: string
  channel: { type: number; key: string; setting?: string }
  model: string
  stream: boolean
  connections: number
  path?: string
  fields?: object
  /** Requests beside each call. */
  beside: number
}

const bedrock = {
  channel: { type: 33, key: 'AKIDEXAMPLE00000000|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1' },
  model: 'nova-micro',
  connections: 16,
  beside: 0,
}
const transports: Transport[] = [
  { name: 'AWS event streams', ...bedrock, stream: true },
  { name: 'signed calls without a stream', ...bedrock, stream: false },
  {
    name: 'raw event streams',
    channel: { type: 16, key: 'keyid.a-secret-of-32-characters-0123' },
    model: 'chatglm_turbo',
    stream: true,
    connections: 16,
    beside: 0,
  },
  {
    name: 'jobs that are polled',
    channel: { type: 17, key: 'sk-ali' },
    model: 'wan2.2-t2i-flash',
    stream: false,
    // A poll comes half a second after the submission.
    connections: 256,
    path: '/v1/images/generations',
    fields: { messages: undefined, prompt: 'A lighthouse' },
    beside: 1,
  },
  {
    name: 'calls after an upload',
    channel: { type: 37, key: 'app-key', setting: '{"dify_app":"chat"}' },
    model: 'an-app',
    stream: false,
    connections: 16,
    fields: { messages: withPicture },
    beside: 1,
  },
]

test.each(transports)(
  'ten thousand $name leave memory flat',
  async ({ channel, beside: each, name: _, ...call }) => {
    const site = { url: `http://127.0.0.1:${upstream.port}` }
    const key = `sk-${await makeSite(server.url, site, call.model, channel)}`
    await setOption(server.url, 'ModelRatio', JSON.stringify({ [call.model]: 0.01 }))
    const pass = async (requests: number) => {
      const { failed } = await load({ ...call, url: server.url, key, requests, seconds: FOR_EVER_SECONDS })
      expect(failed).toBe(0)
      return residentMb(server.process.pid)
    }
    await pass(WARM)
    const quarters = [await pass(CALLS / 4), await pass(CALLS / 4), await pass(CALLS / 4), await pass(CALLS / 4)]
    const [middle, end] = [quarters.slice(0, 2), quarters.slice(2)]
    expect(Math.min(...end) - Math.max(...middle)).toBeLessThan(GROWTH_MB)
    expect(beside).toBe(each * (WARM + CALLS))
  },
  A_LONG_RUN_MS,
)
