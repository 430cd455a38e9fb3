/** A provider's own server, as strict as the real one. */
import { afterAll } from 'bun:test'
import { type Answer, listen, type Received } from './http-server.ts'

export type Json = Record<string, any>

/** What is wrong with a body; nothing when it is right. */
export type Rule = (body: Json) => string | undefined

export interface Server {
  /** Fields of every channel: type, key, perhaps `other`. */
  channel: Json
  /** The path at which the base address of a channel ends. */
  base?: string
  /** Headers that every request must carry, `{key}` standing for the channel's key. */
  headers: Record<string, string>
  /** By method and path, query and all: the rules of each. */
  paths: Record<string, Rule[]>
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

export type Upstream = Awaited<ReturnType<typeof strictly>>

/** What it says: a body, events, or bytes. */
export interface Says {
  status?: number
  body?: unknown
  events?: unknown[]
  headers?: Record<string, string>
  bytes?: string
}

/** The server itself: whatever breaks a rule is refused, and complained of. */
export async function strictly(rules: Server) {
  let complaints: string[] = []
  let last: Received | undefined
  let channel: Json = {}
  let answers: Says
  let told: Record<string, unknown> = {}
  const server = await listen(async (received, answer) => {
    last = received
    const complaint = await complaintAbout(received, rules, channel, told)
    if (complaint) complaints.push(complaint)
    if (complaint) return answer.json({ error: { message: complaint } }, 418)
    return say(answer, received.method === 'GET' ? { body: told[received.target] } : answers)
  })
  afterAll(() => server.stop())
  return {
    url: `http://127.0.0.1:${server.port}`,
    complaints: () => complaints,
    received: () => last!,
    expects(from: Json, says: Says, tells: Record<string, unknown> = {}) {
      told = tells
      channel = from
      answers = says
      complaints = []
      last = undefined
    },
  }
}

async function complaintAbout(received: Received, { headers, paths }: Server, channel: Json, told: object) {
  const { method, target } = received
  const rules = method === 'GET' && target in told ? [] : paths[`${method} ${target}`]
  if (!rules) return `no such path: ${method} ${target}`
  for (const [name, value] of Object.entries(headers)) {
    const wanted = value.replace('{key}', channel.key)
    if (received.headers[name] !== wanted) return `${name} is ${received.headers[name]}, not ${wanted}`
  }
  for (const name of ['authorization', 'x-api-key', 'api-key', 'cookie'])
    if (received.headers[name] && !(name in headers)) return `${name} does not belong here`
  const body = await bodyOf(received)
  return rules.map(rule => rule(body)).find(Boolean)
}

export async function bodyOf({ headers, body }: Received): Promise<Json> {
  const type = headers['content-type'] ?? ''
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
async function say(answer: Answer, { status = 200, body, events, headers = {}, bytes }: Says) {
  if (events) {
    await answer.head(status, { ...sse, ...headers }, 'chunked')
    for (const event of events) {
      await answer.write(typeof event === 'string' ? `${event}\n\n` : `data: ${JSON.stringify(event)}\n\n`)
    }
    return answer.end()
  }
  if (bytes === undefined) return answer.json(body, status, headers)
  await answer.head(status, headers, bytes.length)
  await answer.write(bytes)
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
