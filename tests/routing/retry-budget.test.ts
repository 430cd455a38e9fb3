/** The retry budget: how many second tries there are while calls fail. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { refuses } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

let ann: Client

beforeEach(async () => {
  holdClock(true)
  // Until there may be many second tries again.
  shiftClock(10)
  await deleteChannels()
  ann = await client()
})
afterEach(() => holdClock(false))

/** So many calls, twenty at a time. */
async function bursts(count: number) {
  for (let turn = 0; turn < count; turn += 20)
    await Promise.all(Array.from({ length: 20 }, async () => (await ann.chat()).text()))
}

test('retries stop while every channel fails', async () => {
  await setOption('RetryTimes', 10)
  const all = await Promise.all(Array.from({ length: 5 }, () => served(refuses(500))))
  const attempts = () => all.reduce((sum, { calls }) => sum + calls(), 0)
  await bursts(60)
  const before = attempts()
  await bursts(300)
  expect(attempts() - before).toBeLessThanOrEqual(360)
})

test('the retry budget limits retries without any cooldown', async () => {
  await setOption('RetryTimes', 10)
  const all = await Promise.all(Array.from({ length: 5 }, () => served(refuses(404))))
  const attempts = () => all.reduce((sum, { calls }) => sum + calls(), 0)
  await bursts(100)
  const before = attempts()
  await bursts(300)
  expect(attempts() - before).toBeWithin(300, 750)
  shiftClock(10)
  const seen = attempts()
  expect((await ann.chat()).status).toBe(404)
  expect(attempts() - seen).toBe(5)
})

test('a full retry budget has a hundred retries: the last whole one is taken, and a fraction is none', async () => {
  await setOption('RetryTimes', 10)
  const refuse = refuses(404)
  const allCalled = Promise.withResolvers<void>()
  let calls = 0
  // Ten calls begin while the budget is full, which none of them can fill further.
  const script: typeof refuse = async (call, answer) => {
    if (++calls === 10) allCalled.resolve()
    await allCalled.promise
    return refuse(call, answer)
  }
  await Promise.all(Array.from({ length: 11 }, () => served(script)))
  await Promise.all(Array.from({ length: 10 }, async () => (await ann.chat()).text()))
  expect(calls).toBe(10 + 100)
  await ann.chat()
  expect(calls).toBe(10 + 100 + 1)
})
