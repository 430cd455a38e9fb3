/** Administrators give back what a call has cost, whole or in parts, with a remark for the statement. */
import { and, asc, between, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { balanceText } from '../../billing/quota.ts'
import { announce } from '../../cluster/changes.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { CallRefund, CallRefunds } from '../../contracts/call-refund.ts'
import { detailsOf, LogType } from '../../contracts/log.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { isSettled } from '../../contracts/task.ts'
import { TASK_PLATFORMS } from '../../contracts/task-list.ts'
import { momentOfRequest } from '../../crypto/random-id.ts'
import { atomic, run, withoutTransaction } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { recordChange } from '../audit-log/index.ts'
import { type LogRow, logs, recordAll } from '../logs/index.ts'
import { currency } from '../options/index.ts'
import { listedName } from '../routing/index.ts'
import { tasks } from '../tasks/table.ts'
import type { QuotaOfHour } from '../usage/index.ts'
import { usageHours } from '../usage/table.ts'
import { refund } from '../wallet/index.ts'
import { ledger } from '../wallet/table.ts'
import { lockedUser } from './authority.ts'

/** @returns undefined for an entry that is no billed call */
export const refundsOf = async (row: LogRow): Promise<CallRefunds | undefined> =>
  isBilled(row) ? (await withoutTransaction(tx => stateOf(tx, row))).given : undefined

/**
 * Gives back at most what is left of the cost of a call.
 * @param key of a request that may be repeated
 * @throws Refusal 400 `log.refund_over`, `log.refund_done` or `log.refund_unbooked`, 403, 404, `user.deregistered`
 */
export async function refundCall(actor: Actor, id: number, body: CallRefund, key?: RepeatKey) {
  const request = { user_id: actor.id, action: 'refund_call', key, body: { id, ...body } }
  return atomic(tx => oncePerKey(tx, request, tx => giveBack(tx, actor, id, body)))
}

/** The lock on the user is held while the amount is checked: refunds of a call come one after another. */
function* giveBack(tx: Tx, actor: Actor, id: number, { quota, remark }: CallRefund) {
  const [row] = yield* run(tx.select().from(logs).where(eq(logs.id, id)))
  if (!row || !isBilled(row)) throw notFound()
  const { request_id, user_id } = row
  const user = yield* lockedUser(tx, actor, user_id, 'cannot_update')
  const { username } = user
  const { given, usage, key_hash } = yield* stateOf(tx, row)
  if (!given.left) throw new Refusal('log.refund_done', {}, 400, 'quota')
  if (quota > given.left) throw new Refusal('log.refund_over', { left: amountText(given.left) }, 400, 'quota')
  const reference = given.refunds.length ? `${request_id}.${given.refunds.length + 1}` : request_id
  const at = yield* hourOf(tx, usage, quota)
  const balance = yield* refund(tx, {
    ...usage,
    at,
    began: momentOfRequest(request_id),
    key_hash,
    quota,
    reference,
    actor_id: actor.id,
    remark,
  })
  const admin_info = { admin_id: actor.id, admin: actor.username }
  const other = JSON.stringify({ values: { quota }, params: { id: request_id }, admin_info })
  yield* recordAll(tx, [{ user_id, username, type: LogType.manage, content: 'log.call_refunded', other }])
  yield* recordChange(tx, actor, {
    action: 'user.refund_call',
    target: { kind: 'user', id: user_id, name: username },
    before: { quota: user.quota },
    after: { quota: balance, request: request_id, remark },
  })
  yield* announce(tx, 'user', [user_id])
  return { user_id, username, balance }
}

const amountText = (quota: number) => balanceText(quota, currency())

/** Other gateways, whose log may have been imported, have other ids of requests; their calls have no usage here. */
const isBilled = ({ type, quota, request_id }: LogRow) =>
  type === LogType.consume && quota > 0 && momentOfRequest(request_id) !== undefined

function* stateOf(tx: Tx, row: LogRow) {
  const refunds = yield* run(refundsBy(tx, row))
  const [task] = yield* run(taskBy(tx, row))
  const cost = task?.charged ?? row.quota
  const refunded = refunds.reduce((sum, { delta }) => sum + delta, task?.refunded ?? 0)
  const left = task && !isSettled(task.status) ? 0 : Math.max(0, cost - refunded)
  const { user_id, token_id, group } = row
  const usage = task
    ? { user_id, token_id, group: task.group, channel_id: task.channel_id, model: task.model, at: task.charged_time }
    : { user_id, token_id, group, channel_id: row.channel, model: listedName(row.model_name), at: row.created_at }
  const given: CallRefunds = { cost, refunded, left, refunds }
  return { given, usage, key_hash: task?.key_hash ?? detailsOf(row).admin_info?.key_hash }
}

/** The first refund refers to the request, further ones have their number after it. */
const refundsBy = (tx: Tx, { user_id, request_id }: LogRow) =>
  tx
    .select({ delta: ledger.delta, created_time: ledger.created_time })
    .from(ledger)
    .where(
      and(
        eq(ledger.user_id, user_id),
        eq(ledger.kind, 'refund'),
        sql`${ledger.reference} <> ''`,
        eq(sql`substr(${ledger.reference}, 1, ${request_id.length})`, request_id),
      ),
    )
    .orderBy(asc(ledger.id))

const HOUR_SECONDS = 3600
const MS_PER_SECOND = 1000

/** The task that the call has submitted, by the index of when it was: within the hour before its bill. */
const taskBy = (tx: Tx, { user_id, request_id, created_at }: LogRow) =>
  tx
    .select()
    .from(tasks)
    .where(
      and(
        eq(tasks.user_id, user_id),
        inArray(tasks.platform, TASK_PLATFORMS),
        between(
          tasks.submit_ms,
          (created_at - HOUR_SECONDS) * MS_PER_SECOND,
          (created_at + HOUR_SECONDS) * MS_PER_SECOND,
        ),
        eq(tasks.request_id, request_id),
      ),
    )

/**
 * When the bill was booked: a log entry is written after it, which may be in the next hour.
 * @throws Refusal 400 `log.refund_unbooked` for a call of another gateway
 */
function* hourOf(tx: Tx, { at, ...call }: Omit<QuotaOfHour, 'quota'>, quota: number) {
  const hour = at - (at % HOUR_SECONDS)
  const [booked] = yield* run(
    tx
      .select({ hour: usageHours.hour })
      .from(usageHours)
      .where(
        and(
          eq(usageHours.user_id, call.user_id),
          inArray(usageHours.hour, [hour, hour - HOUR_SECONDS]),
          eq(usageHours.token_id, call.token_id),
          eq(usageHours.channel_id, call.channel_id),
          eq(usageHours.model, call.model),
          eq(usageHours.group, call.group),
          gte(usageHours.quota, quota),
        ),
      )
      .orderBy(desc(usageHours.hour))
      .limit(1),
  )
  if (!booked) throw new Refusal('log.refund_unbooked', {}, 400)
  return booked.hour
}
