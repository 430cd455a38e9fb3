/** iFlytek Spark as strict as the real one: signed WebSockets, and chats over HTTP at the same address. */
import { afterAll } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { ServerWebSocket } from 'bun'
import type { Received } from './http-server.ts'
import type { AnswerScript, Json, ScriptedResponse, Server, Upstream } from './strict-provider.ts'

export type SparkSocket = ServerWebSocket<{ received: Received }>

export interface SparkUpstream extends Upstream {
  /** Sockets that are open now. */
  readonly open: number
  /** Handshakes that were refused: with 401 for a wrong signature, 403 for a wrong date. */
  readonly refusals: number[]
  /** Every URL that was dialled. */
  readonly urls: string[]
  /** Answers each message so, until `expects` is called. */
  plays(script: Script): void
  stop(): void
}

/** Seconds by which a date may be off. */
const SKEW_MAX = 300

type Script = (socket: SparkSocket, message: Json) => unknown

/** What the server knows of the calls that come. */
class Desk {
  answers: ScriptedResponse = {}
  violations: string[] = []
  last: Received | undefined
  script: Script | undefined
  open = 0
  readonly refusals: number[] = []
  readonly urls: string[] = []

  constructor(
    readonly rules: Server,
    public channel: Json,
  ) {}

  refuse(violation: string): Response {
    this.violations.push(violation)
    return Response.json({ error: { message: violation } }, { status: 418 })
  }

  /** 101, or the status of a refusal. */
  handshake(request: Request, received: Received): number {
    this.urls.push(request.url)
    this.last = received
    const given = this.script ? undefined : this.answers.status
    const status = given ?? handshakeStatus(request, this.channel)
    if (status !== 101) this.refusals.push(status)
    return status
  }

  message(socket: SparkSocket, data: string | Buffer) {
    const { received } = socket.data
    this.last = { ...received, body: String(data), bytes: Buffer.from(String(data)) }
    const message: Json = JSON.parse(String(data))
    const violation = messageViolationOf(message, this.channel, this.rules.paths[`GET ${received.target}`] ?? [])
    if (violation) {
      this.violations.push(violation)
      return void socket.send(JSON.stringify(errorFrame(10004, violation)))
    }
    if (this.script) return void this.script(socket, message)
    const { events = [] } = this.answers
    for (const event of events) socket.send(typeof event === 'string' ? event : JSON.stringify(event))
    const { header } = (events.at(-1) ?? {}) as Json
    // After its last frame the upstream closes; after any other it breaks off.
    socket.close(header?.status === 2 || header?.code ? 1000 : 1011)
  }

  async answer(socket: SparkSocket, played: ReturnType<AnswerScript>) {
    if (typeof played === 'string') {
      this.violations.push(played)
      return void socket.send(JSON.stringify(errorFrame(10004, played)))
    }
    await played.step?.()
    for (const event of played.says.events ?? []) {
      await played.step?.()
      socket.send(JSON.stringify(event))
    }
    await played.step?.()
    socket.close(1000)
  }

  overHttp(received: Received): Response {
    this.last = received
    const { method, target, headers, body } = received
    const wants = this.rules.paths[`${method} ${target}`]
    if (!wants) return this.refuse(`no such path: ${method} ${target}`)
    if (headers.authorization !== `Bearer ${passwordOf(this.channel.key)}`)
      return this.refuse(`authorization is ${headers.authorization}`)
    if (headers['content-type'] !== 'application/json') return this.refuse(`content-type is ${headers['content-type']}`)
    const violation = wants.map(rule => rule(JSON.parse(body))).find(Boolean)
    if (violation) return this.refuse(violation)
    const { status = 200, events } = this.answers
    if (!events) return Response.json(this.answers.body, { status })
    const lines = events.map(event => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`))
    return new Response(lines.map(line => `${line}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
  }
}

export async function sparkUpstream(rules: Server): Promise<SparkUpstream> {
  const desk = new Desk(rules, rules.channel)
  const server = Bun.serve<{ received: Received }>({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request, server) {
      const received = await receivedFrom(request)
      if (request.headers.get('upgrade') !== 'websocket') return desk.overHttp(received)
      const status = desk.handshake(request, received)
      if (!rules.paths[`GET ${received.target}`]) return desk.refuse(`no such path: ${received.target}`)
      if (status === 101 && server.upgrade(request, { data: { received } })) return undefined
      return Response.json({ message: 'HMAC signature does not match' }, { status })
    },
    websocket: {
      maxPayloadLength: 64 * 1_048_576,
      idleTimeout: 960,
      open: () => void desk.open++,
      close: () => void desk.open--,
      message: (socket, data) => desk.message(socket, data),
    },
  })
  const stop = () => void server.stop(true)
  afterAll(stop)
  return {
    url: `http://127.0.0.1:${server.port}`,
    violations: () => desk.violations,
    received: () => desk.last!,
    expects: (channel, answers) =>
      void Object.assign(desk, { channel, answers, script: undefined, violations: [], last: undefined }),
    plays(script) {
      desk.script = script
    },
    answersBy(channel, script) {
      const answer = (socket: SparkSocket, message: Json) => desk.answer(socket, script(socket.data.received, message))
      Object.assign(desk, { channel, script: answer, violations: [] })
    },
    get open() {
      return desk.open
    },
    refusals: desk.refusals,
    urls: desk.urls,
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

function messageViolationOf(message: Json, { key }: Json, rules: ((body: Json) => string | undefined)[]) {
  for (const [path, names] of Object.entries(fieldsOf)) {
    const object = path
      .split('.')
      .filter(Boolean)
      .reduce((value, name) => value?.[name], message)
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

export const errorFrame = (code: number, message: string): Json => ({
  header: { code, message, sid: 'cht1', status: 2 },
})

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
