/** The refund of a charge: the balance, the token, the channel and the usage of its hour are as if it had not been made. */
import { and, eq, sql } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { TokenStatus } from '../../contracts/token.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { changeBooked } from '../budgets/index.ts'
import { channels } from '../channels/table.ts'
import { tokens } from '../tokens/table.ts'
import { type QuotaOfHour, takeBackUsage } from '../usage/index.ts'
import { users } from '../users/table.ts'
import { credit } from './credit.ts'

export interface Refund extends QuotaOfHour {
  /** Unix seconds at which the call began. */
  began?: number
  /** Of the key that served it, where that is known. */
  key_hash?: string
  /** Id of the task, or of the request of a call. */
  reference: string
  /** Administrator who gives it back; absent for the system. */
  actor_id?: number
  remark?: string
}

/**
 * Writes the ledger and takes back the counters, in the order in which bills lock their rows.
 * @returns the new balance
 * @throws Refusal `wallet.already_credited` for a reference that was refunded before
 */
export function* refund(tx: Tx, { reference, actor_id, remark, began, key_hash, ...usage }: Refund) {
  const { user_id, token_id, channel_id, quota } = usage
  const balance = yield* credit(tx, { user_id, kind: 'refund', delta: quota, reference, actor_id, remark })
  yield* run(
    tx
      .update(users)
      .set({ used_quota: sql`${users.used_quota} - ${quota}` })
      .where(eq(users.id, user_id)),
  )
  yield* giveBackToToken(tx, token_id, quota)
  yield* run(
    tx
      .update(channels)
      .set({ used_quota: sql`${channels.used_quota} - ${quota}` })
      .where(eq(channels.id, channel_id)),
  )
  yield* takeBackUsage(tx, usage)
  yield* changeBooked(tx, { ...usage, began, key_hash }, -quota)
  return balance
}

/** A token that the charge has exhausted can be used again. */
function* giveBackToToken(tx: Tx, id: number, quota: number) {
  const remain = sql`case when ${tokens.unlimited_quota} then ${tokens.remain_quota} else ${tokens.remain_quota} + ${quota} end`
  const isExhausted = and(eq(tokens.status, TokenStatus.exhausted), sql`${remain} > 0`)
  const [token] = yield* run(
    tx
      .update(tokens)
      .set({
        used_quota: sql`${tokens.used_quota} - ${quota}`,
        remain_quota: remain,
        status: sql`case when ${isExhausted} then ${TokenStatus.enabled} else ${tokens.status} end`,
      })
      .where(eq(tokens.id, id))
      .returning({ id: tokens.id }),
  )
  if (token) yield* announce(tx, 'token', [id])
}
