/** A provider's own server, as strict as the real one. */
import { afterAll } from 'bun:test'
import { type AwsFrame, awsFrame } from './aws-frame.ts'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'

export type Json = Record<string, any>

/** What is wrong with a body; nothing when it is right. */
export type Rule = (body: Json) => string | undefined

export interface Server {
  /** Fields of every channel: type, key, perhaps `other`. */
  channel: Json
  /** The path at which the base address of a channel ends. */
  base?: string
  /** Headers that every request must carry, `{key}` standing for the channel's key, `*` for what `violation` checks; those of each for a server of several APIs. */
  headers: Record<string, string> | ((received: Received, channel: Json) => Record<string, string>)
  /** Headers of authentication that `violation` checks, where they differ from request to request. */
  authenticated?: string[]
  /** By method and path, query and all: the rules of each. */
  paths: Record<string, Rule[]>
  /** What is wrong with a request beyond its headers and fields, such as its signature. */
  violation?(received: Received, channel: Json): string | undefined | Promise<string | undefined>
  /** Serves in place of `strictProvider`, for those who speak over sockets. */
  open?(rules: Server): Promise<Upstream>
  /** The provider whose recorded calls serve for this one too. */
  shares?: string
  /** The fixture whose answers serve the channel test; `chat` unless given. */
  probe?: string
  /** Serves the channel test of a type of tasks: states are asked for, of none. */
  states?: ScriptedResponse
  /** Of those who tell them: what is asked with GET, by path, query and all, and what is made of the answers. */
  models?: Inquiry<string[]>
  balance?: Inquiry<number>
}

interface Inquiry<T> {
  /** Where the address of a channel ends, where that matters. */
  base?: string
  answers: Record<string, unknown>
  found: T
}

export interface Upstream {
  url: string
  violations(): string[]
  /** The request of the call itself. */
  received(): Received
  expects(channel: Json, says: ScriptedResponse, tells?: Record<string, unknown>, beside?: Beside): void
  /** Answers each request of this channel so, until `expects` is called. */
  answersBy(channel: Json, script: AnswerScript): void
}

/** Runs before each piece of an answer: its head, its events, its end; the halves of a body. */
export type Step = () => Promise<void>

/** @returns the answer; or what is wrong with the request */
export type AnswerScript = (received: Received, body: Json) => { says: ScriptedResponse; step?: Step } | string

/** What it says: a body, events, frames of an AWS event stream, or bytes. */
export interface ScriptedResponse {
  status?: number
  body?: unknown
  events?: unknown[]
  frames?: AwsFrame[]
  headers?: Record<string, string>
  bytes?: string
  base64?: string
}

/** What it says to the requests beside a call, by method and path: each time the next, the last one again and again. */
export type Beside = Record<string, ScriptedResponse | ScriptedResponse[]>

/** A record with the address of the server where it has `{upstream}`. */
export const withUpstream = <T>(recorded: T, url: string): T =>
  JSON.parse(JSON.stringify(recorded).replaceAll('{upstream}', url))

/** The server itself: whatever breaks a rule is refused, and noted. */
export async function strictProvider(rules: Server): Promise<Upstream> {
  let violations: string[] = []
  let last: Received | undefined
  let channel: Json = {}
  let answers: ScriptedResponse
  let told: Record<string, unknown> = {}
  let beside: Record<string, ScriptedResponse[]> = {}
  let script: AnswerScript | undefined
  const server = await listen(async (received, answer) => {
    const others = beside[`${received.method} ${received.target}`]
    if (!others) last = received
    const violation = await violationOf(received, rules, channel, told)
    if (violation) violations.push(violation)
    if (violation) return answer.json({ error: { message: violation } }, 418)
    if (script) return play(answer, script(received, await bodyOf(received)))
    if (others) return say(answer, others.length > 1 ? others.shift()! : others[0]!)
    return say(answer, received.method === 'GET' ? { body: told[received.target] } : answers)
  })
  const play = (answer: ScriptedAnswer, played: ReturnType<AnswerScript>) => {
    if (typeof played !== 'string') return say(answer, at(played.says), played.step)
    violations.push(played)
    return answer.json({ error: { message: played } }, 418)
  }
  afterAll(() => server.stop())
  const url = `http://127.0.0.1:${server.port}`
  const at = <T>(recorded: T) => withUpstream(recorded, url)
  return {
    url,
    violations: () => violations,
    received: () => last!,
    expects(from, says, tells = {}, others = {}) {
      told = tells
      beside = Object.fromEntries(Object.entries(at(others)).map(([to, answers]) => [to, [answers].flat()]))
      channel = from
      answers = at(says)
      violations = []
      last = undefined
      script = undefined
    },
    answersBy(from, next) {
      channel = from
      violations = []
      script = next
    },
  }
}

async function violationOf(received: Received, rules: Server, channel: Json, told: object) {
  const { method, target } = received
  const { paths, authenticated = [] } = rules
  const headers = typeof rules.headers === 'function' ? rules.headers(received, channel) : rules.headers
  const wants = method === 'GET' && target in told ? [] : paths[`${method} ${target}`]
  if (!wants) return `no such path: ${method} ${target}`
  for (const [name, value] of Object.entries(headers)) {
    const wanted = value.replace('{key}', channel.key)
    if (value !== '*' && received.headers[name] !== wanted) return `${name} is ${received.headers[name]}, not ${wanted}`
  }
  for (const name of ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie'])
    if (received.headers[name] && !(name in headers) && !authenticated.includes(name))
      return `${name} does not belong here`
  const body = await bodyOf(received)
  return wants.map(rule => rule(body)).find(Boolean) ?? rules.violation?.(received, channel)
}

export async function bodyOf({ headers, body, bytes }: Received): Promise<Json> {
  const type = headers['content-type'] ?? ''
  if (/^(?:audio|image)\/|^application\/octet-stream/.test(type)) return { type, bytes: bytes.length }
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  if (!type.startsWith('multipart/form-data')) return JSON.parse(body || '{}')
  const fields = await new Response(body, { headers: { 'content-type': type } }).formData()
  const said = [...fields].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : `@${(value as File).name}`,
  ])
  return Object.fromEntries(said)
}

const sse = { 'content-type': 'text/event-stream; charset=utf-8' }

/** Events that are texts are sent as they are, others as data. */
async function say(answer: ScriptedAnswer, scripted: ScriptedResponse, step?: Step) {
  const { status = 200, body, events, frames, headers = {}, base64 } = scripted
  const bytes = base64 === undefined ? scripted.bytes : Buffer.from(base64, 'base64')
  const type = frames ? { 'content-type': 'application/vnd.amazon.eventstream' } : sse
  const pieces =
    frames?.map(awsFrame) ??
    events?.map(event => (typeof event === 'string' ? `${event}\n\n` : `data: ${JSON.stringify(event)}\n\n`))
  await step?.()
  if (pieces) {
    await answer.head(status, { ...type, ...headers }, 'chunked')
    for (const piece of pieces) {
      await step?.()
      await answer.write(piece)
    }
    await step?.()
    return answer.end()
  }
  const whole = Buffer.from(bytes ?? JSON.stringify(body))
  const json = bytes === undefined && { 'content-type': 'application/json' }
  await answer.head(status, { ...json, ...headers }, whole.length)
  const half = step ? Math.floor(whole.length / 2) : 0
  if (half) await answer.write(whole.subarray(0, half))
  await step?.()
  await answer.write(whole.subarray(half))
}

/** These fields and no others. */
export const knowing =
  (...names: string[]): Rule =>
  body => {
    const unknown = Object.keys(body).filter(name => !names.includes(name))
    return unknown.length ? `unknown fields: ${unknown.join(', ')}` : undefined
  }

/** These have to be there. */
export const needing =
  (...names: string[]): Rule =>
  body => {
    const missing = names.filter(name => body[name] === undefined)
    return missing.length ? `missing fields: ${missing.join(', ')}` : undefined
  }

/** These must not. */
export const refusing =
  (...names: string[]): Rule =>
  body => {
    const present = names.filter(name => name in body)
    return present.length ? `refused fields: ${present.join(', ')}` : undefined
  }

/** What all who speak OpenAI's chats check. */
export const aChat: Rule = ({ model, messages, stream, stream_options }) => {
  if (typeof model !== 'string' || !model) return 'no model'
  if (!Array.isArray(messages) || !messages.length) return 'no messages'
  if (stream_options && stream !== true) return 'stream_options without a stream'
}

/** What all who speak Anthropic's messages check. */
export const aMessage: Rule = body => {
  const roles = (body.messages ?? []).map((message: Json) => message.role)
  if (roles.some((role: string) => !['user', 'assistant'].includes(role))) return 'an unknown role'
  return needing('model', 'max_tokens', 'messages')(body)
}

/** A list of models as most have it. */
export const models = (path: string) => ({
  answers: {
    [path]: {
      object: 'list',
      data: [
        { id: 'a', object: 'model' },
        { id: 'b', object: 'model' },
      ],
    },
  },
  found: ['a', 'b'],
})
