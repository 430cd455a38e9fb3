// @engine postgres
// @waits
/**
 * Two nodes whose clocks are five minutes before and five behind: both warn and go by the database, and what one hands out
 * the other takes. one-time-secrets has second factors, mailed codes and login providers, scheduled-work the leases.
 */
import { afterEach, expect, test } from 'bun:test'
import { signInAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import { setOption } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import {
  callAt,
  callMany,
  inRedis,
  limitedCaller,
  limitedNodes,
  perTenMinutes,
} from '../support/cluster/limited-nodes.ts'
import { OFFSET_MS, startShifted } from '../support/cluster/shifted-clock.ts'
import { mailSink } from '../support/mail/sink.ts'
import { send, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'

const LIMIT = 50
/** A pause, the interval of the job, and its lease where a dead node has it: a clock that is wrong would add ten minutes. */
const MAIL_SECONDS = 30 + 30 + 25
/** An offset is measured by an answer of the database, on a machine with other work. */
const OFFSET_ERROR_MS = 2000

const sink = await mailSink()
const site = await limitedNodes({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
for (const [key, value] of Object.entries(sink.settingsOfSite())) await setOption(site.first.url, key, value)
const nodes = [await startShifted(OFFSET_MS, site.settings), await startShifted(-OFFSET_MS, site.settings)] as [
  Server,
  Server,
]
await inRedis(nodes)
await Promise.all([site.first.stop(), site.second.stop()])
afterEach(() => checkInvariants(site.place))
const ways = [
  ['before', 'behind', nodes[0], nodes[1]],
  ['behind', 'before', nodes[1], nodes[0]],
] as const

test('both nodes warn of their clocks, and their offsets are in their rows', async () => {
  const warning = /this machine's clock differs from the database's/
  await until(() => nodes.every(node => warning.test(node.output())), 'the warnings')
  const rows = (await site.place.read('select clock_offset_ms from nodes order by clock_offset_ms')) as any[]
  const offsets = rows.map(row => Number(row.clock_offset_ms))
  expect(Math.abs(offsets[0]! + OFFSET_MS)).toBeLessThan(OFFSET_ERROR_MS)
  expect(Math.abs(offsets.at(-1)! - OFFSET_MS)).toBeLessThan(OFFSET_ERROR_MS)
})

test('bills of both nodes have the time of the database', async () => {
  const one = await limitedCaller({ ...site, first: nodes[0], root: await signInAt(nodes[0]) }, 'timed', {})
  const start = Date.now()
  for (const node of nodes) expect(await callAt(node.url, one)).toBe(200)
  const bills = () =>
    site.place.read(`select created_at from logs where type = 2 and user_id = ${one.id}`) as Promise<
      { created_at: unknown }[]
    >
  await until(async () => (await bills()).length === nodes.length, 'both bills')
  const times = (await bills()).map(row => Number(row.created_at) * 1000)
  expect(times.filter(ms => ms < start - 3000 || ms > Date.now() + 3000)).toEqual([])
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

test('a mail that a dead node could not send leaves by the other when it is due', async () => {
  sink.reject({ at: 'message', code: 451, text: 'try again later' })
  const { success } = await (await fetch(`${nodes[0].url}/api/verification?email=late@example.com`)).json()
  expect(success).toBe(true)
  await until(async () => {
    const [mail] = (await site.place.read('select tries, next_time from mails')) as Record<string, unknown>[]
    // A pause, not a claim.
    return Number(mail?.tries) === 1 && Number(mail!.next_time) * 1000 < Date.now() + 60_000
  }, 'the first attempt has failed')
  await nodes[0].stop('SIGKILL')
  const start = performance.now()
  await sink.next('late@example.com')
  expect((performance.now() - start) / 1000).toBeLessThan(MAIL_SECONDS)
})
