// @engine postgres
// @waits
/**
 * The main faults of many machines in one file: two nodes, PostgreSQL behind a proxy, Redis, calls at random nodes all the
 * while. After each fault the invariants hold, and each whole answer has its bill. The long tier has each at length.
 */
import { afterAll, expect, test } from 'bun:test'
import { newInstallation, signInAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { newFolder } from '../support/app/server.ts'
import { Balancer } from '../support/cluster/balancer.ts'
import { checkWithoutLogs, watchBalances } from '../support/cluster/invariants.ts'
import { inRedis } from '../support/cluster/limited-nodes.ts'
import { NumberedCalls } from '../support/cluster/numbered-calls.ts'
import { OVERDUE } from '../support/cluster/overdue.ts'
import { BILLS_REPLY, INSERT_REPLY, TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { startRedis } from '../support/redis/server.ts'
import { until } from '../support/until.ts'

const CALLERS = 8
/** From an answer to the next call: without it the calls take all of the processor, however long a fault lasts. */
const PAUSE_MS = 50
/** Calls before and after a fault. */
const CALLS = 40
const LOST = 10
const KEY = 'the key of one installation'

const redis = await startRedis()
afterAll(redis.stop)
const place = await newInstallation()
const proxy = await TcpProxy.before(place.env.DATABASE_URL!)
const start = () =>
  startAt({
    folder: newFolder(),
    env: { DATABASE_URL: proxy.through(), REDIS_URL: redis.url, SECRET_KEY: KEY, OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
const first = await start()
const calls = await NumberedCalls.at(place, first.url)
const balancer = new Balancer([first, await start()])
const nodesNow = () => balancer.nodes as Awaited<ReturnType<typeof start>>[]
await inRedis(nodesNow())

const more = (count: number) => {
  const goal = calls.whole.size + count
  return until(() => calls.whole.size >= goal, `${count} whole answers`)
}

/** A fault amid calls. @param allowed statuses of calls beside 200; 0 for a broken connection */
async function amidCalls(allowed: number[], fault: () => Promise<unknown>) {
  const before = calls.statuses.length
  const least = watchBalances(place)
  const stop = calls.start(CALLERS, () => balancer.next(), PAUSE_MS)
  await more(CALLS)
  await fault()
  await more(CALLS)
  await stop()
  const others = calls.statuses.slice(before).filter(status => status !== undefined && status !== 200)
  expect([...new Set(others)].filter(status => !allowed.includes(status))).toEqual([])
  await calls.check()
  expect(await least()).toBe(0)
}

test('a key that one node deletes is refused by the other, amid calls', () =>
  amidCalls([], async () => {
    const { headers } = await signInAt(first)
    const at = (url: string, path: string, init: RequestInit = {}) => fetch(url + path, { headers, ...init })
    const make = { method: 'POST', body: JSON.stringify({ name: 'short', unlimited_quota: true }) }
    const { data } = (await (await at(first.url, '/api/token/', make)).json()) as { data: { id: number; key: string } }
    const other = nodesNow()[1]!.url
    const isKnown = async () =>
      (await fetch(`${other}/v1/models`, { headers: { authorization: `Bearer sk-${data.key}` } })).status === 200
    await until(isKnown, 'the key is known')
    await at(first.url, `/api/token/${data.id}`, { method: 'DELETE' })
    await until(async () => !(await isKnown()), 'the key is refused')
  }))

test('a Redis that is emptied, stopped and started amid calls costs none', () =>
  amidCalls([], async () => {
    await redis.stop()
    await more(CALLS)
    await redis.start()
    await inRedis(nodesNow(), 2)
  }))

test('connections to PostgreSQL that break amid calls lose no bill and double none', () =>
  amidCalls([503], async () => {
    for (let cut = 0; cut < 3; cut++) {
      proxy.cut()
      await more(CALLERS)
    }
  }))

test(`${LOST} replies to commits that are lost amid calls leave no hold and bill no call twice`, () =>
  amidCalls([503], async () => {
    for (let lost = proxy.lost; lost < LOST; lost++) {
      proxy.loseReplies(lost % 2 ? INSERT_REPLY : BILLS_REPLY)
      await until(() => proxy.lost > lost, 'a lost reply')
    }
  }))

test('a node that is killed amid calls leaves no hold, and another joins', () =>
  amidCalls([0], async () => {
    const [dead, other] = nodesNow() as [typeof first, typeof first]
    balancer.nodes = [other]
    await dead.stop('SIGKILL')
    // As if 20 seconds had passed. The living one signs again.
    await place.change(OVERDUE)
    await until(async () => (await place.read('select id from nodes')).length === 1, 'the dead node is gone')
    balancer.nodes = [other, await start()]
  }))

test('a node with another secret key is refused', async () => {
  const env = { ...place.env, SECRET_KEY: 'the key of another installation' }
  expect(await startupErrorOf(['serve'], { folder: newFolder(), env })).toContain('another secret key')
})

test('without the usage log balances, keys, channels and the ledger are as before', async () => {
  const [node] = nodesNow()
  await checkWithoutLogs(place, node!.url, await signInAt(node!))
})
