// @engine postgres
/** Two nodes with one Redis allow what one node allows: keys, users, addresses, sign-ins; also while Redis is gone or empty. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { Redis } from 'ioredis'
import { apiRoutes } from '../../src/relay/endpoints/table.ts'
import { setOption } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import {
  callAt,
  callMany,
  inRedis,
  limitedCaller,
  limitedNodes,
  limitUsers,
  MODEL,
  perTenMinutes,
} from '../support/cluster/limited-nodes.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'

const site = await limitedNodes({ env: { CRITICAL_RATE_LIMIT: '12', TRUSTED_PROXIES: '127.0.0.1' } })
const { balancer, redis, nodes, first, second, upstream } = site
afterEach(() => checkInvariants(site.place))
const client = new Redis(redis.url).on('error', () => {})
afterAll(() => client.disconnect())

const pathOf = (path: string) =>
  path === '/jimeng/' ? `${path}?Action=CVSync2AsyncSubmitTask` : path.replace(/[:*]\w*/, MODEL)

test('a limit of a key holds over both nodes, for each path of calls', async () => {
  const one = await limitedCaller(site, 'keyed', perTenMinutes(100))
  const statuses = await callMany(() => callAt(balancer.next(), one), 220)
  expect(statuses).toEqual({ 200: 100, 429: 120 })
  const paths = apiRoutes.filter(({ method, operation }) => method === 'POST' && operation).map(({ path }) => path)
  const all = [...paths, '/mj/submit/imagine', '/suno/submit/music', '/v1/videos']
  const refused = await Promise.all(all.map(path => callAt(balancer.next(), one, pathOf(path))))
  expect(Object.fromEntries(all.map((path, index) => [path, refused[index]]))).toEqual(
    Object.fromEntries(all.map(path => [path, 429])),
  )
})

test('successful calls and calls at the same time are counted over both nodes', async () => {
  const one = await limitedCaller(site, 'successful', perTenMinutes(0, 20))
  expect(await callMany(() => callAt(balancer.next(), one), 60)).toEqual({ 200: 20, 429: 40 })

  const crowd = await limitedCaller(site, 'crowd', { concurrency_limit: 4 })
  const opened = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await opened.promise
    return chat()(call, answer)
  })
  const calls = Array.from({ length: 12 }, (_, index) => callAt(nodes[index % 2]!.url, crowd))
  const refused: number[] = []
  for (const call of calls) void call.then(status => refused.push(status))
  await until(() => refused.length === 8, '8 calls are refused')
  opened.resolve()
  expect((await Promise.all(calls)).filter(status => status === 200)).toHaveLength(4)
  await until(async () => (await callAt(second.url, crowd)) === 200, 'ended calls leave their places')
})

test('tokens per minute of a key are counted over both nodes', async () => {
  await setOption(first.url, 'KeyTokensPerMinute', 1000)
  const one = await limitedCaller(site, 'tokens', {})
  const opened = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await opened.promise
    return chat()(call, answer)
  })
  const statuses: number[] = []
  const calls = Array.from({ length: 60 }, async (_, index) => {
    statuses.push(await callAt(nodes[index % 2]!.url, one))
  })
  // Each holds 50 tokens of output and some of its prompt.
  await until(() => statuses.length >= 40, 'calls are refused')
  await Bun.sleep(100)
  opened.resolve()
  await Promise.all(calls)
  const passed = statuses.filter(status => status === 200).length
  expect(passed).toBeWithin(15, 20)
  expect(statuses.filter(status => status === 429)).toHaveLength(60 - passed)
  upstream.scripts(MODEL, chat())
  await setOption(first.url, 'KeyTokensPerMinute', 0)
})

test('a limit of a user holds over both nodes and for the playground', async () => {
  const one = await limitedCaller(site, 'limited', {})
  await limitUsers(site, 30)
  await until(async () => (await fetch(`${second.url}/api/status`)).ok)
  const played = () =>
    fetch(`${balancer.next()}/pg/chat/completions`, {
      method: 'POST',
      headers: site.root.headers,
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
    }).then(({ status }) => status)
  expect(await callMany(() => callAt(balancer.next(), one), 50)).toEqual({ 200: 30, 429: 20 })
  expect(await callMany(played, 50)).toEqual({ 200: 30, 429: 20 })
  await setOption(first.url, 'ModelRequestRateLimitEnabled', false)
})

const signIn = (address: string, username: string, password = 'not this') =>
  balancer
    .fetch('/api/user/login', {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: JSON.stringify({ username, password }),
    })
    .then(({ status }) => status)

test('an address and an account have their tries over both nodes', async () => {
  expect(await callMany(() => signIn('198.51.100.1', 'root'), 20, 1)).toEqual({ 200: 10, 429: 10 })
  let name = 0
  expect(await callMany(() => signIn('198.51.100.2', `other${name++}`), 20, 1)).toEqual({ 200: 12, 429: 8 })
})

test('a session has its tries of mailed codes over both nodes', async () => {
  const bind = () =>
    balancer
      .fetch('/api/oauth/email/bind?email=a%40b.example&code=123456', {
        headers: { ...site.root.headers, 'x-forwarded-for': '198.51.100.3' },
      })
      .then(({ status }) => status)
  expect(await callMany(bind, 12, 1)).toEqual({ 200: 10, 429: 2 })
})

test('a call takes three commands of Redis at most', async () => {
  const one = await limitedCaller(site, 'counted', perTenMinutes(1000, 1000))
  const sent = async () => {
    const stats = await client.info('commandstats')
    const calls = ['eval', 'evalsha', 'publish'].map(
      name => new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1],
    )
    return calls.reduce((sum, text) => sum + Number(text ?? 0), 0)
  }
  const before = await sent()
  await callMany(() => callAt(balancer.next(), one), 100)
  // Both nodes look for Redis each second.
  expect((await sent()) - before).toBeLessThan(300)
})

test('an emptied Redis opens no window', async () => {
  const one = await limitedCaller(site, 'flushed', perTenMinutes(60))
  const before = await callMany(() => callAt(balancer.next(), one), 50)
  await client.flushall()
  const after = await callMany(() => callAt(balancer.next(), one), 100)
  expect(before).toEqual({ 200: 50 })
  expect(after[200] ?? 0).toBeLessThanOrEqual(10)
  await inRedis(nodes, 2)
  expect((await callMany(() => callAt(balancer.next(), one), 60))[200] ?? 0).toBeLessThanOrEqual(10 - (after[200] ?? 0))
})

test('a stopped Redis costs no call, opens no window, and is used again', async () => {
  const one = await limitedCaller(site, 'stopped', perTenMinutes(60))
  const ready = await limitedCaller(site, 'unused', perTenMinutes(40))
  expect(await callMany(() => callAt(balancer.next(), one), 50)).toEqual({ 200: 50 })
  await redis.stop()
  const during = await callMany(() => callAt(balancer.next(), one), 100)
  expect(Object.keys(during).filter(status => status !== '200' && status !== '429')).toEqual([])
  expect(during[200] ?? 0).toBeLessThanOrEqual(10)
  expect(await callMany(() => callAt(balancer.next(), ready), 120)).toEqual({ 200: 40, 429: 80 })
  expect(await callMany(() => signIn('198.51.100.3', 'admin'), 30, 1)).toMatchObject({ 429: expect.any(Number) })
  for (const node of nodes) {
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
    expect(node.output().match(/limits are kept without Redis/g)).toHaveLength(2)
  }
  await redis.start()
  await inRedis(nodes, 3)
  expect(await callMany(() => callAt(balancer.next(), ready), 20)).toEqual({ 429: 20 })
})
