/** Redeeming: one use of a code, its credit and its log entry, all or none. */
import { and, eq, gte, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { oncePerKey } from '../../cluster/idempotency.ts'
import { decide } from '../../cluster/limits.ts'
import { SlidingWindow } from '../../cluster/sliding-window.ts'
import { LogType } from '../../contracts/log.ts'
import { obstacleOf, RedemptionStatus, UNLIMITED_USES } from '../../contracts/redemption.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import type { MessageKey } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { subscriberAt } from '../../pure/ip.ts'
import { recordAll } from '../logs/index.ts'
import { users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { redemptions as codes, type RedemptionRow, redemptionUses } from './table.ts'

export interface RedeemRequest {
  /** As typed: blanks around it do not count, case does. */
  key: string
  user_id: number
  /** IP address of the user. */
  address: string
}

export interface RedeemResult {
  quota: number
  is_gift: boolean
}

/**
 * Spends one use of a code and credits its quota.
 * @param idempotency_key of the request; undefined for none
 * @throws Refusal at the field `key`, 429 after 10 unknown keys of the user or the address within 10 minutes
 */
export async function redeem(request: RedeemRequest, idempotency_key?: string): Promise<RedeemResult> {
  const { user_id } = request
  const key = request.key.trim()
  if (!key) throw refused('redemption.key_required', 400)
  const id = await idOf(key)
  await countTry(request, id === undefined)
  if (id === undefined) throw refused('redemption.invalid')
  const once = { user_id, action: 'redeem', key: idempotency_key, body: { key } }
  return atomic(tx => oncePerKey(tx, once, tx => spend(tx, id, user_id)))
}

const refused = (code: MessageKey, status?: number) => new Refusal(code, {}, status, 'key')

/** A deleted code is found too: its key is no guess. */
async function idOf(key: string): Promise<number | undefined> {
  const [code] = await db
    .select({ id: codes.id })
    .from(codes)
    .where(eq(codes.key_hash, digest(key)))
  return code?.id
}

const WRONG_TRIES_MAX = 10
const WRONG_TRIES_SECONDS = 600
const wrongTries = new SlidingWindow('redeem-wrong-tries')

/** Runs after the lookup, and looks and counts in one step: concurrent guesses cannot exceed the limit. */
async function countTry({ user_id, address }: RedeemRequest, isWrong: boolean) {
  const kind = isWrong ? 'take' : 'check'
  const tries = { kind, window: wrongTries, count: WRONG_TRIES_MAX, seconds: WRONG_TRIES_SECONDS } as const
  const { wait: seconds } = await decide([
    { ...tries, key: `user ${user_id}` },
    { ...tries, key: subscriberAt(address) },
  ])
  if (seconds) throw new Refusal('redemption.throttled', { seconds }, 429, 'key')
}

/** The guarded update is the lock: concurrent uses of a code wait for it and find what it has left. */
function* spend(tx: Tx, id: number, user_id: number) {
  const at = now()
  const use = {
    used_count: sql`${codes.used_count} + 1`,
    status: sql`case when ${hasMoreUses} then ${codes.status} else ${RedemptionStatus.used} end`,
    used_user_id: user_id,
    redeemed_time: at,
  }
  const [code] = yield* run(tx.update(codes).set(use).where(usable(id, at)).returning())
  if (!code) throw yield* refusalFor(tx, id, at)
  const { quota, is_gift } = code
  const spent = { redemption_id: id, user_id, quota, used_time: at }
  const added = yield* run(
    tx.insert(redemptionUses).values(spent).onConflictDoNothing().returning({ user_id: redemptionUses.user_id }),
  )
  if (!added.length) throw refused('redemption.used_by_you')
  yield* credit(tx, { user_id, kind: 'redeem', delta: quota, reference: String(id) })
  yield* record(tx, code, user_id)
  return { quota, is_gift }
}

const hasMoreUses = sql`${codes.is_gift} and (${codes.max_uses} = ${UNLIMITED_USES} or ${codes.used_count} + 1 < ${codes.max_uses})`

/** A code is valid in the seconds `valid_from` and `valid_until` and between them. */
const usable = (id: number, at: number) =>
  and(
    eq(codes.id, id),
    isNull(codes.deleted_time),
    eq(codes.status, RedemptionStatus.unused),
    lte(codes.valid_from, at),
    or(eq(codes.valid_until, 0), gte(codes.valid_until, at)),
    or(eq(codes.is_gift, false), eq(codes.max_uses, UNLIMITED_USES), lt(codes.used_count, codes.max_uses)),
  )

function* refusalFor(tx: Tx, id: number, at: number) {
  const [code] = yield* run(tx.select().from(codes).where(eq(codes.id, id)))
  const obstacle = code?.deleted_time === null && obstacleOf(code, at)
  return refused(obstacle ? `redemption.${obstacle}` : 'redemption.invalid')
}

/** `content` is a message key, which the page of the log renders in the reader's language. */
function* record(tx: Tx, { id, quota, is_gift }: RedemptionRow, user_id: number) {
  const [user] = yield* run(tx.select({ username: users.username }).from(users).where(eq(users.id, user_id)))
  const { username } = user!
  const content = is_gift ? 'log.redeemed_gift' : 'log.redeemed_code'
  const other = JSON.stringify({ values: { quota }, params: { id } })
  yield* recordAll(tx, [{ user_id, username, type: LogType.topUp, quota, content, other }])
}
