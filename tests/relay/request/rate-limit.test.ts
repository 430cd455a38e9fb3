/** Rate limits of tokens and users. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { holdClock, shiftClock } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { client, clientOf } from '../../support/people/client.ts'
import { afterText, errorOf, textArrives } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, closesAfter, hangsAfter } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
beforeAll(() => holdClock(true))
afterAll(() => holdClock(false))
afterEach(() => upstream.scripts('gpt-4o', chat()))

test("a token's calls and successful calls are limited in exact windows", async () => {
  const bob = await client({
    rate_limit_enabled: true,
    rate_limit_period: 60,
    rate_limit_count: 3,
    rate_limit_success: 0,
  })
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await bob.chat()).status))
  expect(statuses.sort()).toEqual([200, 200, 200, 429, 429])
  const refused = await bob.chat()
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'token_rate_limited' })
  shiftClock(61)
  expect((await bob.chat()).status).toBe(200)
  shiftClock(-61)
})

test('failed calls are no successes, running ones may become one', async () => {
  const bob = await client({ rate_limit_enabled: true, rate_limit_count: 0, rate_limit_success: 2 })
  for (let turn = 0; turn < 4; turn++) expect((await bob.chat({ model: 'nobody-serves-this' })).status).toBe(404)
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await bob.chat()).status))
  expect(statuses.filter(status => status === 200)).toHaveLength(2)
})

test('a client that disconnects early counts as a success', async () => {
  upstream.scripts('gpt-4o', hangsAfter(2))
  const bob = await client({ rate_limit_enabled: true, rate_limit_count: 0, rate_limit_success: 2 })
  for (let turn = 0; turn < 2; turn++) {
    const stream = await bob.stream()
    expect(stream.status).toBe(200)
    await stream.body!.cancel()
  }
  await until(async () => (await logsOf(bob.person)).length === 2)
  expect((await bob.stream()).status).toBe(429)
})

test('a stream that breaks off or is stopped is no success', async () => {
  const bob = await client({ rate_limit_enabled: true, rate_limit_count: 0, rate_limit_success: 1 })
  const settled = (count: number) => until(async () => (await logsOf(bob.person)).length === count)

  const { received, read } = afterText('two')
  upstream.scripts('gpt-4o', closesAfter(3, { received }))
  expect(await read(await bob.stream())).toMatchObject({ done: false, error: expect.anything() })
  await settled(1)

  upstream.scripts('gpt-4o', hangsAfter(3))
  const stopped = await bob.stream()
  expect(stopped.status).toBe(200)
  await textArrives(stopped, 'two')
  const [{ id }] = (await bob.person.get('/api/token/')).data
  const change = (status: number) => bob.person.put('/api/token/?status_only=true', { id, status })
  await change(2)
  await settled(2)
  await change(1)

  upstream.scripts('gpt-4o', chat())
  expect([(await bob.chat()).status, (await bob.chat()).status]).toEqual([200, 429])
})

test("a user's calls are limited across tokens, except in the exempt group", async () => {
  await setOption('ModelRequestRateLimitCount', 2)
  await setOption('ModelRequestRateLimitEnabled', true)
  const bob = await client()
  const again = await clientOf(bob.person)
  expect([(await bob.chat()).status, (await again.chat()).status]).toEqual([200, 200])
  const refused = await bob.chat()
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'user_rate_limited' })
  expect((await (await client()).chat()).status).toBe(200)
  await setOption('global.rate_limit_exempt_enabled', true)
  expect((await bob.chat()).status).toBe(429)
  await setOption('global.rate_limit_exempt_group', 'default')
  expect((await bob.chat()).status).toBe(200)
  await setOption('global.rate_limit_exempt_enabled', false)
  await setOption('ModelRequestRateLimitEnabled', false)
})
