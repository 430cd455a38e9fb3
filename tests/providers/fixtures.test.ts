// @engine sqlite
/**
 * Every provider against a server of its own, as strict as the real one: what goes out, what comes back, what it costs.
 * `fixtures/<provider>/server.ts` describes the server, `fixtures/<provider>/<case>.json` a call through the gateway.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { familyOf, isAvailable, type Provider, providerOf, providers } from '../../src/providers/index.ts'
import { apiRoutes } from '../../src/relay/endpoints/table.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { loadTokenTables } from '../support/app/token-tables.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { readStream } from '../support/people/responses.ts'
import { channelNow, makeChannel } from '../support/upstream/channel.ts'
import { type Fixture, modelOf, recordedProviders } from '../support/upstream/fixtures.ts'
import { bodyOf, type Json, type Server, type Upstream, withUpstream } from '../support/upstream/strict-provider.ts'

/** Every model costs the same here: one a token, four for output, a half for what was cached; a picture a thousand. */
const PICTURE_USD = 0.002

beforeEach(() => loadTokenTables('gpt-4o'))

const tested = await recordedProviders()
await setUp()
await setOption('ServerAddress', 'https://gate.example')
await setOption('AutomaticDisableChannelEnabled', true)
await price(tested.flatMap(({ fixtures }) => fixtures.map(([, { asks }]) => modelOf(asks))))

test('every available type has a strict server of its own', () => {
  const types = tested.map(({ server }) => server.channel.type)
  const others = providers.filter(one => isAvailable(one) && deedsOf(one).length)
  expect(types.sort((a, b) => a - b)).toEqual(others.map(({ type }) => type))
})

describe.each(tested)('$name', ({ server, upstream, fixtures }) => {
  const provider = providerOf(server.channel.type)!

  test.each(fixtures)('%s is sent, returned and billed as recorded', (_, fixture) => play(fixture, server, upstream))

  test('every declared API has a recorded call', () => {
    const played = new Set(fixtures.map(([, { asks }]) => deedOf(asks, provider)))
    expect(deedsOf(provider).filter(deed => !played.has(deed))).toEqual([])
  })

  test('a channel test succeeds', async () => {
    const { asks, answers, beside } = Object.fromEntries(fixtures)[server.probe ?? 'chat']!
    upstream.expects(server.channel, server.states ?? answers, {}, beside)
    const told = await asOperator(server, upstream, modelOf(asks), id => `/api/channel/test/${id}`)
    expect(told).toMatchObject({ success: true })
  })

  test('the console lists the models of the upstream if the provider can', async () => {
    expect(await inquired(server, upstream, 'models', 'fetch_models')).toEqual(server.models?.found)
    expect(familyOf(provider).some(({ listModels }) => listModels)).toBe(server.models !== undefined)
  })

  test('the console reads the balance if the provider can', async () => {
    expect(await inquired(server, upstream, 'balance', 'update_balance')).toEqual(server.balance?.found)
    expect(familyOf(provider).some(({ balance }) => balance)).toBe(server.balance !== undefined)
  })
})

/** What the console answers about a channel of this kind, with nothing amiss in what the provider was asked. */
async function asOperator(server: Server, upstream: Upstream, models: string, path: (id: number) => string) {
  const root = await setUp()
  const base_url = upstream.url + (server.base ?? '')
  const { id } = await makeChannel(root, { models, base_url, ...withUpstream(server.channel, upstream.url) })
  const told = await root.get(path(id))
  await root.delete(`/api/channel/${id}`)
  expect(upstream.violations()).toEqual([])
  return told
}

async function inquired(server: Server, upstream: Upstream, what: 'models' | 'balance', deed: string) {
  upstream.expects(server.channel, {}, server[what]?.answers)
  const { base = server.base } = server[what] ?? {}
  const { success, data, code } = await asOperator(
    { ...server, base },
    upstream,
    'm',
    id => `/api/channel/${deed}/${id}`,
  )
  if (!success) expect(code).toBe('channel.not_told')
  return success ? data : undefined
}

const inPieces = new Set(['chat', 'responses', 'completions', 'messages'])

/**
 * Sessions over sockets, videos (`tests/relay/tasks/video-upstreams.test.ts`), and what continues a task of the same
 * caller are played elsewhere.
 */
const playedElsewhere = new Set([
  'realtime',
  'videos',
  'drawing_change',
  'drawing_simple_change',
  'drawing_action',
  'drawing_modal',
])

const deedsOf = (provider: Provider): string[] =>
  [
    ...new Set(
      familyOf(provider).flatMap(({ apis, anthropic_api }) => [
        ...Object.keys(apis),
        ...(anthropic_api ? ['messages'] : []),
      ]),
    ),
  ]
    .filter(operation => !playedElsewhere.has(operation))
    .flatMap(operation => (inPieces.has(operation) ? [operation, `${operation}, streamed`] : [operation]))

/** What a fixture has done, and whether in pieces. */
function deedOf({ path, body }: Fixture['asks'], provider: Provider): string {
  const messages = familyOf(provider).flatMap(({ anthropic_api }) => anthropic_api ?? [])
  const [, model, deed = ''] = /models\/([^:]+):(\w+)/.exec(path) ?? []
  const route = apiRoutes.find(route => route.path === (model ? `/v1beta/models/*:${deed}` : path))!
  const operation =
    path === '/v1/messages' && messages.some(({ models }) => models.test(body!.model)) ? 'messages' : route.operation!
  return body?.stream || deed.startsWith('stream') ? `${operation}, streamed` : operation
}

async function price(models: string[]) {
  const all = (value: number) => JSON.stringify(Object.fromEntries(models.map(model => [model, value])))
  const pictures = models.filter(model => /picture|image|cogview|seedream|kolors|flux/i.test(model))
  await setOption('ModelRatio', all(1))
  await setOption('CompletionRatio', all(4))
  await setOption('CacheRatio', all(0.5))
  await setOption('ModelPrice', JSON.stringify(Object.fromEntries(pictures.map(model => [model, PICTURE_USD]))))
}

async function play(fixture: Fixture, server: Server, upstream: Upstream) {
  const { asks, sent, answers, told, bill, closes } = fixture
  const root = await setUp()
  const made = await makeChannel(root, {
    models: modelOf(asks),
    base_url: upstream.url + (server.base ?? ''),
    ...withUpstream({ ...server.channel, ...fixture.channel }, upstream.url),
  })
  const ann = await client()
  try {
    upstream.expects({ ...server.channel, ...fixture.channel }, answers, {}, fixture.beside)
    const response = await ask(ann, asks)
    const delivered = await readDelivered(response, asks)
    expect(upstream.violations()).toEqual([])
    const received = upstream.received()
    expect(`${received.method} ${received.target}`).toBe(sent.to)
    expect(received.headers).toMatchObject(sent.headers ?? {})
    expect(await bodyOf(received)).toEqual(withCaller(sent.body))
    expect(delivered).toMatchObject(expected(told))
    if (asks.path === '/v1/chat/completions' && delivered.done && !delivered.error)
      expect(delivered.objects).toEqual(['chat.completion.chunk'])
    if (bill) expect(await billed(ann)).toMatchObject(bill)
    expect((await channelNow(made.id)).status).toBe(closes ? ChannelStatus.autoDisabled : ChannelStatus.enabled)
  } finally {
    await root.delete(`/api/channel/${made.id}`)
  }
}

const PSEUDONYM = '[0-9a-f]{32}'

/** A text that begins with `@caller` stands for the caller's pseudonym, with what follows it. */
const withCaller = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, callerIn(value)]))

const callerIn = (value: unknown) =>
  typeof value === 'string' && value.startsWith('@caller')
    ? expect.stringMatching(new RegExp(`^${value.replace('@caller', PSEUDONYM)}$`))
    : value

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
async function readDelivered(response: Response, { body }: Fixture['asks']): Promise<Json> {
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
    objects: [...new Set(events.flatMap(event => (event.choices ? [event.object] : [])))],
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
