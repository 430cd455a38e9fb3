/** Days on which users of new-api have checked in: none is rewarded twice. */
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { checkIns } from '../rewards/table.ts'
import { users } from '../users/table.ts'
import { carryAll, type Entry } from './carry.ts'
import type { Move } from './move.ts'
import { text, whole } from './row.ts'

type CheckInRow = typeof checkIns.$inferInsert & { id?: number }

export const moveCheckIns = (move: Move) =>
  carryAll<CheckInRow>(move, {
    noun: 'check_in',
    batches: move.from.read('checkins', ['user_id', 'checkin_date', 'created_at']),
    read: rows => rows.flatMap(row => entryOf(move, row) ?? []),
    *write(tx, entries) {
      const rows = entries.map(({ row: { id: _, ...row } }) => row)
      yield* run(tx.insert(checkIns).values(rows).onConflictDoNothing())
      for (const [user_id, day] of lastDays(rows)) {
        const isLater = or(isNull(users.last_check_in_day), lt(users.last_check_in_day, day))
        yield* run(
          tx
            .update(users)
            .set({ last_check_in_day: day })
            .where(and(eq(users.id, user_id), isLater)),
        )
      }
      return entries.map(({ source_id }) => source_id)
    },
  })

const DAY = /^\d{4}-\d\d-\d\d$/

/** The reward is part of the balance: here it is none. */
function entryOf(move: Move, row: ForeignRow): Entry<CheckInRow> | undefined {
  const owner = whole(row.user_id)
  const user_id = move.ids.user.get(owner)
  const day = text(row.checkin_date)
  if (user_id === undefined || move.deletedUsers.has(owner) || !DAY.test(day)) return
  return { source_id: whole(row.id), row: { user_id, day, quota: 0, created_time: whole(row.created_at) || now() } }
}

function lastDays(rows: CheckInRow[]): Map<number, string> {
  const last = new Map<number, string>()
  for (const { user_id, day } of rows) if (day > (last.get(user_id) ?? '')) last.set(user_id, day)
  return last
}
