// @engine both
/** Roll-ups of usage never drift from the hourly usage: late bills, races, clocks that are set back. */
import { beforeAll, expect, test } from 'bun:test'
import { usageOf } from '../../src/billing/usage.ts'
import { Role } from '../../src/contracts/account.ts'
import type { DataRow } from '../../src/contracts/dashboard.ts'
import { requestId } from '../../src/crypto/random-id.ts'
import { db } from '../../src/db/database.ts'
import { auditRollUps, rollUpUsage } from '../../src/domain/usage/index.ts'
import { rolledSpans, rollUps } from '../../src/domain/usage/table.ts'
import { reserve, settle } from '../../src/domain/wallet/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { spend } from '../support/people/usage-log.ts'
import { inTier } from '../support/tier.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const ROUNDS = inTier({ short: 20, long: 50 })

let root: Person
let ann: Person
/** A midnight of UTC. */
let start: number

beforeAll(async () => {
  holdClock(true)
  root = await setUp()
  ann = await visitor(Role.user, 1_000_000_000)
  start = now() - (now() % DAY)
})

const moveTo = (moment: number) => shiftClock(moment - now())

/** Quota of everyone from a moment on. */
async function spentSince(from: number): Promise<number> {
  const { data } = await root.get(`/api/data/?start_timestamp=${from}&end_timestamp=${from + 30 * DAY}`)
  return (data as DataRow[]).reduce((sum, row) => sum + row.quota, 0)
}

const freshSpans = async () => (await db.select().from(rolledSpans)).filter(span => !span.is_stale)

test('an hour is rolled up an hour after its end, a day with its last hour, each once', async () => {
  const from = start
  for (let hour = 0; hour < 24; hour++) await spend(ann, { quota: 100 + hour, at: from + hour * HOUR + 60 })
  moveTo(from + 12 * HOUR + 60)
  await rollUpUsage()
  expect((await freshSpans()).map(span => [span.span, span.start - from])).toEqual(
    Array.from({ length: 11 }, (_, hour) => [HOUR, hour * HOUR]),
  )
  moveTo(from + 25 * HOUR)
  await rollUpUsage()
  const spans = await freshSpans()
  expect([spans.filter(({ span }) => span === HOUR).length, spans.filter(({ span }) => span === DAY).length]).toEqual([
    24, 1,
  ])
  const rows = await db.select().from(rollUps)
  await rollUpUsage()
  expect((await db.select().from(rollUps)).length).toBe(rows.length)
  expect(await spentSince(from)).toBe(24 * 100 + (23 * 24) / 2)
  expect(await auditRollUps()).toBeUndefined()
})

test('a bill in an hour that is rolled up counts at once, and after the hour is rolled up again', async () => {
  const before = await spentSince(start)
  await spend(ann, { quota: 7, at: start + 5 * HOUR })
  moveTo(start + 26 * HOUR)
  expect(await spentSince(start)).toBe(before + 7)
  expect(await auditRollUps()).toBeUndefined()
  await rollUpUsage()
  expect([await spentSince(start), await auditRollUps()]).toEqual([before + 7, undefined])
  expect((await freshSpans()).filter(({ span }) => span === DAY).length).toBe(1)
})

test('a sum that was read before counts a late bill after its hour is rolled up again', async () => {
  const before = await spentSince(start)
  await spend(ann, { quota: 9, at: start + 5 * HOUR })
  moveTo(start + 26 * HOUR)
  await rollUpUsage()
  expect(await spentSince(start)).toBe(before + 9)
})

test('a wrong roll-up is found by the audit', async () => {
  await db.update(rollUps).set({ quota: 1 })
  expect(await auditRollUps()).toContain('roll-up of model gpt-4o, 3600 seconds from')
  await db.delete(rolledSpans)
  await db.delete(rollUps)
  await rollUpUsage()
  expect(await auditRollUps()).toBeUndefined()
})

test(`bills that race with the roll-up of their hour are all counted, ${ROUNDS} times`, async () => {
  const from = start + 2 * DAY
  let spent = 0
  for (let round = 0; round < ROUNDS; round++) {
    const hour = from + round * HOUR
    const reservations = await Promise.all(
      [1, 2, 3].map(quota =>
        reserve({ request_id: requestId(), user_id: ann.id, token_id: 0, unlimited: true, model: 'gpt-4o', quota }),
      ),
    )
    moveTo(hour)
    const bills = reservations.map(reservation =>
      settle(reservation, {
        quota: reservation.quota,
        usage: usageOf({ input: 1, output: 1 }),
        model: 'gpt-4o',
        group: 'default',
        channel_id: 0,
        log: undefined,
      }),
    )
    moveTo(hour + 2 * HOUR)
    await Promise.all([rollUpUsage(), ...bills, rollUpUsage()])
    spent += 6
    expect([round, await spentSince(from)]).toEqual([round, spent])
  }
  expect(await auditRollUps()).toBeUndefined()
  await rollUpUsage()
  expect([await spentSince(from), await auditRollUps()]).toEqual([spent, undefined])
})
