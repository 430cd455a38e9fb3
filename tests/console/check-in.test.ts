/** Daily check-in: its rule, its states, its place in ledger and log, and its card without JavaScript. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { checkIns } from '../../src/domain/rewards/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { day } from '../../src/pure/time.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { holding } from '../support/postgres/locks.ts'
import { inTier } from '../support/tier.ts'
import { fakeTurnstile } from '../support/upstream/turnstile.ts'

const DAY = 86_400
const ROUNDS = inTier({ short: 20, long: 50 })

await setUp()
const turnstile = fakeTurnstile()
beforeEach(async () => {
  await setOption('CheckInEnabled', true)
  await setOption('CheckInQuota', 1000)
  await setOption('CheckInMaxQuota', 0)
})
afterEach(() => resetStores('clock'))

const today = () => day(now(), 'UTC')
const checkIn = (person: Person, options?: Parameters<Person['post']>[2]) =>
  person.post('/api/user/check_in', {}, options)
const canCheckIn = async (person: Person) => (await person.get('/api/user/check_in_status')).data.can_check_in
const creditsOf = (person: Person) => db.select().from(ledger).where(eq(ledger.user_id, person.id)).orderBy(ledger.id)
const daysOf = (person: Person) =>
  db.select().from(checkIns).where(eq(checkIns.user_id, person.id)).orderBy(checkIns.day)

/** Stops the clock this many seconds after the midnight of today in UTC. */
function stopClockAt(seconds: number) {
  holdClock(true)
  shiftClock(seconds - (now() % DAY))
}

test('a check-in credits the reward once a day, in ledger, row and log', async () => {
  const ann = await visitor()
  expect(await canCheckIn(ann)).toBe(true)
  expect(await checkIn(ann)).toMatchObject({ success: true, data: { quota: 1000 } })
  expect(await canCheckIn(ann)).toBe(false)
  expect(await checkIn(ann)).toMatchObject({ success: false, code: 'reward.checked_in' })
  expect(await balance(ann)).toBe(1000)
  expect(await creditsOf(ann)).toMatchObject([{ kind: 'check_in', delta: 1000, reference: today() }])
  expect(await daysOf(ann)).toMatchObject([{ day: today(), quota: 1000 }])
  const entries = await db.select().from(logs).where(eq(logs.user_id, ann.id))
  expect(entries).toMatchObject([{ type: LogType.checkIn, quota: 1000 }])
  const { data } = await ann.get('/api/log/self?type=5')
  expect(data.items[0].content).toBe('Check-in reward of $0.002000')
  expect((await auditWallets()).difference).toBeUndefined()
})

test.each([
  ['CheckInEnabled', false, 'reward.check_in_off', '签到功能未启用'],
  ['CheckInQuota', 0, 'reward.check_in_unset', '签到奖励设置有误，请联系管理员'],
])('a check-in with %s %p is refused in words, and the status is false', async (option, value, code, message) => {
  const ann = await visitor()
  await setOption(option, value)
  expect(await canCheckIn(ann)).toBe(false)
  expect(await checkIn(ann, { language: 'zh' })).toMatchObject({ success: false, code, message })
  expect(await creditsOf(ann)).toEqual([])
  expect((await db.select().from(users).where(eq(users.id, ann.id)))[0]!.last_check_in_day).toBeNull()
})

test('a random reward lies between both amounts, and reaches both ends', async () => {
  await setOption('CheckInQuota', 7)
  await setOption('CheckInMaxQuota', 9)
  const drawn = new Set<number>()
  for (let round = 0; round < 60; round++) {
    const ann = await visitor()
    const { data } = await checkIn(ann)
    drawn.add(data.quota)
    expect(await balance(ann)).toBe(data.quota)
  }
  expect([...drawn].sort()).toEqual([7, 8, 9])
})

test('a maximum below the reward means a fixed reward, and the largest range is drawn from', async () => {
  await setOption('CheckInMaxQuota', 999)
  const ann = await visitor()
  expect((await checkIn(ann)).data.quota).toBe(1000)
  await setOption('CheckInMaxQuota', Number.MAX_SAFE_INTEGER - 1000)
  shiftClock(DAY)
  const { data } = await checkIn(ann)
  expect(Number.isSafeInteger(data.quota) && data.quota >= 1000).toBe(true)
})

test('a day begins at midnight UTC, and a clock that is set back brings no second reward', async () => {
  const ann = await visitor()
  stopClockAt(DAY - 1)
  expect((await checkIn(ann)).success).toBe(true)
  shiftClock(1)
  expect((await checkIn(ann)).success).toBe(true)
  for (const seconds of [-1, -DAY, -40 * DAY]) {
    shiftClock(seconds)
    expect([seconds, await canCheckIn(ann), (await checkIn(ann)).code]).toEqual([seconds, false, 'reward.checked_in'])
  }
  shiftClock(41 * DAY + 1 + DAY)
  expect((await checkIn(ann)).success).toBe(true)
  expect(await balance(ann)).toBe(3000)
})

test('an Idempotency-Key brings the first answer again', async () => {
  const ann = await visitor()
  const headers = { 'idempotency-key': 'morning' }
  const first = await checkIn(ann, { headers })
  expect(await checkIn(ann, { headers })).toEqual(first)
  expect(await checkIn(ann)).toMatchObject({ code: 'reward.checked_in' })
  expect(await balance(ann)).toBe(1000)
})

test('a check-in needs a solved challenge while the human check is on', async () => {
  const ann = await visitor()
  await turnstile.enable()
  expect(await checkIn(ann)).toMatchObject({ code: 'human.token_missing', field: 'turnstile' })
  const page = await (await ann.page('/app/me?tab=rewards')).text()
  expect(page.includes('tollgate-human-check')).toBe(true)
  const refused = await ann.form('/app/me/check-in')
  expect([refused.status, await canCheckIn(ann)]).toEqual([422, true])
  const answer = await ann.post(`/api/user/check_in?turnstile=${turnstile.solve()}`)
  expect(answer).toMatchObject({ success: true })
  await turnstile.disable()
})

test(`one of parallel check-ins is credited, in ${ROUNDS} rounds`, async () => {
  await setOption('CheckInQuota', 5)
  await setOption('CheckInMaxQuota', 50)
  for (let round = 0; round < ROUNDS; round++) {
    const ann = await visitor()
    const other = await holding(`select 1 from users where id = ${ann.id} for no key update`)
    const answers = Array.from({ length: 6 }, () => checkIn(ann))
    await other.waiting(2)
    await other.release()
    const rewards = (await Promise.all(answers)).flatMap(({ success, data }) => (success ? [data.quota] : []))
    expect(rewards).toHaveLength(1)
    expect(rewards[0] >= 5 && rewards[0] <= 50).toBe(true)
    expect([await balance(ann), (await creditsOf(ann)).length]).toEqual([rewards[0], 1])
  }
  expect((await auditWallets()).difference).toBeUndefined()
})

test(`parallel check-ins across midnight bring one reward for each day, in ${ROUNDS} rounds`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ann = await visitor()
    stopClockAt(DAY - 1)
    const before = Array.from({ length: 3 }, () => checkIn(ann))
    shiftClock(1)
    const after = Array.from({ length: 3 }, () => checkIn(ann))
    const rewards = (await Promise.all([...before, ...after])).filter(({ success }) => success)
    const days = (await daysOf(ann)).map(row => row.day)
    expect(rewards).toHaveLength(days.length)
    expect([days.length, new Set(days).size]).toEqual([days.length, days.length])
    expect(days.at(-1)).toBe(today())
    expect(await balance(ann)).toBe(1000 * days.length)
    resetStores('clock')
  }
})

test('the card shows rule, month and button, and its form works without JavaScript', async () => {
  const ann = await visitor()
  await setOption('CheckInMaxQuota', 500_000)
  const before = await (await ann.page('/app/me?tab=rewards')).text()
  expect(before.includes('$0.002000 to $1.00 once a day')).toBe(true)
  expect(before.includes('Check in now')).toBe(true)
  await setOption('CheckInMaxQuota', 0)
  const sent = await ann.form('/app/me/check-in')
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/app/me?tab=rewards'])
  expect(decodeURIComponent(sent.headers.get('set-cookie') ?? '')).toContain('Checked in: $0.002000 was added')
  const after = await (await ann.page('/app/me?tab=rewards')).text()
  expect(/<button[^>]*disabled[^>]*>Checked in today/.test(after)).toBe(true)
  expect(after.includes(`${today()}: $0.002000`)).toBe(true)
  expect(after.includes('1 day this month')).toBe(true)
  const again = await ann.form('/app/me/check-in')
  expect(decodeURIComponent(again.headers.get('set-cookie') ?? '')).toContain('You have already checked in today')
  expect(await balance(ann)).toBe(1000)
  await setOption('CheckInEnabled', false)
  expect((await (await ann.page('/app/me?tab=rewards')).text()).includes('Daily check-in')).toBe(false)
})

test('a form that a double click sends twice brings one reward and two friendly answers', async () => {
  const ann = await visitor()
  const fields = { form_id: 'one-form' }
  const answers = await Promise.all([ann.form('/app/me/check-in', fields), ann.form('/app/me/check-in', fields)])
  const toasts = answers.map(answer => decodeURIComponent(answer.headers.get('set-cookie') ?? ''))
  expect(toasts.map(toast => toast.includes('Checked in: '))).toEqual([true, true])
  expect(await balance(ann)).toBe(1000)
})

test('visitors and banned users check in for nothing', async () => {
  expect((await checkIn(anyone)).status).toBe(401)
  const ann = await visitor()
  const root = await setUp()
  await root.post('/api/user/manage', { id: ann.id, action: 'disable' })
  expect((await checkIn(ann)).status).toBe(401)
  expect(await creditsOf(ann)).toEqual([])
})
