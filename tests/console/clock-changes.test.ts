/** A clock that jumps, or passes midnight, the end of a month or of a year: no lockout, no second reward, no early expiry. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { expireOrders } from '../../src/domain/payments/index.ts'
import { checkIns } from '../../src/domain/rewards/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { day } from '../../src/pure/time.ts'
import { setOption } from '../support/app/options.ts'
import { DAY_SECONDS, openShop, ordersOf, UNIT } from '../support/epay/shop.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { newCode, redeem } from '../support/people/redemption-codes.ts'
import { spend, spendingUser } from '../support/people/spending-user.ts'

await setUp()
const { merchant, order } = await openShop()
await setOption('CheckInEnabled', true)
await setOption('CheckInQuota', 1000)
afterEach(async () => {
  resetStores('clock')
  expect((await auditWallets()).difference).toBeUndefined()
})

/** Stops the clock a second before a moment of last year: the session of root, which began later, is valid then. */
function stopClockBefore(moment: string) {
  holdClock(true)
  const year = new Date(now() * 1000).getUTCFullYear() - 1
  shiftClock(Date.parse(`${year}-${moment}Z`) / 1000 - 1 - now())
}

const checkIn = async (person: Person) => (await person.post('/api/user/check_in')).success

/** The window of wrong tries. */
const TRIES_SECONDS = 600

/** The clock, then the second in which it ticks, or the jump. */
const changes: [name: string, at: string, seconds: number][] = [
  ['an hour ahead', '06-15T12:00:00', 3600],
  ['an hour back', '06-15T12:00:00', -3600],
  ['an hour back over midnight', '06-15T00:30:00', -3600],
  ['midnight', '06-15T00:00:00', 1],
  ['the end of a month', '03-01T00:00:00', 1],
  ['the end of a year', '01-01T00:00:00', 1],
  ['the start of summer time in Europe', '03-31T01:00:00', 1],
  ['the end of summer time in Europe', '10-31T01:00:00', 1],
]

test.each(changes)('%s: sessions, codes, orders, calls and limits go on', async (_, at, seconds) => {
  stopClockBefore(at)
  const ann = await spendingUser(1000)
  const { person } = ann
  const valid = await newCode({ quota: 7, valid_from: now() - 7200, valid_until: now() + 7200 })
  const payment = await order(person, 1)
  for (let tries = 0; tries < 10; tries++) await redeem(person, `wrong ${at} ${seconds} ${tries}`)
  expect((await redeem(person, valid)).status).toBe(429)

  shiftClock(seconds)
  await expireOrders()
  expect((await ordersOf(person))[0]!.status).toBe('pending')
  await spend(ann, 10)
  expect(await merchant.call(payment)).toBe('success')
  if (seconds < TRIES_SECONDS) {
    expect((await redeem(person, valid)).status).toBe(429)
    shiftClock(TRIES_SECONDS)
  }
  expect((await redeem(person, valid)).success).toBe(true)
  expect(await balance(person)).toBe(1000 - 10 + UNIT + 7)
})

test.each(changes)('%s: there is one reward a day', async (_, at, seconds) => {
  stopClockBefore(at)
  const ann = await visitor()
  const before = day(now(), 'UTC')
  expect([await checkIn(ann), await checkIn(ann)]).toEqual([true, false])
  shiftClock(seconds)
  const isLater = day(now(), 'UTC') > before
  expect([await checkIn(ann), await checkIn(ann)]).toEqual([isLater, false])
  shiftClock(DAY_SECONDS)
  await checkIn(ann)
  const days = (await db.select().from(checkIns).where(eq(checkIns.user_id, ann.id))).map(row => row.day)
  expect(days.length).toBe(new Set(days).size)
  expect(await balance(ann)).toBe(1000 * days.length)
})
