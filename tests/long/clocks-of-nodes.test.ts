// @engine postgres
// @waits
/** Two nodes whose clocks are a minute before and a minute behind: both warn, and what one hands out the other takes. */
import { expect, test } from 'bun:test'
import { signInAt, startAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import {
  callAt,
  callMany,
  inRedis,
  limitedCaller,
  limitedNodes,
  perTenMinutes,
} from '../support/cluster/limited-nodes.ts'
import { send, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const LIMIT = 50

const site = await limitedNodes()
const command = [process.execPath, '--preload', './tests/support/cluster/late-clock.ts', 'src/main.ts']
const shifted = (ms: number) =>
  startAt({ ...site.settings, env: { ...site.settings.env, CLOCK_SHIFT_MS: String(ms) } }, { command })
const nodes = [await shifted(MINUTE_MS), await shifted(-MINUTE_MS)] as [Server, Server]
await inRedis(nodes)
await Promise.all([site.first.stop(), site.second.stop()])
const ways = [
  ['before', 'behind', nodes[0], nodes[1]],
  ['behind', 'before', nodes[1], nodes[0]],
] as const

test('both nodes warn of their clocks, and their offsets are in their rows', async () => {
  const warning = /this machine's clock differs from the database's/
  await until(() => nodes.every(node => warning.test(node.output())), 'the warnings')
  const rows = (await site.place.read('select clock_offset_ms from nodes order by clock_offset_ms')) as any[]
  const offsets = rows.map(row => Math.round(Number(row.clock_offset_ms) / MINUTE_MS))
  expect([offsets[0], offsets.at(-1)]).toEqual([-1, 1])
})

test.each(ways)('a session of the node that is %s is that of the one that is %s', async (_, __, one, other) => {
  const session = await signInAt(one)
  expect((await send(other.url, session, '/api/user/self', { method: 'GET' })).success).toBe(true)
  const { data } = await sendWell(one.url, session, '/api/token/', { body: { name: 'key', unlimited_quota: true } })
  expect(await callAt(other.url, data)).toBe(200)
  await fetch(`${one.url}/api/user/logout`, { headers: session.headers })
  await until(async () => !(await send(other.url, session, '/api/user/self', { method: 'GET' })).success, 'its end')
})

test('windows of limits are those of Redis, whichever node counts', async () => {
  const root = await signInAt(nodes[0])
  const one = await limitedCaller({ ...site, first: nodes[0], root }, 'clocks', perTenMinutes(LIMIT))
  let turn = 0
  expect(await callMany(() => callAt(nodes[turn++ % 2]!.url, one), 2 * LIMIT)).toEqual({ 200: LIMIT, 429: LIMIT })
})
