/** The circuit breaker of channels: failures open it, one trial closes it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { holdClock, now_ms, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { afterText, errorOf, readStream } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, closesAfter, hangs, hangsAfter, inTurn, refuses } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../support/upstream/openai.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const IN_A_ROW = 5
const FIRST_COOLDOWN = 5
const LONGEST_REST = 60

let ann: Client

/** The time goes on when a test says so, and no other way. */
const wait = shiftClock

beforeEach(async () => {
  holdClock(true)
  // For as long as it takes until there may be many second tries again.
  wait(10)
  await setOption('RetryTimes', 3)
  await setOption('SettleAfterLeave', 1)
  await deleteChannels()
  ann = await client()
})
afterEach(() => holdClock(false))

async function calls(count: number, status = 200) {
  for (let turn = 0; turn < count; turn++) expect((await ann.chat()).status).toBe(status)
}

async function listed(name: string): Promise<string> {
  const page = await (await (await setUp()).page('/admin/channels')).text()
  return page.slice(page.indexOf(name))
}

test('the circuit opens after failures in a row, and a successful trial closes it', async () => {
  const failing = await served(refuses(500), { priority: 9 })
  const other = await served(chat())
  await calls(IN_A_ROW + 4)
  expect([failing.calls(), other.calls()]).toEqual([IN_A_ROW, IN_A_ROW + 4])
  wait(FIRST_COOLDOWN)
  failing.scripts(chat())
  await calls(3)
  expect([failing.calls(), other.calls()]).toEqual([IN_A_ROW + 3, IN_A_ROW + 4])
})

test('a failed trial begins a longer cooldown', async () => {
  const failing = await served(refuses(503), { priority: 9 })
  await served(chat())
  await calls(IN_A_ROW)
  for (const rest of [
    FIRST_COOLDOWN,
    2 * FIRST_COOLDOWN,
    4 * FIRST_COOLDOWN,
    8 * FIRST_COOLDOWN,
    LONGEST_REST,
    LONGEST_REST,
  ]) {
    const before = failing.calls()
    wait(rest - 1)
    await calls(2)
    expect(failing.calls()).toBe(before)
    wait(1)
    await calls(2)
    expect(failing.calls()).toBe(before + 1)
  }
})

test('one success restarts the count of failures', async () => {
  const bad = Array.from({ length: IN_A_ROW - 1 }, () => refuses(500))
  const failing = await served(inTurn(...bad, chat(), ...bad, chat()), { priority: 9 })
  await served(chat())
  await calls(2 * IN_A_ROW)
  expect(failing.calls()).toBe(2 * IN_A_ROW)
})

test('errors of the client are no failures of the channel', async () => {
  const channel = await served(refuses(400))
  await calls(IN_A_ROW + 3, 400)
  expect(channel.calls()).toBe(IN_A_ROW + 3)
  expect((await channelNow(channel.id)).cooldown).toBeUndefined()
})

test('streams that break off are failures of the channel', async () => {
  const { received, read } = afterText('two')
  const breaking = await served(closesAfter(3, { received }), { priority: 9 })
  const other = await served(chat())
  for (let turn = 0; turn < IN_A_ROW; turn++) expect((await read(await ann.stream())).done).toBe(false)
  expect((await readStream(await ann.stream())).done).toBe(true)
  expect([breaking.calls(), other.calls()]).toEqual([IN_A_ROW, 1])
})

test('a running trial blocks other calls, which fail at once', async () => {
  const failing = await served(refuses(500))
  await calls(IN_A_ROW, 502)
  failing.scripts(hangs())
  const stay = new AbortController()
  // A stream: a whole response would be awaited, for its bill, long after its client has left.
  const trial = ann.stream({}, { signal: stay.signal }).catch(() => undefined)
  await until(() => failing.calls() > IN_A_ROW)
  const refused = await ann.chat()
  expect(refused.headers.get('retry-after')).toBe(String(FIRST_COOLDOWN))
  expect(await errorOf(refused)).toMatchObject({ status: 503, code: 'channels_cooling_down' })
  expect(failing.calls()).toBe(IN_A_ROW + 1)
  stay.abort()
  await trial
  failing.scripts(chat())
  // The clock stands still: the trial is not given up because its time is over.
  await until(async () => (await ann.chat()).status === 200)
})

test('a trial is read on for its bill when its client leaves a whole response, and others try after 10 s', async () => {
  const failing = await served(refuses(500))
  await calls(IN_A_ROW, 502)
  wait(FIRST_COOLDOWN)
  failing.scripts(hangs())
  const stay = new AbortController()
  const trial = ann.chat({}, { signal: stay.signal }).catch(() => undefined)
  await until(() => failing.calls() > IN_A_ROW)
  stay.abort()
  await trial
  await calls(1, 503)
  wait(9)
  await calls(1, 503)
  failing.scripts(chat())
  wait(1)
  await calls(1)
})

test('a trial that fails before it is sent lets the next call try', async () => {
  const failing = await served(refuses(500), { param_override: '{"n":128}' })
  await calls(IN_A_ROW, 502)
  wait(FIRST_COOLDOWN)
  failing.scripts(chat())
  const poor = await client({}, 10_000)
  expect(await errorOf(await poor.chat())).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  expect(failing.calls()).toBe(IN_A_ROW)
  await calls(1)
})

test('after a cooldown one call tries, and a second one only when the first is silent for long', async () => {
  const failing = await served(refuses(500))
  await calls(IN_A_ROW, 502)
  wait(FIRST_COOLDOWN)
  failing.scripts(hangs())
  const stay = new AbortController()
  const trial = ann.chat({}, { signal: stay.signal }).catch(() => undefined)
  await until(() => failing.calls() > IN_A_ROW)
  failing.scripts(chat())
  await calls(1, 503)
  wait(10)
  await calls(1)
  stay.abort()
  await trial
})

test('calls that fail together begin one cooldown', async () => {
  const failing = await served(refuses(500))
  await Promise.all(Array.from({ length: 3 * IN_A_ROW }, async () => (await ann.chat()).text()))
  expect((await channelNow(failing.id)).cooldown).toMatchObject({ seconds: FIRST_COOLDOWN })
})

test('a trial that is rejected for its request lets the next call try', async () => {
  const failing = await served(refuses(500))
  await calls(IN_A_ROW, 502)
  wait(FIRST_COOLDOWN)
  failing.scripts(refuses(400))
  await calls(1, 400)
  failing.scripts(chat())
  await calls(1)
})

test("calls follow once a trial's response begins", async () => {
  const failing = await served(refuses(500))
  await calls(IN_A_ROW, 502)
  wait(FIRST_COOLDOWN)
  failing.scripts(hangsAfter(2))
  const stay = new AbortController()
  const trial = await ann.stream({}, { signal: stay.signal })
  failing.scripts(chat())
  await calls(1)
  stay.abort()
  await trial.text().catch(() => undefined)
})

test('unreachable channels and unusable responses open the circuit', async () => {
  const silent = await served(chat(), { priority: 9 })
  silent.upstream.stop()
  const absurd = await served(answers(200, 'nonsense'), { priority: 8 })
  await served(chat())
  await calls(IN_A_ROW)
  for (const { id } of [silent, absurd])
    expect((await channelNow(id)).cooldown).toMatchObject({ seconds: FIRST_COOLDOWN })
})

test('the channel list shows the cooldown with its remaining time', async () => {
  const failing = await served(refuses(500), { name: 'a-resting-one', priority: 9 })
  await served(chat())
  await calls(IN_A_ROW)
  expect((await channelNow(failing.id)).cooldown).toMatchObject({
    reason: expect.stringContaining('500'),
    seconds: FIRST_COOLDOWN,
    scope: 'channel',
  })
  expect(await listed('a-resting-one')).toMatch(/Cooling down.*500.*back in 5 s/s)
  wait(FIRST_COOLDOWN)
  expect(await listed('a-resting-one')).not.toContain('Cooling down')
})

test('the reason of a cooldown is shown without the key', async () => {
  const failing = await served(answers(503, errorBody('No peace for sk-upstream', 'server_error')))
  await calls(IN_A_ROW, 503)
  expect((await channelNow(failing.id)).cooldown.reason).toBe('503 No peace for ***')
})

test('saving a channel closes its circuit', async () => {
  const failing = await served(refuses(500), { priority: 9 })
  await served(chat())
  await calls(IN_A_ROW)
  await (await setUp()).put('/api/channel/', { id: failing.id, weight: 1 })
  await calls(1)
  expect(failing.calls()).toBe(IN_A_ROW + 1)
})

const inSeconds = (seconds: number) => new Date(now_ms() + seconds * 1000).toUTCString()

test.each([
  ['seconds', () => '40'],
  ['a date', () => inSeconds(40)],
])('a Retry-After in %s is observed and passed on', async (_, after) => {
  const tired = await served(refuses(429, { 'retry-after': after() }))
  const first = await ann.chat()
  // A date has whole seconds.
  expect(Number(first.headers.get('retry-after'))).toBeWithin(39, 41)
  wait(10)
  const again = await ann.chat()
  expect(Number(again.headers.get('retry-after'))).toBeWithin(29, 31)
  expect(await errorOf(again)).toMatchObject({ status: 429, code: 'upstream_saturated' })
  expect(tired.calls()).toBe(1)
  tired.scripts(chat())
  wait(31)
  await calls(1)
  expect(tired.calls()).toBe(2)
})

test('a cooldown after failures in a row has trials, also after one that the provider has named', async () => {
  const failing = await served(inTurn(refuses(500, { 'retry-after': '40' }), refuses(500)))
  await calls(1, 502)
  await calls(1, 429)
  expect(failing.calls()).toBe(1)
  wait(40)
  await calls(IN_A_ROW - 1, 502)
  expect((await channelNow(failing.id)).cooldown).toMatchObject({ seconds: FIRST_COOLDOWN })
  await calls(1, 502)
  expect(failing.calls()).toBe(IN_A_ROW + 1)
})

test('when all circuits are open the client gets the shortest cooldown', async () => {
  for (const after of ['40', '20', '30']) await served(refuses(429, { 'retry-after': after }))
  await calls(1, 429)
  expect((await ann.chat()).headers.get('retry-after')).toBe('20')
})

test('another channel serves while one observes its Retry-After', async () => {
  const tired = await served(refuses(429, { 'retry-after': '40' }), { priority: 9 })
  const other = await served(chat())
  await calls(3)
  expect([tired.calls(), other.calls()]).toEqual([1, 3])
})

test('an endless Retry-After and a clock set back end the cooldown in time', async () => {
  const tired = await served(refuses(429, { 'retry-after': '999999' }))
  await calls(1, 429)
  expect((await channelNow(tired.id)).model_cooldowns[0].seconds).toBe(600)
  tired.scripts(chat())
  wait(-3600)
  await calls(1)
  expect(tired.calls()).toBe(2)
  wait(3600)
})
