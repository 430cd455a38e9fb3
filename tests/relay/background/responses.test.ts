// @engine both
/** Responses in the background: kept for the client that fetches them later, paid once, whatever the upstream speaks. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { BACKGROUND_MAX } from '../../../src/contracts/relay.ts'
import { db } from '../../../src/db/database.ts'
import { pruneBackground } from '../../../src/domain/background-responses/index.ts'
import { backgroundEvents, backgroundResponses } from '../../../src/domain/background-responses/table.ts'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { TAILS_MAX, unwrittenCharacters } from '../../../src/relay/background/run.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { keepingUpstream } from '../../support/upstream/keeping-upstream.ts'
import { served } from '../../support/upstream/served-channel.ts'

const maker = keepingUpstream()
const [NATIVE, TRANSLATED] = ['o3', 'gpt-4o']
await channelOf('openai-responses', maker, { models: NATIVE })
// Type 47 has chats alone.
await served(chat({ text: 'Hello there' }), { type: 47 }, TRANSLATED)
await setPrice('ModelRatio', { [NATIVE]: 1, [TRANSLATED]: 1 })
await setPrice('CompletionRatio', { [NATIVE]: 1, [TRANSLATED]: 1 })

let ann: Client
beforeEach(async () => {
  ann = await client()
  maker.holdStreams()()
  maker.calls.length = 0
  Object.assign(maker.size, { prompt: 100, answer: 10 })
})

type Body = { id: string; status: string; output: any[]; usage: any; error?: any; background: boolean }

const begin = async (fields: object = {}, who = ann): Promise<Body> => {
  const answer = await who.postTo('/v1/responses', { model: NATIVE, input: 'Go', background: true, ...fields })
  expect(answer.status).toBe(200)
  return answer.json()
}
const fetched = async (id: string, who = ann): Promise<Body> => (await who.get(`/v1/responses/${id}`)).json()
const ended = (id: string, who = ann) =>
  until(async () => {
    const found = await fetched(id, who)
    return ['queued', 'in_progress'].includes(found.status) ? undefined : found
  })
const eventsOf = (text: string): any[] =>
  text
    .split('\n\n')
    .filter(event => event.startsWith('event: '))
    .map(event => JSON.parse(event.slice(event.indexOf('data: ') + 'data: '.length)))

describe.each([
  ['native', NATIVE],
  ['translated', TRANSLATED],
])('over a %s upstream', (kind, model) => {
  test('a response is accepted at once, fetched whole when its client is back, and paid once', async () => {
    const before = await ann.balance()
    const queued = await begin({ model, instructions: 'Be brief.' })
    expect(queued).toMatchObject({
      ...{ object: 'response', status: 'queued', background: true, output: [], model, instructions: 'Be brief.' },
    })
    expect(queued.id).toMatch(/^resp_\w{48}$/)
    const whole = await ended(queued.id)
    expect(whole).toMatchObject({ id: queued.id, status: 'completed', background: true })
    expect(whole.output[0].content[0].text.length).toBeGreaterThan(0)
    const { input_tokens, output_tokens } = whole.usage
    await until(async () => (await logsOf(ann.person)).length > 0)
    expect(before - (await ann.balance())).toBe(input_tokens + output_tokens)
    expect(await fetched(queued.id)).toEqual(whole)
    expect(await openAiOf(ann).responses.retrieve(queued.id)).toMatchObject({ id: queued.id, status: 'completed' })
    expect(await logsOf(ann.person)).toHaveLength(1)
    expect(before - (await ann.balance())).toBe(input_tokens + output_tokens)
    expect((await auditWallets()).difference).toBeUndefined()
    if (kind === 'native') expect(maker.calls[0]!.body).not.toHaveProperty('background')
  })

  test('the events of a lost stream are resumed behind any of them', async () => {
    const release = model === NATIVE ? maker.holdStreams() : () => {}
    const abort = new AbortController()
    const stream = await ann.postTo(
      '/v1/responses',
      { model, input: 'Go', background: true, stream: true },
      { signal: abort.signal },
    )
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('response.in_progress')) seen += (await reader.read()).value
    abort.abort()
    await reader.read().catch(() => {})
    release()
    const { id } = eventsOf(seen)[0].response
    await ended(id)
    const all = eventsOf(await (await ann.get(`/v1/responses/${id}?stream=true`)).text())
    expect(all.map(event => event.sequence_number)).toEqual(all.map((_, at) => at))
    expect(all.at(-1)).toMatchObject({ type: 'response.completed', response: { id, background: true } })
    for (const after of [0, 3, all.length - 2, all.length - 1]) {
      const rest = await ann.get(`/v1/responses/${id}?stream=true&starting_after=${after}`)
      expect(eventsOf(await rest.text())).toEqual(all.slice(after + 1))
    }
    expect(await fetched(id)).toEqual(all.at(-1).response)
  })
})

test('a stream is delivered while it runs, also to a reader that comes later', async () => {
  const release = maker.holdStreams()
  const live = await ann.postTo('/v1/responses', { model: NATIVE, input: 'Go', background: true, stream: true })
  expect(live.headers.get('content-type')).toContain('text/event-stream')
  const reader = live.clone().body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('output_text.delta')) text += (await reader.read()).value
  const { id } = eventsOf(text)[0].response
  expect(await fetched(id)).toMatchObject({ id, status: 'in_progress', output: [] })
  const second = ann.get(`/v1/responses/${id}?stream=true&starting_after=1`)
  release()
  const all = eventsOf(await live.text())
  expect(eventsOf(await (await second).text())).toEqual(all.slice(2))
  expect(all.at(-1)).toMatchObject({ type: 'response.completed' })
})

test('a response is cancelled while it runs, billed for what came, and stays so', async () => {
  maker.holdStreams()
  const before = await ann.balance()
  const { id } = await begin()
  await until(() => maker.calls.length > 0)
  await Bun.sleep(50)
  const cancelled = (await (await ann.postTo(`/v1/responses/${id}/cancel`, {})).json()) as Body
  expect(cancelled).toMatchObject({ id, status: 'cancelled' })
  expect(await fetched(id)).toEqual(cancelled)
  const { id: whole } = await begin({ model: TRANSLATED })
  await ended(whole)
  const kept = (await (await ann.postTo(`/v1/responses/${whole}/cancel`, {})).json()) as Body
  expect(kept.status).toBe('completed')
  expect(await ann.balance()).toBeLessThan(before)
})

test('a deleted response is gone, and so are its events', async () => {
  const stream = await ann.postTo('/v1/responses', { model: NATIVE, input: 'Go', background: true, stream: true })
  const { id } = eventsOf(await stream.text())[0].response
  await ended(id)
  expect(await openAiOf(ann).responses.delete(id)).toMatchObject({ id, deleted: true })
  expect(await errorOf(await ann.get(`/v1/responses/${id}`))).toMatchObject({ status: 404 })
  expect(await db.select().from(backgroundEvents).where(eq(backgroundEvents.response_id, id))).toEqual([])
  expect(maker.calls.at(-1)).toMatchObject({ method: 'DELETE' })
})

test('a response that its upstream keeps no longer is not found under the id that the client knows', async () => {
  const { id } = await begin()
  await ended(id)
  maker.kept.clear()
  const { status, message } = await errorOf(await ann.get(`/v1/responses/${id}/input_items`))
  expect([status, message]).toEqual([404, expect.stringContaining(`'${id}' not found`)])
})

test('a response that is deleted while it runs stays gone when its bill is written', async () => {
  const release = maker.holdStreams()
  const { id } = await begin()
  await until(() => maker.calls.length > 0)
  expect(await openAiOf(ann).responses.delete(id)).toMatchObject({ id, deleted: true })
  release()
  await until(async () => (await logsOf(ann.person)).length > 0)
  for (const answer of [
    await ann.get(`/v1/responses/${id}`),
    await ann.get(`/v1/responses/${id}/input_items`),
    await ann.postTo(`/v1/responses/${id}`, '', { method: 'DELETE' }),
  ])
    expect(await errorOf(answer)).toMatchObject({ status: 404 })
  const next = { model: NATIVE, input: 'And?', previous_response_id: id }
  const refused = await ann.postTo('/v1/responses', next)
  expect(await errorOf(refused)).toMatchObject({ code: 'previous_response_not_found' })
})

test('the next response goes on from one in the background, under the id that the client knows', async () => {
  const { id } = await begin()
  await ended(id)
  const next = { model: NATIVE, input: 'And?', previous_response_id: id }
  expect((await ann.postTo('/v1/responses', next)).status).toBe(200)
  expect(maker.calls.at(-1)!.body.previous_response_id).toMatch(/^resp_\d+_0+$/)
  const ben = await client()
  expect(await errorOf(await ben.postTo('/v1/responses', next))).toMatchObject({ code: 'previous_response_not_found' })
  expect((await ann.get(`/v1/responses/${id}/input_items`)).status).toBe(200)
})

test('a response is found by its own user alone', async () => {
  const { id } = await begin()
  await ended(id)
  const ben = await client()
  for (const answer of [
    await ben.get(`/v1/responses/${id}`),
    await ben.get(`/v1/responses/${id}?stream=true`),
    await ben.postTo(`/v1/responses/${id}/cancel`, {}),
    await ben.postTo(`/v1/responses/${id}`, '', { method: 'DELETE' }),
  ])
    expect(await errorOf(answer)).toMatchObject({ status: 404 })
  expect(await fetched(id)).toMatchObject({ status: 'completed' })
})

test('a failure before the call is answered at once, and one in it becomes the state of the response', async () => {
  expect(await errorOf(await ann.postTo('/v1/responses', { model: NATIVE, background: true, store: false }))).toEqual(
    expect.objectContaining({ status: 400, code: 'background_unstored', param: 'background' }),
  )
  for (const background of [1, 'true']) {
    const answer = await ann.postTo('/v1/responses', { model: NATIVE, input: 'Go', background })
    expect(answer.status).toBe(400)
  }
  const poor = await client({}, 1)
  const refused = await poor.postTo('/v1/responses', { model: NATIVE, input: 'Go', background: true })
  expect(await errorOf(refused)).toMatchObject({ status: 403 })
  const before = await ann.balance()
  const { id } = await begin({ previous_response_id: undefined, model: NATIVE, input: 'x', tools: [] })
  expect((await ended(id)).status).toBe('completed')
  maker.kept.clear()
  const failed = await begin({ previous_response_id: id })
  expect(await ended(failed.id)).toMatchObject({
    status: 'failed',
    error: { code: 'previous_response_not_found', message: expect.stringContaining('not found') },
  })
  expect(before - (await ann.balance())).toBe(110)
  expect(await errorOf(await ann.get(`/v1/responses/${id}?stream=true`))).toMatchObject({
    code: 'background_unstreamed',
  })
})

test('a response whose process has crashed has failed, and what it held is free', async () => {
  const { id } = await begin()
  await ended(id)
  await db
    .update(backgroundResponses)
    .set({ status: 'in_progress', node: 'a-node-that-crashed' })
    .where(eq(backgroundResponses.id, id))
  resetStores('background-runs')
  expect(await fetched(id)).toMatchObject({ id, status: 'failed', error: { code: 'server_error' } })
})

test('a kept response is sealed, counts towards the limits of its user, and is deleted after a day', async () => {
  const { id } = await begin({ model: TRANSLATED })
  const { id: held } = await begin()
  await Promise.all([ended(id), ended(held)])
  const stored = sql<string>`${backgroundResponses.response}`
  for (const { text } of await db.select({ text: stored }).from(backgroundResponses)) expect(text).toStartWith('v1:')
  const [row] = await db.select().from(backgroundResponses).where(eq(backgroundResponses.id, id))
  const fill = (bytes: number) => db.update(backgroundResponses).set({ bytes }).where(eq(backgroundResponses.id, id))
  await fill(BACKGROUND_MAX.user.bytes)
  const full = await ann.postTo('/v1/responses', { model: NATIVE, input: 'Go', background: true })
  expect(await errorOf(full)).toMatchObject({ status: 429, code: 'background_full' })
  const other = await client()
  expect((await begin({}, other)).status).toBe('queued')
  await fill(row!.bytes)
  shiftClock(86_401)
  expect(await errorOf(await ann.get(`/v1/responses/${id}`))).toMatchObject({ status: 404 })
  // The upstream still keeps its own.
  expect(await fetched(held)).toMatchObject({ id: held, status: 'completed' })
  await pruneBackground()
  expect(await db.select().from(backgroundResponses).where(eq(backgroundResponses.id, id))).toEqual([])
  shiftClock(-86_401)
})

test('many streams at once keep their events in the database, not in memory', async () => {
  const AT_ONCE = 60
  Object.assign(maker.size, { answer: 1000, pieces: 400 })
  const release = maker.holdStreams()
  const users = await Promise.all([client(), client()])
  const begun = Array.from({ length: AT_ONCE }, async (_, at) => {
    const who = users[at % 2]!
    const abort = new AbortController()
    const fields = { model: NATIVE, input: 'Go', background: true, stream: true }
    const answer = await who.postTo('/v1/responses', fields, { signal: abort.signal })
    expect(answer.status).toBe(200)
    const { value } = await answer.body!.pipeThrough(new TextDecoderStream()).getReader().read()
    abort.abort()
    return { who, id: /"id": ?"(resp_\w+)"/.exec(value!)![1]! }
  })
  const all = await Promise.all(begun)
  expect(new Set(all.map(({ id }) => id)).size).toBe(AT_ONCE)
  // Half of each answer has come: 200 events of about 190 characters.
  await until(async () => {
    const [kept] = await db.select({ events: sql<number>`sum(last - first + 1)` }).from(backgroundEvents)
    return Number(kept!.events) > AT_ONCE * 80
  })
  expect(unwrittenCharacters()).toBeLessThan(TAILS_MAX)
  release()
  for (const { who, id } of all) expect((await ended(id, who)).output[0].content[0].text).toHaveLength(1000)
  expect(unwrittenCharacters()).toBe(0)
  for (const who of users) expect(await who.balance()).toBe(RICH - (AT_ONCE / 2) * 1100)
  expect((await auditWallets()).difference).toBeUndefined()
})
