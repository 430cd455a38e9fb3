/** The transaction of a group of ended calls: each user, token, channel and hour is written once. */
import { eq, sql } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { TokenStatus } from '../../contracts/token.ts'
import { run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import type { Tx } from '../../db/database.ts'
import { batch, prepared } from '../../db/prepared.ts'
import { book, type WindowSum } from '../budgets/index.ts'
import { channels } from '../channels/table.ts'
import { recordAll, recordCalls } from '../logs/index.ts'
import { recordStored } from '../stored-objects/index.ts'
import { tokens } from '../tokens/table.ts'
import { addUsage } from '../usage/index.ts'
import { users } from '../users/table.ts'
import type { ChargedBalance } from './charged.ts'
import type { BilledCall, EndedCall } from './ended-call.ts'
import { reservations } from './reservations.ts'
import { settlements } from './table.ts'

export interface CommittedBills {
  /** Of the users who were charged. */
  balances: ChargedBalance[]
  /** PostgreSQL: places of the calls whose user, token or channel is locked: nothing of them is done. */
  passed_over?: readonly number[]
  /** Windows of budgets; absent for none. */
  windows?: readonly WindowSum[]
}

/** Bills ended calls; a call that was settled before is skipped. */
export function* commitBills(tx: Tx, calls: readonly EndedCall[]) {
  const keep = calls.some(({ bill }) => bill?.condition) ? undefined : reservations.keepThrough(tx)
  const billed = yield* meetingCondition(tx, yield* notYetSettled(tx, calls))
  const byUser = shares(billed, call => call.user_id)
  const balances = yield* run(batch(byUser.map(share => chargeUser(tx, share))))
  const byToken = shares(billed, call => call.token_id)
  const charged = yield* run(batch(byToken.map(share => chargeToken(tx, share))))
  const byChannel = shares(billed, call => call.bill.channel_id)
  yield* run(batch(byChannel.map(share => creditChannel(tx, share))))
  const windows = yield* book(tx, billed)
  yield* addUsage(tx, billed)
  yield* recordAll(
    tx,
    billed.flatMap(({ bill }) => bill.log ?? []),
  )
  const ended = [...billed, ...calls.filter(({ bill }) => bill === undefined)]
  yield* recordCalls(
    tx,
    ended.flatMap(({ request_id, user_id, at, record }) =>
      record ? { request_id, user_id, created_at: at, record: record() } : [],
    ),
  )
  yield* recordStored(
    tx,
    billed.flatMap(({ bill }) => bill.stored ?? []),
  )
  yield* reservations.free(tx, calls)
  const tokensLeft = charged.flat()
  keep?.({ balances: balances.flat(), remains: tokensLeft })
  const exhausted = tokensLeft.flatMap(token => (token.status === TokenStatus.exhausted ? [token.token_id] : []))
  yield* announce(tx, 'token', exhausted)
  const committed: CommittedBills = {
    balances: balances.flatMap(([user], at): ChargedBalance[] => (user && byUser[at]!.quota > 0 ? [user] : [])),
    windows,
  }
  return committed
}

function* notYetSettled(tx: Tx, calls: readonly EndedCall[]) {
  const billed = calls.filter((call): call is BilledCall => call.bill !== undefined)
  const inserted = (yield* run(markSettled(tx, billed))).flat()
  if (inserted.length === billed.length) return billed
  const unsettled = new Set(inserted.map(row => row.request_id))
  return billed.filter(call => unsettled.delete(call.request_id))
}

function* meetingCondition(tx: Tx, billed: BilledCall[]) {
  const met: BilledCall[] = []
  for (const call of billed) {
    const { condition } = call.bill
    if (!condition || (yield* condition(tx, call.at))) met.push(call)
  }
  return met
}

const value = sql.placeholder

/** @returns the request ids that were not settled before */
const markSettled = bulkInsert(['request_id', 'at'], (db, calls) =>
  db
    .insert(settlements)
    .values(calls.map(({ request_id, at }) => ({ request_id, created_time: at })))
    .onConflictDoNothing()
    .returning({ request_id: settlements.request_id }),
)

const chargeUser = prepared(db =>
  db
    .update(users)
    .set({
      quota: sql`${users.quota} - ${value('quota')}`,
      used_quota: sql`${users.used_quota} + ${value('quota')}`,
      request_count: sql`${users.request_count} + ${value('calls')}`,
      // A bill that comes late does not set it back.
      last_seen: sql`case when ${users.last_seen} < ${value('last_at')} then ${value('last_at')} else ${users.last_seen} end`,
    })
    .where(eq(users.id, value('id')))
    .returning({ user_id: users.id, balance: users.quota }),
)

/** An unlimited token keeps its remaining quota, which counts again when the limit is switched on. */
const chargeToken = prepared(db => {
  const limited = sql`not ${tokens.unlimited_quota}`
  const left = sql`${tokens.remain_quota} - ${value('quota')}`
  const runsOut = sql`${limited} and ${tokens.status} = ${TokenStatus.enabled} and ${left} <= 0`
  return db
    .update(tokens)
    .set({
      used_quota: sql`${tokens.used_quota} + ${value('quota')}`,
      remain_quota: sql`case when ${limited} then ${left} else ${tokens.remain_quota} end`,
      status: sql`case when ${runsOut} then ${TokenStatus.exhausted} else ${tokens.status} end`,
    })
    .where(eq(tokens.id, value('id')))
    .returning({ token_id: tokens.id, status: tokens.status, remain: tokens.remain_quota })
})

const creditChannel = prepared(db =>
  db
    .update(channels)
    .set({ used_quota: sql`${channels.used_quota} + ${value('quota')}` })
    .where(eq(channels.id, value('id'))),
)

interface Share {
  id: number
  calls: number
  quota: number
  /** Unix seconds of the last call's end. */
  last_at: number
}

/** Sums per user, token or channel, in the order of ids, in which every node locks them. Id 0 stands for none. */
function shares(billed: readonly BilledCall[], idOf: (call: BilledCall) => number): Share[] {
  const byId = new Map<number, Share>()
  for (const call of billed) {
    const id = idOf(call)
    const share = byId.get(id) ?? { id, calls: 0, quota: 0, last_at: 0 }
    share.calls += 1
    share.last_at = Math.max(share.last_at, call.at)
    share.quota += call.bill.quota
    if (id) byId.set(id, share)
  }
  return [...byId.values()].sort((one, other) => one.id - other.id)
}
