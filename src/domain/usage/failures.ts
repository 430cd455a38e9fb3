/** Failed attempts per hour, as the usage log names them whether it is on or not: counted in memory and written behind. */
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { WriteBehind } from '../../cluster/write-behind.ts'
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { HOUR_SECONDS, markLate } from './roll-up.ts'
import { type HourKey, keyColumns, orderOf } from './service.ts'
import type { Span } from './spans.ts'
import { failureHours, usageHours } from './table.ts'

type FailureScope = 'site' | 'user' | 'channel'
type FailureHour = typeof failureHours.$inferInsert

const SITE_ID = 0

const buffer = new WriteBehind<string, FailureHour>('failures', entries => write([...entries.values()]))

/** A failed attempt of a user's call at a channel. */
export type FailedAttempt = Omit<HourKey, 'hour'>

export function countFailure(attempt: FailedAttempt) {
  const { user_id, channel_id } = attempt
  const hour = now() - (now() % HOUR_SECONDS)
  countInUsage({ ...attempt, hour })
  add('site', SITE_ID, hour)
  add('user', user_id, hour)
  add('channel', channel_id, hour)
}

function add(scope: FailureScope, owner_id: number, hour: number) {
  const key = `${scope} ${owner_id} ${hour}`
  const row = buffer.get(key) ?? { scope, owner_id, hour, failed: 0 }
  row.failed++
  buffer.set(key, row)
}

const keyOf = ({ scope, owner_id, hour }: FailureHour) => `${scope} ${owner_id} ${hour}`

type FailedUsage = HourKey & { failed: number }

/** Failures beside the calls of their hour: by the same columns, but apart from the bills. */
const usageBuffer = new WriteBehind<string, FailedUsage>('failed-usage', entries => writeUsage(entries))

function countInUsage(hour: HourKey) {
  const key = orderOf(hour)
  const row = usageBuffer.get(key) ?? { ...hour, failed: 0 }
  row.failed++
  usageBuffer.set(key, row)
}

const writeUsage = (entries: Map<string, FailedUsage>) =>
  atomic(function* (tx) {
    const rows = [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    yield* run(addFailed(tx, rows))
    yield* markLate(tx, rows)
  })

const addFailed = bulkInsert([...keyColumns, 'failed'], (db, rows) =>
  db
    .insert(usageHours)
    .values(rows)
    .onConflictDoUpdate({
      target: keyColumns.map(name => usageHours[name]),
      set: { failed: sql`${usageHours.failed} + excluded.failed` },
    }),
)

/** In one order on every node, so that their locks cannot meet. */
const write = (rows: FailureHour[]) =>
  atomic(tx =>
    run(
      tx
        .insert(failureHours)
        .values(rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)))
        .onConflictDoUpdate({
          target: [failureHours.scope, failureHours.owner_id, failureHours.hour],
          set: { failed: sql`${failureHours.failed} + excluded.failed` },
        }),
    ),
  )

/** Failed attempts of the site, of a user or of a channel, by hour. */
export function failuresByHour(
  { user_id, channel }: { user_id?: number; channel?: number },
  range: Span,
): Promise<{ hour: number; failed: number }[]> {
  const ofSite = channel === undefined ? ofOwners('site', [SITE_ID], range) : ofOwners('channel', [channel], range)
  const of = user_id === undefined ? ofSite : ofOwners('user', [user_id], range)
  const { hour, failed } = failureHours
  return db.select({ hour, failed }).from(failureHours).where(of).orderBy(hour)
}

const ofOwners = (scope: FailureScope, ids: number[], { from, until }: Span) =>
  and(
    eq(failureHours.scope, scope),
    inArray(failureHours.owner_id, ids),
    gte(failureHours.hour, from),
    lt(failureHours.hour, until),
  )
