// @engine both
/** A channel's history: known calls make known figures by hour and model, kept 90 days. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { jobsDone } from '../../src/cluster/leases.ts'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { HISTORY_MODELS_MAX, HISTORY_RANGES } from '../../src/contracts/channel-history.ts'
import { db } from '../../src/db/database.ts'
import { channelEventHours, channelHistory, channelHours } from '../../src/domain/channels/table.ts'
import { countServed, flushOutcomes } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { chat, inTurn, refuses, resetsAfter } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const CHEAP = 'gpt-4o-mini'

let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  ann = await client()
  await setOption('RetryTimes', 0)
})
afterEach(deleteChannels)

async function historyOf(id: number, query = '') {
  await flushOutcomes()
  await flushBuffers()
  return (await root.get(`/api/channel/${id}/history${query}`)).data
}

const pageOf = async (id: number, query = '', language: 'en' | 'zh' = 'en', person = root) => {
  await flushOutcomes()
  await flushBuffers()
  const response = await person.page(`/admin/channels/${id}/history${query}`, { language })
  const html = await response.text()
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return { status: response.status, text: main.replace(/<!--.*?-->|<[^>]+>/g, ' ').replace(/\s+/g, ' ') }
}

/** Moves to the first minute of the next hour. */
const nextHour = () => shiftClock(HOUR - (now() % HOUR) + 60)

const none = { refused: 0, rate_limited: 0, rejected: 0, server_error: 0 }
const zero = { ...none, timeout: 0, unreachable: 0, broken: 0, unusable: 0, bad_request: 0 }

test('known calls in two hours make exact figures by hour, by model and by kind of error', async () => {
  nextHour()
  const script = inTurn(chat(), refuses(500), refuses(400), chat(), chat(), resetsAfter(1))
  const { id, upstream } = await served(script, { models: `${MODEL},${CHEAP}` })
  upstream.scripts(CHEAP, inTurn(chat(), refuses(429)))
  const first_hour = now() - (now() % HOUR)
  for (const status of [200, 502, 400]) expect((await ann.chat()).status).toBe(status)
  expect((await ann.chat({ model: CHEAP })).status).toBe(200)
  await until(async () => (await historyOf(id)).total.succeeded === 2)
  nextHour()
  for (let stream = 0; stream < 2; stream++) await (await ann.stream()).text()
  await (await ann.stream()).text()
  expect((await ann.chat({ model: CHEAP })).status).toBe(429)
  const history = await until(async () => {
    const read = await historyOf(id)
    return read.total.succeeded === 4 && read.total.failures.broken === 1 ? read : undefined
  })

  const { hours, models, total } = history
  const figuresOf = ({ succeeded, failed, failures, first_token }: typeof total) => ({
    ...{ succeeded, failed, failures, streamed: first_token.calls },
  })
  expect(hours.map(({ hour }: { hour: number }) => hour)).toEqual([first_hour, first_hour + HOUR])
  expect(hours.map(figuresOf)).toEqual([
    { succeeded: 2, failed: 1, failures: { ...zero, server_error: 1, bad_request: 1 }, streamed: 0 },
    { succeeded: 2, failed: 2, failures: { ...zero, broken: 1, rate_limited: 1 }, streamed: 2 },
  ])
  expect(models.map(({ model, ...row }: { model: string } & typeof total) => [model, figuresOf(row)])).toEqual([
    [
      MODEL,
      { succeeded: 3, failed: 2, failures: { ...zero, server_error: 1, bad_request: 1, broken: 1 }, streamed: 2 },
    ],
    [CHEAP, { succeeded: 1, failed: 1, failures: { ...zero, rate_limited: 1 }, streamed: 0 }],
  ])
  expect(total).toMatchObject({ succeeded: 4, failed: 3, first_token: { calls: 2 } })
  expect(total.first_token.p50_ms).toBeGreaterThan(0)
  const ofCheap = await historyOf(id, `?model=${CHEAP}`)
  expect(ofCheap.total).toMatchObject({ succeeded: 1, failed: 1, first_token: { calls: 0, p50_ms: null } })

  const { text } = await pageOf(id, '?days=7&as=table')
  expect(text).toContain('7 3 failed')
  expect(text).toMatch(/\d\d:00–\d\d:00 2 2 50\.0% [\d.]+ \/ [\d.]+ s/)
  expect(text).toContain(`${MODEL} 3 2 60.0%`)
  expect(text).toContain('Server error (5xx) 1 25%')
  const page = await pageOf(id, `?model=${CHEAP}`, 'zh')
  expect(page.text).toContain('限流（429） 1 100%')
  // Another model is chosen in the list of all.
  expect(page.text).toContain(`${MODEL} 3 2 60.0%`)
})

test.each(HISTORY_RANGES)('a history of %d days has so many, in the API and on the page', async days => {
  const { id } = await makeChannel(root)
  const { from, until: end } = await historyOf(id, `?days=${days}`)
  expect((end - from) / DAY).toBe(days)
  const response = await root.page(`/admin/channels/${id}/history?days=${days}&as=table`)
  const html = await response.text()
  const table = html.slice(html.indexOf('<tbody'), html.indexOf('</tbody>'))
  expect(table.match(/<tr/g)).toHaveLength(days <= 7 ? days * 24 : days)
})

test('percentiles of known times to first token are exact within their bucket', async () => {
  const { id } = await makeChannel(root)
  // 80 between 300 and 400 ms, 20 between 2 and 3 s.
  for (let call = 0; call < 100; call++) countServed(id, MODEL, call < 80 ? 310 : 2500)
  countServed(id, MODEL)
  const { total } = await historyOf(id)
  expect(total).toMatchObject({ succeeded: 101, first_token: { calls: 100, p50_ms: 363, p95_ms: 2750 } })
  expect((await pageOf(id)).text).toContain('0.36 / 2.75 s')
})

test('figures by model add up whole days and the hours before and after them', async () => {
  const { id } = await makeChannel(root)
  const start = now()
  for (let hours = 0; hours < 80; hours++) {
    countServed(id, MODEL)
    if (hours % 2) countServed(id, CHEAP)
    shiftClock(HOUR)
  }
  await flushOutcomes()
  const sumOf = (rows: { succeeded: number }[]) => rows.reduce((sum, { succeeded }) => sum + succeeded, 0)
  const { models, hours, total } = await historyOf(id)
  expect(models.map((row: { model: string; succeeded: number }) => [row.model, row.succeeded])).toEqual([
    [MODEL, 80],
    [CHEAP, 40],
  ])
  expect([sumOf(hours), total.succeeded]).toEqual([120, 120])
  const lately = await historyOf(id, '?days=2')
  expect(sumOf(lately.models)).toBe(sumOf(lately.hours))
  expect(sumOf((await historyOf(id, `?days=2&model=${CHEAP}`)).models)).toBeLessThan(sumOf(lately.models) / 2)
  shiftClock(start - now())
})

test('cooldowns and closings are counted with their causes, lengths and last reasons', async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  const script = inTurn(refuses(429, { 'retry-after': '45' }), refuses(401))
  const { id } = await served(script)
  await ann.chat()
  shiftClock(60)
  await ann.chat()
  const events = await until(async () => {
    const read = (await historyOf(id)).events
    return read.length === 2 ? read : undefined
  })
  await setOption('AutomaticDisableChannelEnabled', false)
  expect(events).toMatchObject([
    { event: 'cooldown', cause: 'rate_limited', times: 1, seconds: 45, reason: '429 Rate limit reached for requests' },
    { event: 'closed', cause: 'refused', times: 1, seconds: 0, model: '' },
  ])
  expect(events[1].reason).toStartWith('401 Incorrect API key')
  const { text } = await pageOf(id)
  expect(text).toContain('Cooldown × 1 Rate limit (429) · 45.0 s')
  expect(text).toContain('Channel disabled × 1 Key refused (401, 402, 403)')
})

test('a channel with many models has few rows an hour, and hours older than 90 days are deleted', async () => {
  const { id } = await makeChannel(root)
  for (let model = 0; model < 1000; model++) countServed(id, `model-${model}`)
  const { models, total } = await historyOf(id)
  expect(total.succeeded).toBe(1000)
  expect(models).toHaveLength(HISTORY_MODELS_MAX + 1)
  expect(models[0]).toMatchObject({ model: '', succeeded: 1000 - HISTORY_MODELS_MAX })
  const start = now()
  const rowsOf = async () =>
    (await db.select().from(channelHistory)).filter(row => row.channel_id === id && row.part === 'hour').length
  try {
    for (const [days, left] of [
      [89, HISTORY_MODELS_MAX + 1],
      [91, 0],
    ] as const) {
      shiftClock(start + days * DAY - now())
      await tick()
      await jobsDone()
      expect([days, await rowsOf()]).toEqual([days, left])
    }
  } finally {
    shiftClock(start - now())
  }
})

test('hours of a channel that is deleted meanwhile are dropped, those of others are written', async () => {
  const [gone, stays] = [await makeChannel(root), await makeChannel(root)]
  for (const { id } of [gone, stays]) countServed(id, MODEL)
  await root.delete(`/api/channel/${gone.id}`)
  expect((await historyOf(stays.id)).total.succeeded).toBe(1)
  for (const table of [channelHours, channelHistory, channelEventHours])
    expect((await db.select().from(table)).some(row => row.channel_id === gone.id)).toBe(false)
})

test('the history is for administrators, and wrong days are refused with a reason', async () => {
  const { id } = await makeChannel(root)
  expect((await pageOf(id, '', 'en', await visitor(Role.admin))).status).toBe(200)
  expect((await pageOf(id, '', 'en', await visitor(Role.user))).status).toBe(303)
  expect((await pageOf(999_999)).status).toBe(404)
  expect((await pageOf(id, '?days=x&day=2026-13-01&as=y')).status).toBe(200)
  expect((await pageOf(id, '?day=2026-11-20&as=table')).text).toContain('2026-11-20 23:00–00:00 0 0 —')
  for (const days of ['0', '91', '1.5', 'x'])
    expect((await root.get(`/api/channel/${id}/history?days=${days}`)).message).toBe(
      'days is a whole number from 1 to 90.',
    )
  expect((await root.get('/api/channel/999999/history')).success).toBe(false)
})
