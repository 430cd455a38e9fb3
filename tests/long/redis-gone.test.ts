// @engine postgres
// @waits
/** Two nodes under steady calls while Redis is emptied in a burst, and while it is gone for a minute. */
import { afterEach, expect, test } from 'bun:test'
import { Redis } from 'ioredis'
import { checkInvariants } from '../support/cluster/invariants.ts'
import {
  callAt,
  callMany,
  inRedis,
  limitedCaller,
  limitedNodes,
  perTenMinutes,
} from '../support/cluster/limited-nodes.ts'

const GONE_SECONDS = 60
const LIMIT = 200
const PAUSE_MS = 50
/** Of the burst. */
const AT_ONCE = 40

const site = await limitedNodes()
afterEach(() => checkInvariants(site.place))

/** Callers in turns at both nodes, until they are ended. @returns their statuses */
async function steady(name: string) {
  const one = await limitedCaller(site, name, perTenMinutes(LIMIT))
  const call = () => callAt(site.balancer.next(), one)
  const statuses: number[] = []
  let isOver = false
  const calling = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        statuses.push(await call())
        await Bun.sleep(PAUSE_MS)
      }
    }),
  )
  const end = async () => {
    isOver = true
    await calling
  }
  const served = () => statuses.filter(status => status === 200).length
  return { call, statuses, served, end }
}

test('a Redis that is emptied several times in a burst costs no call, and lets in no more than ran at once', async () => {
  const client = new Redis(site.redis.url)
  const one = await limitedCaller(site, 'burst', perTenMinutes(LIMIT))
  const burst = callMany(() => callAt(site.balancer.next(), one), 4 * LIMIT, AT_ONCE)
  for (let time = 0; time < 3; time++) {
    await Bun.sleep(60)
    await client.flushall()
  }
  const during = await burst
  client.disconnect()
  await inRedis(site.nodes, 2)
  const after = await callMany(() => callAt(site.balancer.next(), one), 2 * LIMIT)
  expect(Object.keys({ ...during, ...after }).sort()).toEqual(['200', '429'])
  // A node knows what the other had when Redis last answered it: what was let in since is beyond the limit.
  const served = during[200]! + (after[200] ?? 0)
  expect([served >= LIMIT, served <= LIMIT + AT_ONCE, served]).toEqual([true, true, served])
})

test(`a Redis that is gone for ${GONE_SECONDS} seconds under calls costs none, and counts none twice after it`, async () => {
  // One at its limit before, one whose calls are spread over the outage, one that begins after it.
  const full = await steady('full')
  await Bun.sleep(100)
  await site.redis.stop()
  const during = await steady('during')
  await Bun.sleep(GONE_SECONDS * 1000)
  await site.redis.start()
  await inRedis(site.nodes, 3)
  await Promise.all([full.end(), during.end()])
  for (const one of [full, during]) {
    const left = await callMany(one.call, LIMIT)
    expect([...new Set([...one.statuses, ...Object.keys(left).map(Number)])].sort()).toEqual([200, 429])
    // Neither too many over both nodes, nor too few for what was counted twice.
    expect(one.served() + (left[200] ?? 0)).toBe(LIMIT)
  }
  const fresh = await steady('fresh')
  expect(await callMany(fresh.call, 10)).toEqual({ 200: 10 })
  await fresh.end()
  for (const node of site.nodes) expect(node.output().match(/limits are kept without Redis/g)).toHaveLength(2)
})
