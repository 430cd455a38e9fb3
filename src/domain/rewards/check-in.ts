/** Daily check-in: a reward once per user and UTC day. */
import { and, asc, eq, isNull, like, lt, or } from 'drizzle-orm'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import { LogType } from '../../contracts/log.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { CheckInState } from '../../contracts/reward.ts'
import { randomWhole } from '../../crypto/random-id.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { day } from '../../pure/time.ts'
import { recordAll } from '../logs/index.ts'
import { option } from '../options/index.ts'
import { type User, users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { checkIns } from './table.ts'

type CheckedInUser = Pick<User, 'id' | 'username'>

const today = () => day(now(), 'UTC')

const isOn = () => option('CheckInEnabled') && option('CheckInQuota') > 0

/**
 * Credits the reward of today.
 * @returns the reward, in quota
 * @throws Refusal `reward.check_in_off`, `reward.check_in_unset` or `reward.checked_in`
 */
export const checkIn = (user: CheckedInUser, key?: RepeatKey): Promise<{ quota: number }> =>
  atomic(tx => oncePerKey(tx, { user_id: user.id, action: 'check_in', key, body: null }, tx => creditToday(tx, user)))

function* creditToday(tx: Tx, { id, username }: CheckedInUser) {
  if (!option('CheckInEnabled')) throw new Refusal('reward.check_in_off')
  if (!option('CheckInQuota')) throw new Refusal('reward.check_in_unset')
  const day = today()
  const [first] = yield* run(
    tx
      .update(users)
      .set({ last_check_in_day: day })
      .where(and(eq(users.id, id), or(isNull(users.last_check_in_day), lt(users.last_check_in_day, day))))
      .returning({ id: users.id }),
  )
  if (!first) throw new Refusal('reward.checked_in')
  const { min, max } = rewardRange()
  const quota = randomWhole(min, max)
  yield* run(tx.insert(checkIns).values({ user_id: id, day, quota, created_time: now() }))
  yield* credit(tx, { user_id: id, kind: 'check_in', delta: quota, reference: day })
  yield* recordAll(tx, [{ user_id: id, username, type: LogType.checkIn, quota, ...noteOf(quota) }])
  return { quota }
}

const noteOf = (reward: number) => ({
  content: 'log.checked_in',
  other: JSON.stringify({ values: { reward } }),
})

/** A maximum at or below the reward means a fixed reward. */
function rewardRange() {
  const min = option('CheckInQuota')
  return { min, max: Math.max(min, option('CheckInMaxQuota')) }
}

/** False while check-ins are switched off, and until the day after the last one, also when the clock was set back. */
export async function canCheckIn(user_id: number): Promise<boolean> {
  if (!isOn()) return false
  const [user] = await db.select({ last: users.last_check_in_day }).from(users).where(eq(users.id, user_id))
  return !user?.last || user.last < today()
}

export async function checkInState(user_id: number): Promise<CheckInState> {
  const month = today().slice(0, 'yyyy-mm'.length)
  const days = await db
    .select({ day: checkIns.day, quota: checkIns.quota })
    .from(checkIns)
    .where(and(eq(checkIns.user_id, user_id), like(checkIns.day, `${month}-%`)))
    .orderBy(asc(checkIns.day))
  return { today: today(), can_check_in: await canCheckIn(user_id), ...rewardRange(), days }
}
