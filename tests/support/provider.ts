/**
 * A provider's own server, as strict as the real one, and every call of a folder of fixtures through the gateway to it:
 * what goes out, what comes back, what it costs. Fixtures are `tests/providers/fixtures/<provider>/<case>.json`.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { makeChannel } from './channel.ts'
import { type Client, channelNow, client, logsOf, readStream, setOption } from './relay.ts'
import { setUp } from './visit.ts'
import { type Answer, listen, type Received } from './wire.ts'

type Json = Record<string, any>

/** What is wrong with a body; nothing when it is right. */
export type Rule = (body: Json) => string | undefined

export interface Server {
  /** Fields of every channel: type, key, perhaps `other`. */
  channel: Json
  /** The path at which the base address of a channel ends. */
  base?: string
  /** Headers without which nobody is let in, `{key}` standing for the channel's key. */
  headers: Record<string, string>
  /** By method and path, query and all: the rules of each. */
  paths: Record<string, Rule[]>
}

interface Fixture {
  /** Fields of the channel that matter to this case. */
  channel?: Json
  asks: { path: string; body?: Json; form?: Json }
  sent: { to: string; headers?: Record<string, string>; body: Json }
  answers: { status?: number; body?: unknown; events?: unknown[]; headers?: Record<string, string>; bytes?: string }
  told: Json
  bill?: Json
  /** Whether the channel is closed after it: its key is worth nothing any more. */
  closes?: boolean
}

/** Every model costs the same here: one a token, four for output, a half for what was cached; a picture a thousand. */
const PICTURE_USD = 0.002

/** Runs all fixtures of a provider. */
export async function speaks(name: string, server: Server) {
  const upstream = await strictly(server)
  const folder = join(import.meta.dir, '../providers/fixtures', name)
  const files = [...new Bun.Glob('*.json').scanSync(folder)].sort()
  const fixtures = await Promise.all(
    files.map(
      async file => [file.replace('.json', ''), await Bun.file(join(folder, file)).json()] as [string, Fixture],
    ),
  )
  await price(fixtures.map(([, { asks }]) => modelOf(asks)))
  describe(name, () => {
    test.each(fixtures)('%s', (_, fixture) => play(fixture, server, upstream))
  })
}

/** Google's callers name it in the address. */
const modelOf = ({ path, body, form }: Fixture['asks']): string =>
  (body ?? form)!.model ?? /models\/([^:]+)/.exec(path)![1]

async function price(models: string[]) {
  const all = (value: number) => JSON.stringify(Object.fromEntries(models.map(model => [model, value])))
  const pictures = models.filter(model => /picture|image|cogview|seedream|kolors|flux/i.test(model))
  await setOption('AutomaticDisableChannelEnabled', true)
  await setOption('ModelRatio', all(1))
  await setOption('CompletionRatio', all(4))
  await setOption('CacheRatio', all(0.5))
  await setOption('ModelPrice', JSON.stringify(Object.fromEntries(pictures.map(model => [model, PICTURE_USD]))))
}

async function play(fixture: Fixture, server: Server, upstream: Awaited<ReturnType<typeof strictly>>) {
  const { asks, sent, answers, told, bill, closes } = fixture
  const root = await setUp()
  const made = await makeChannel(root, {
    models: modelOf(asks),
    base_url: upstream.url + (server.base ?? ''),
    ...server.channel,
    ...fixture.channel,
  })
  const ann = await client()
  try {
    upstream.expects({ ...server.channel, ...fixture.channel }, answers)
    const response = await ask(ann, asks)
    const heard = await hear(response, asks)
    expect(upstream.complaints()).toEqual([])
    const received = upstream.received()
    expect(`${received.method} ${received.target}`).toBe(sent.to)
    expect(received.headers).toMatchObject(sent.headers ?? {})
    expect(await bodyOf(received)).toEqual(sent.body)
    expect(heard).toMatchObject(expected(told))
    if (bill) expect(await billed(ann)).toMatchObject(bill)
    expect((await channelNow(made.id)).status).toBe(closes ? ChannelStatus.autoDisabled : ChannelStatus.enabled)
  } finally {
    await root.delete(`/api/channel/${made.id}`)
  }
}

/** A text that begins with `@` is part of what is told. */
function expected(told: any): any {
  if (typeof told === 'string') return told.startsWith('@') ? expect.stringContaining(told.slice(1)) : told
  if (typeof told !== 'object' || told === null) return told
  if (Array.isArray(told)) return told.map(expected)
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, expected(value)]))
}

function ask({ url, key }: Client, { path, body, form }: Fixture['asks']): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer sk-${key}`, 'accept-language': 'en' }
  if (body) headers['content-type'] = 'application/json'
  return fetch(url + path, { method: 'POST', headers, body: body ? JSON.stringify(body) : formOf(form!) })
}

/** A text that begins with `@` is a file of that name. */
function formOf(fields: Json): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const text = String(value)
    if (text.startsWith('@')) form.append(name, new File(['file of a test'], text.slice(1), { type: 'audio/mpeg' }))
    else form.append(name, text)
  }
  return form
}

/** What the caller has of it: a stream put together, a body as it is, a file as text. */
async function hear(response: Response, { body }: Fixture['asks']): Promise<Json> {
  const { status } = response
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return { status, ...(await heardStream(response)) }
  if (!type.startsWith('application/json')) return { status, type, text: await response.text() }
  const said = (await response.json()) as Json
  if (body?.stream && said.choices) throw new Error('a whole answer where a stream was asked for')
  return { ...said, status }
}

async function heardStream(response: Response): Promise<Json> {
  const { raw, events, done, text, usage, error } = await readStream(response)
  const deltas = events.flatMap(event => (event.choices ?? []).map((choice: Json) => choice.delta ?? {}))
  const calls: Json[] = []
  for (const { index, function: called = {}, id } of deltas.flatMap(delta => delta.tool_calls ?? [])) {
    calls[index] ??= { id, name: '', arguments: '' }
    calls[index].name += called.name ?? ''
    calls[index].arguments += called.arguments ?? ''
  }
  const finishes = events.flatMap(event => (event.choices ?? []).map((choice: Json) => choice.finish_reason ?? ''))
  return {
    raw,
    done,
    text,
    reasoning: deltas.map(delta => delta.reasoning_content ?? '').join(''),
    tool_calls: calls,
    finish_reason: finishes.filter(Boolean).join(','),
    has_messages: events.some(event => (event.choices ?? []).some((choice: Json) => 'message' in choice)),
    has_names: /^event:/m.test(raw),
    ...(usage && { usage }),
    ...(error && { error }),
  }
}

async function billed({ person }: Client): Promise<Json> {
  const [entry] = await logsOf(person)
  if (!entry) return { quota: 0 }
  const { prompt_tokens, completion_tokens, quota, other } = entry
  const reasoning = other.lines.find((line: Json) => line.bucket === 'reasoning')?.count
  return {
    prompt_tokens,
    completion_tokens,
    quota,
    cache_tokens: other.cache_tokens,
    counted_locally: other.counted_locally ?? false,
    ...(reasoning && { reasoning }),
  }
}

/** The server itself: whatever breaks a rule is refused, and complained of. */
async function strictly(rules: Server) {
  let complaints: string[] = []
  let last: Received | undefined
  let channel: Json = {}
  let answers: Fixture['answers']
  const server = await listen(async (received, answer) => {
    last = received
    const complaint = await complaintAbout(received, rules, channel)
    if (complaint) complaints.push(complaint)
    return complaint ? answer.json({ error: { message: complaint } }, 418) : say(answer, answers)
  })
  afterAll(() => server.stop())
  return {
    url: `http://127.0.0.1:${server.port}`,
    complaints: () => complaints,
    received: () => last!,
    expects(from: Json, says: Fixture['answers']) {
      channel = from
      answers = says
      complaints = []
      last = undefined
    },
  }
}

async function complaintAbout(received: Received, { headers, paths }: Server, channel: Json) {
  const { method, target } = received
  const rules = paths[`${method} ${target}`]
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

async function bodyOf({ headers, body }: Received): Promise<Json> {
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
async function say(answer: Answer, { status = 200, body, events, headers = {}, bytes }: Fixture['answers']) {
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
