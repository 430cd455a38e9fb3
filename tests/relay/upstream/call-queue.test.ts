/** The queue of calls whose channels are all at their limits. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { callQueue } from '../../../src/domain/routing/limits/call-queue.ts'
import { holdClock, shiftClock, skipTime } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, gate, refuses } from '../../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'
import { fairness, slidingMaker } from '../../support/upstream/sliding-maker.ts'

const limited = (setting: object, fields: object = {}) => ({ setting: JSON.stringify(setting), ...fields })

beforeEach(async () => {
  holdClock(true)
  shiftClock(100)
  await deleteChannels()
})
afterEach(async () => {
  holdClock(false)
  for (const [name, value] of Object.entries({ QueueTimeout: 10, QueueLength: 200, QueueWeights: '{}', RetryTimes: 0 }))
    await setOption(name as 'QueueTimeout', value as number)
})

const statusesOf = async (calls: Promise<Response>[]) => {
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  return { ok: statuses.filter(status => status === 200).length, limited: statuses.filter(one => one === 429).length }
}

test('calls above the concurrent calls of a channel wait and are all served', async () => {
  const maker = slidingMaker({ concurrency: 2, ms: 20 })
  await served(maker.script, limited({ concurrency: 2 }))
  const ann = await client()
  expect(await statusesOf(Array.from({ length: 12 }, () => ann.chat()))).toEqual({ ok: 12, limited: 0 })
  expect([maker.refused, maker.most]).toEqual([0, 2])
})

test('a client that leaves leaves the queue at once, and its turn goes to the next', async () => {
  const { script, open } = gate()
  const { calls } = await served(script, limited({ concurrency: 1 }))
  const ann = await client()
  const running = await ann.stream()
  const leaving = new AbortController()
  const left = ann.chat({}, { signal: leaving.signal }).catch(() => 'left')
  await until(() => callQueue.size === 1, 'a call in the queue')
  leaving.abort()
  expect(await left).toBe('left')
  await until(() => callQueue.size === 0, 'an empty queue')
  open()
  await running.text()
  expect(calls()).toBe(1)
  expect(await ann.balance()).toBeGreaterThan(0)
})

test('a call is refused after its time in the queue, and a longer queue than allowed at once', async () => {
  await setOption('QueueTimeout', 1)
  await setOption('QueueLength', 1)
  const { script, open } = gate()
  await served(script, limited({ concurrency: 1 }))
  const ann = await client()
  const running = await ann.stream()
  const waiting = ann.chat()
  await until(() => callQueue.size === 1, 'a call in the queue')
  expect(await errorOf(await ann.chat())).toMatchObject({ status: 429, code: 'queue_full' })
  const refused = await waiting
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'channels_full' })
  open()
  await running.text()
})

test('a full queue: a user with fewer waiting calls takes a place of the one with the most, an equal one takes none', async () => {
  await setOption('QueueLength', 2)
  const { script, open } = gate()
  const { scripts } = await served(script, limited({ concurrency: 1 }))
  const [ann, bea, cai] = [await client(), await client(), await client()]
  const running = await ann.stream()
  const first = ann.chat()
  await until(() => callQueue.size === 1, 'a call in the queue')
  const last = ann.chat()
  await until(() => callQueue.size === 2, 'a full queue')
  const other = bea.chat()
  expect(await errorOf(await last)).toMatchObject({ status: 429, code: 'queue_full' })
  expect(await errorOf(await cai.chat())).toMatchObject({ status: 429, code: 'queue_full' })
  scripts(chat())
  open()
  await running.text()
  expect([(await first).status, (await other).status]).toEqual([200, 200])
})

test("a maker's limit is waited for where the channel has limits, and another failure is not", async () => {
  await setOption('RetryTimes', 1)
  const { scripts, calls } = await served(refuses(429, { 'retry-after': '2' }), limited({ rpm: 1000 }))
  const ann = await client()
  const waiting = ann.chat()
  await until(() => callQueue.size === 1, 'a call in the queue')
  scripts(chat())
  shiftClock(3)
  expect([(await waiting).status, calls()]).toEqual([200, 2])
  scripts(refuses(503, { 'retry-after': '2' }))
  expect([(await ann.chat()).status, callQueue.size]).toEqual([503, 0])
})

test('a call waits for the channel that has room first', async () => {
  await setOption('RetryTimes', 1)
  const full = await served(chat(), limited({ rpm: 1 }, { priority: 10 }))
  const ann = await client()
  expect((await ann.chat()).status).toBe(200)
  const soon = await served(refuses(429, { 'retry-after': '2' }), limited({ rpm: 1000 }))
  const waiting = ann.chat()
  await until(() => callQueue.size === 1, 'a call in the queue')
  soon.scripts(chat())
  shiftClock(3)
  expect([(await waiting).status, full.calls(), soon.calls()]).toEqual([200, 1, 2])
})

test('a call that waits twice has the time of the queue for both', async () => {
  await setOption('RetryTimes', 5)
  const { calls } = await served(refuses(429, { 'retry-after': '6' }), limited({ rpm: 1000 }))
  let status: number | undefined
  const waiting = (await client()).chat().then(response => {
    status = response.status
  })
  for (const asked of [1, 2]) {
    const waits = () => calls() === asked && callQueue.size === 1
    await until(() => waits() || status !== undefined, 'a call in the queue, or refused')
    shiftClock(7)
    skipTime(7)
  }
  await waiting
  expect([status, calls()]).toEqual([429, 2])
})

test('20 users with unequal demand get the same shares, and no maker is overrun', async () => {
  await setOption('QueueTimeout', 60)
  const maker = slidingMaker({ concurrency: 3, ms: 5 })
  await served(maker.script, limited({ concurrency: 3 }))
  const users = await Promise.all(Array.from({ length: 20 }, () => client()))
  // From 3 calls at a time to 22.
  const demands = users.map((user, index) => ({ user, name: `user ${index}`, at_once: index + 3 }))
  const statuses: number[] = []
  /** Of the user with the fewest calls: how many were served while each of them waited. */
  const overtaken: number[] = []
  let isOver = false
  const callOn = async (user: (typeof users)[number], name: string) => {
    while (!isOver) {
      const before = maker.served.length
      statuses.push((await user.chat({ user: name })).status)
      if (user === users[0]) overtaken.push(maker.served.length - before)
    }
  }
  await setOption('QueueLength', 1000)
  const calls = demands.flatMap(({ user, name, at_once }) => Array.from({ length: at_once }, () => callOn(user, name)))
  await until(() => maker.served.length >= 300, 'calls that are served')
  isOver = true
  const counted = maker.served.slice(60, 300)
  await Promise.all(calls)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([maker.refused, maker.most]).toEqual([0, 3])
  expect(fairness(demands.map(({ name }) => counted.filter(one => one === name).length))).toBeGreaterThanOrEqual(0.95)
  // Three rounds of 20 users, and one that runs.
  expect(Math.max(...overtaken)).toBeLessThanOrEqual(80)
})

test('a group of weight 3 gets three turns for each of the others', async () => {
  await setOption('QueueTimeout', 60)
  await setOption('QueueWeights', JSON.stringify({ vip: 3 }))
  const maker = slidingMaker({ concurrency: 1, ms: 2 })
  await served(maker.script, limited({ concurrency: 1 }, { group: 'default,vip' }))
  const [usual, vip] = [await client(), await client({ group: 'vip' })]
  await Promise.all(
    [usual, vip].flatMap((user, index) => Array.from({ length: 40 }, () => user.chat({ user: String(index) }))),
  )
  const counted = maker.served.slice(8, 48)
  expect(counted.filter(user => user === '1').length).toBeWithin(26, 34)
})

test('makers with limits of requests and tokens refuse nothing while the clock moves on', async () => {
  await setOption('QueueTimeout', 120)
  const makers = [slidingMaker({ rpm: 10 }), slidingMaker({ tpm: 2000 })]
  await served(makers[0]!.script, limited({ rpm: 10 }))
  await served(makers[1]!.script, limited({ tpm: 2000 }))
  const ann = await client()
  let ended = 0
  const calls = Array.from({ length: 60 }, async () => {
    const response = await ann.chat({ max_tokens: 150 })
    ended++
    return response
  })
  const done = statusesOf(calls)
  for (let second = 0; second < 300 && ended < 60; second++) {
    // A second passes while no request is on its way.
    await until(() => ended + callQueue.size === 60, 'calls that end or wait')
    shiftClock(1)
    await Bun.sleep(10)
  }
  expect(await done).toEqual({ ok: 60, limited: 0 })
  expect(makers.map(({ refused }) => refused)).toEqual([0, 0])
})
