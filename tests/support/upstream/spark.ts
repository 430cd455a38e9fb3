/** iFlytek Spark as strict as the real one: signed WebSockets, and chats over HTTP at the same address. */
import { afterAll } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { ServerWebSocket } from 'bun'
import type { Received } from './http-server.ts'
import type { Json, ScriptedResponse, Server, Upstream } from './strict-provider.ts'

export type SparkSocket = ServerWebSocket<{ received: Received }>

export interface SparkUpstream extends Upstream {
  /** Sockets that are open now. */
  readonly open: number
  /** Handshakes that were refused: with 401 for a wrong signature, 403 for a wrong date. */
  readonly refusals: number[]
  /** Every URL that was dialled. */
  readonly urls: string[]
  /** Answers each message so, until `expects` is called. */
  plays(script: (socket: SparkSocket, message: Json) => unknown): void
  stop(): void
}

/** Seconds by which a date may be off. */
const SKEW_MAX = 300

export async function sparkUpstream(rules: Server): Promise<SparkUpstream> {
  let channel: Json = rules.channel
  let answers: ScriptedResponse = {}
  let complaints: string[] = []
  let last: Received | undefined
  let script: ((socket: SparkSocket, message: Json) => unknown) | undefined
  let open = 0
  const refusals: number[] = []
  const urls: string[] = []

  const server = Bun.serve<{ received: Received }>({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request, server) {
      const received = await receivedFrom(request)
      if (request.headers.get('upgrade') !== 'websocket') return overHttp(received)
      urls.push(request.url)
      last = received
      const status = script ? handshakeStatus(request, channel) : (answers.status ?? handshakeStatus(request, channel))
      const path = `GET ${received.target}`
      if (!rules.paths[path]) return complain(`no such path: ${path}`)
      if (status === 101 && server.upgrade(request, { data: { received } })) return undefined
      refusals.push(status)
      return Response.json({ message: 'HMAC signature does not match' }, { status })
    },
    websocket: {
      maxPayloadLength: 64 * 1_048_576,
      idleTimeout: 960,
      open: () => void open++,
      close: () => void open--,
      message(socket, data) {
        const { received } = socket.data
        last = { ...received, body: String(data), bytes: Buffer.from(String(data)) }
        const message: Json = JSON.parse(String(data))
        const complaint = complaintAboutMessage(message, channel, rules.paths[`GET ${received.target}`] ?? [])
        if (complaint) {
          complaints.push(complaint)
          return void socket.send(JSON.stringify(errorFrame(10004, complaint)))
        }
        if (script) return void script(socket, message)
        for (const event of answers.events ?? []) socket.send(typeof event === 'string' ? event : JSON.stringify(event))
        const end = answers.events?.at(-1) as Json | undefined
        // After its last frame the upstream closes; after any other it breaks off.
        socket.close(end?.header?.status === 2 || end?.header?.code ? 1000 : 1011)
      },
    },
  })

  function complain(complaint: string): Response {
    complaints.push(complaint)
    return Response.json({ error: { message: complaint } }, { status: 418 })
  }

  function overHttp(received: Received): Response {
    last = received
    const { method, target, headers, body } = received
    const wants = rules.paths[`${method} ${target}`]
    if (!wants) return complain(`no such path: ${method} ${target}`)
    const bearer = `Bearer ${passwordOf(channel.key)}`
    if (headers.authorization !== bearer) return complain(`authorization is ${headers.authorization}`)
    if (headers['content-type'] !== 'application/json') return complain(`content-type is ${headers['content-type']}`)
    const complaint = wants.map(rule => rule(JSON.parse(body))).find(Boolean)
    if (complaint) return complain(complaint)
    const { status = 200, events } = answers
    if (!events) return Response.json(answers.body, { status })
    const lines = events.map(event => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`))
    return new Response(lines.map(line => `${line}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
  }

  const stop = () => void server.stop(true)
  afterAll(stop)
  return {
    url: `http://127.0.0.1:${server.port}`,
    complaints: () => complaints,
    received: () => last!,
    expects(from, says) {
      channel = from
      answers = says
      script = undefined
      complaints = []
      last = undefined
    },
    plays: next => void (script = next),
    get open() {
      return open
    },
    refusals,
    urls,
    stop,
  }
}

/** The target has no query: it has the signature, which differs each time. */
async function receivedFrom(request: Request): Promise<Received> {
  const body = await request.text()
  return {
    method: request.method,
    target: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    body,
    bytes: Buffer.from(body),
  }
}

/** APIKey and APISecret of a key of three parts, else the key. */
function passwordOf(key: string): string {
  const [, secret, api_key] = key.split('|')
  return api_key ? `${api_key}:${secret}` : key
}

/** 101 when the URL is signed as it has to be. */
export function handshakeStatus(request: { url: string; headers: Headers }, { key }: Json): number {
  const { pathname, searchParams } = new URL(request.url)
  const [, secret, api_key] = String(key).split('|')
  if ([...searchParams.keys()].sort().join() !== 'authorization,date,host') return 401
  const [authorization, date, host] = ['authorization', 'date', 'host'].map(name => searchParams.get(name)!)
  const fields = /^api_key="([^"]+)", algorithm="hmac-sha256", headers="host date request-line", signature="([^"]+)"$/
  const [, given, signature] = fields.exec(Buffer.from(authorization!, 'base64').toString()) ?? []
  const at = Date.parse(date!)
  if (new Date(at).toUTCString() !== date || Math.abs(at - Date.now()) > SKEW_MAX * 1000) return 403
  const text = `host: ${request.headers.get('host')}\ndate: ${date}\nGET ${pathname} HTTP/1.1`
  const right = createHmac('sha256', secret!).update(text).digest('base64')
  const isRight = given === api_key && signature === right && host === request.headers.get('host')
  return isRight && !request.headers.has('authorization') ? 101 : 401
}

const fieldsOf: Record<string, string[]> = {
  '': ['header', 'parameter', 'payload'],
  header: ['app_id', 'uid', 'patch_id'],
  parameter: ['chat'],
  'parameter.chat': ['domain', 'temperature', 'top_k', 'max_tokens', 'auditing', 'chat_id', 'tools'],
  payload: ['message'],
  'payload.message': ['text'],
}

function complaintAboutMessage(message: Json, { key }: Json, rules: ((body: Json) => string | undefined)[]) {
  for (const [path, names] of Object.entries(fieldsOf)) {
    const object = path.split('.').filter(Boolean).reduce((value, name) => value?.[name], message)
    const unknown = Object.keys(object ?? { [path]: 'missing' }).filter(name => !names.includes(name))
    if (unknown.length) return `unknown in ${path}: ${unknown}`
  }
  const { header, parameter, payload } = message
  const { temperature, top_k, max_tokens } = parameter.chat
  if (header.app_id !== String(key).split('|')[0]) return `app_id is ${header.app_id}`
  if (header.uid?.length > 32) return 'uid is too long'
  if (temperature !== undefined && !(temperature > 0 && temperature <= 1)) return `temperature is ${temperature}`
  if (top_k !== undefined && !(Number.isInteger(top_k) && top_k >= 1 && top_k <= 6)) return `top_k is ${top_k}`
  if (max_tokens !== undefined && !(max_tokens >= 1)) return `max_tokens is ${max_tokens}`
  const roles: string[] = payload.message.text.map(({ role }: Json) => role)
  if (payload.message.text.some(({ content }: Json) => typeof content !== 'string' || !content)) return 'no content'
  const talk = roles[0] === 'system' ? roles.slice(1) : roles
  if (talk.some((role, at) => role !== (at % 2 ? 'assistant' : 'user'))) return `roles are ${roles}`
  return rules.map(rule => rule(message)).find(Boolean)
}

export const errorFrame = (code: number, message: string): Json => ({ header: { code, message, sid: 'cht1', status: 2 } })

/** One frame with a piece of text. @param status 0 first, 1 between, 2 last */
export const textFrame = (status: 0 | 1 | 2, content: string, usage?: Json): Json => ({
  header: { code: 0, message: 'Success', sid: 'cht1', status },
  payload: {
    choices: { status, seq: status, text: [{ content, role: 'assistant', index: 0 }] },
    ...(usage && { usage: { text: usage } }),
  },
})

export const usageText = (prompt_tokens: number, completion_tokens: number): Json => ({
  ...{ question_tokens: 1, prompt_tokens, completion_tokens },
  total_tokens: prompt_tokens + completion_tokens,
})
