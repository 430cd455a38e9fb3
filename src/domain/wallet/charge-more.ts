/** What a task has taken beyond its charge: booked on that, so that the call stays one. */
import { eq, sql } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { TokenStatus } from '../../contracts/token.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { type BookedBill, changeBooked } from '../budgets/index.ts'
import { channels } from '../channels/table.ts'
import { tokens } from '../tokens/table.ts'
import { addToUsage, type QuotaOfHour } from '../usage/index.ts'
import { users } from '../users/table.ts'

/** The balance may fall below zero: the work is done. In the order in which bills lock their rows. */
export function* chargeMore(tx: Tx, usage: QuotaOfHour & Pick<BookedBill, 'began' | 'key_hash'>) {
  const { user_id, token_id, channel_id, quota } = usage
  yield* run(
    tx
      .update(users)
      .set({ quota: sql`${users.quota} - ${quota}`, used_quota: sql`${users.used_quota} + ${quota}` })
      .where(eq(users.id, user_id)),
  )
  yield* takeFromToken(tx, token_id, quota)
  yield* run(
    tx
      .update(channels)
      .set({ used_quota: sql`${channels.used_quota} + ${quota}` })
      .where(eq(channels.id, channel_id)),
  )
  yield* addToUsage(tx, usage)
  yield* changeBooked(tx, usage, quota)
}

function* takeFromToken(tx: Tx, id: number, quota: number) {
  const limited = sql`not ${tokens.unlimited_quota}`
  const left = sql`${tokens.remain_quota} - ${quota}`
  const runsOut = sql`${limited} and ${tokens.status} = ${TokenStatus.enabled} and ${left} <= 0`
  const [token] = yield* run(
    tx
      .update(tokens)
      .set({
        used_quota: sql`${tokens.used_quota} + ${quota}`,
        remain_quota: sql`case when ${limited} then ${left} else ${tokens.remain_quota} end`,
        status: sql`case when ${runsOut} then ${TokenStatus.exhausted} else ${tokens.status} end`,
      })
      .where(eq(tokens.id, id))
      .returning({ id: tokens.id }),
  )
  if (token) yield* announce(tx, 'token', [id])
}
