// @engine postgres
// @waits
/** Limits of two nodes while Redis is slow, full, read-only, silent or under another password, and when a node dies or has another clock. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { Redis } from 'ioredis'
import { setOption } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import {
  callAt,
  callMany,
  inRedis,
  type LimitedCaller,
  limitedCaller,
  limitedNodes,
  MODEL,
  perTenMinutes,
} from '../support/cluster/limited-nodes.ts'
import { TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'

let proxy!: TcpProxy
const site = await limitedNodes({
  redisUrl: async url => {
    proxy = await TcpProxy.before(url)
    return proxy.through()
  },
})
const { balancer, redis, nodes, first, second, upstream } = site
const client = new Redis(redis.url).on('error', () => {})
afterAll(() => client.disconnect())
afterEach(() => checkInvariants(site.place))

const LIMIT = 60
const at = (one: LimitedCaller) => () => callAt(balancer.next(), one)

/** Waits for ever until it is opened, at the upstream. */
function gated() {
  const opened = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await opened.promise
    return chat()(call, answer)
  })
  return opened.resolve
}

const faults: [string, () => unknown, () => unknown][] = [
  ['slow by 2 s', () => (proxy.delay_ms = 2000), () => proxy.heal()],
  ['silent', () => proxy.silence(), () => proxy.heal()],
  ['refusing connections', () => proxy.refuse(), () => proxy.heal()],
  ['full', () => client.config('SET', 'maxmemory', '1'), () => client.config('SET', 'maxmemory', '0')],
  ['a replica', () => client.replicaof('127.0.0.1', '1'), () => client.replicaof('NO', 'ONE')],
  [
    'under another password',
    async () => {
      await client.config('SET', 'requirepass', 'another')
      proxy.cut()
    },
    () => client.config('SET', 'requirepass', ''),
  ],
  ['emptied', () => client.flushall(), () => undefined],
]

const timesOf = (line: RegExp) => nodes.map(node => node.output().match(line)?.length ?? 0)
const isMore = (before: number[], after: number[]) => after.every((count, index) => count > before[index]!)

test.each(faults)('a Redis that is %s costs no call and opens no window', async (name, begin, end) => {
  const back = timesOf(/limits are kept in Redis/g)
  const gone = timesOf(/limits are kept without Redis/g)
  const label = name.replaceAll(/\W/g, '')
  const used = await limitedCaller(site, `used${label}`, perTenMinutes(LIMIT))
  const unused = await limitedCaller(site, `unused${label}`, perTenMinutes(LIMIT))
  const before = await callMany(at(used), LIMIT - 10)
  expect(before).toEqual({ 200: LIMIT - 10 })
  await begin()
  const during = [await callMany(at(used), 100)]
  await until(() => isMore(gone, timesOf(/limits are kept without Redis/g)), 'limits without Redis')
  during.push(await callMany(at(unused), 150))
  await end()
  await until(() => isMore(back, timesOf(/limits are kept in Redis/g)), 'limits in Redis again')
  const after = [await callMany(at(used), 30), await callMany(at(unused), 30)]
  const statuses = [...during, ...after].flatMap(counts => Object.keys(counts))
  expect(new Set(statuses)).toEqual(new Set(['200', '429']))
  expect(LIMIT - 10 + (during[0]![200] ?? 0) + (after[0]![200] ?? 0)).toBeLessThanOrEqual(LIMIT)
  expect((during[1]![200] ?? 0) + (after[1]![200] ?? 0)).toBe(LIMIT)
})

test('a node whose clock is five minutes before counts in the same window', async () => {
  const late = await limitedNodes({
    command: [process.execPath, '--preload', './tests/support/cluster/late-clock.ts', 'src/main.ts'],
  })
  const one = await limitedCaller(late, 'late', { ...perTenMinutes(50), rate_limit_period: 120 })
  expect(await callMany(() => callAt(late.balancer.next(), one), 120)).toEqual({ 200: 50, 429: 70 })
})

test('the calls of a killed node leave their places within 20 seconds', async () => {
  await inRedis(nodes)
  await setOption(first.url, 'KeyConcurrencyLimit', 2)
  const one = await limitedCaller(site, 'killed', {})
  const open = gated()
  const lost = [callAt(second.url, one), callAt(second.url, one)].map(call => call.catch(() => 0))
  await until(async () => {
    const refused = await Promise.race([callAt(first.url, one), Bun.sleep(500)])
    return refused === 429
  }, 'both places are taken')
  await second.stop('SIGKILL')
  await Promise.all(lost)
  open()
  const start = performance.now()
  await until(async () => (await callAt(first.url, one)) === 200, 'a place')
  const seconds = (performance.now() - start) / 1000
  process.stdout.write(`places of a killed node are free after ${seconds.toFixed(1)} s\n`)
  expect(seconds).toBeLessThan(20)
})
