// @engine both
/** Clearing of the usage log: from the page, by age, after an interruption, and what stays. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { count } from '../../src/db/fragments.ts'
import { logClearings, logs } from '../../src/domain/logs/table.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { onEmptyLog, spend, write } from '../support/people/usage-log.ts'

const DAY = 86_400
const PAGE = '/app/logs/api-usage'
const start = now()
/** A day in UTC, the zone of a visitor without a cookie. */
const dayAgo = (days: number) => new Date((start - days * DAY) * 1000).toISOString().slice(0, 10)

let root: Person
let admin: Person
let ann: Person

beforeAll(async () => {
  root = await setUp()
  ;[admin, ann] = [await visitor(Role.admin), await visitor(Role.user, 1_000_000)]
})
afterEach(async () => {
  await jobsDone()
  shiftClock(start - now())
  await db.delete(logClearings)
})

const left = async () => (await db.select({ entries: count() }).from(logs))[0]!.entries
const old = (entries: number) => Array.from({ length: entries }, () => ({ created_at: start - 60 * DAY }))
/** Whether a page has this text. */
const shows = async (person: Person, path: string, text: string) =>
  (await (await person.page(path)).text()).includes(text)

test('the page counts what a clearing would delete, deletes it, and shows that it is done', () =>
  onEmptyLog(async () => {
    await write(ann, ...old(1201), { created_at: start - 2 * DAY })
    expect(await shows(root, `${PAGE}?clear`, `1,201 entries are older than ${dayAgo(30)}.`)).toBe(true)
    const none = `${PAGE}?clear=${dayAgo(90)}`
    expect(await shows(root, none, `No entry is older than ${dayAgo(90)}.`)).toBe(true)
    expect(await shows(root, none, `action="${PAGE}/clear"`)).toBe(false)
    expect(await shows(root, PAGE, `${PAGE}?clear`)).toBe(false)
    expect(await shows(root, '/admin/settings?tab=operation', `href="${PAGE}?clear"`)).toBe(true)
    expect(await shows(root, `${PAGE}?clear=${dayAgo(0)}`, '1,202 entries are older')).toBe(true)
    const response = await root.form(`${PAGE}/clear`, { day: dayAgo(30) })
    expect([response.status, response.headers.get('location')]).toEqual([303, PAGE])
    await jobsDone()
    expect(await left()).toBe(1)
    const done = `1,201 entries before ${dayAgo(30)} are deleted.`
    expect(await shows(root, PAGE, done)).toBe(true)
    const part = await root.page(`${PAGE}/clearing`, { headers: { 'hx-request-type': 'partial' } })
    expect((await part.text()).includes(done)).toBe(true)
    shiftClock(120)
    expect(await shows(root, PAGE, done)).toBe(false)
  }))

test('a clearing without a day, and one of a user, are refused and delete nothing', () =>
  onEmptyLog(async () => {
    await write(ann, ...old(3))
    for (const day of ['', 'yesterday', '2026-02-30']) {
      const response = await root.form(`${PAGE}/clear`, { day })
      expect(response.status).toBe(422)
      expect((await response.text()).includes('Please select the time up to which the log is cleared')).toBe(true)
    }
    const chinese = await root.form(`${PAGE}/clear`, { day: '' }, { language: 'zh' })
    expect((await chinese.text()).includes('field-clear-error')).toBe(true)
    expect((await ann.form(`${PAGE}/clear`, { day: dayAgo(0) })).headers.get('location')).toBe('/')
    expect(await shows(ann, `${PAGE}?clear`, 'field-clear')).toBe(false)
    expect(await left()).toBe(3)
  }))

test('two administrators who clear at the same time start one clearing', () =>
  onEmptyLog(async () => {
    for (let round = 0; round < 50; round++) {
      await write(ann, ...old(2))
      const answers = await Promise.all(
        [root, admin].map(person => person.delete(`/api/log/?target_timestamp=${start - 30 * DAY}`)),
      )
      const codes = answers.map(answer => (answer.success ? 'started' : answer.code)).sort()
      // The second may find the first one done, and then starts another.
      expect(codes).toBeOneOf([
        ['log.clearing_runs', 'started'],
        ['started', 'started'],
      ])
      await jobsDone()
      expect(await left()).toBe(0)
    }
  }))

test('a clearing that a stopped node has left goes on, and another is refused meanwhile', () =>
  onEmptyLog(async () => {
    await write(ann, ...old(500), { created_at: start })
    const before = start - 30 * DAY
    await db.insert(logClearings).values({ id: 1, before, total: 700, deleted: 200, started_time: start - 60 })
    expect(await shows(root, PAGE, `Deleting entries before ${dayAgo(30)}: 200 of 700, 29%`)).toBe(true)
    expect(await root.delete('/api/log/?target_timestamp=5')).toMatchObject({
      success: false,
      code: 'log.clearing_runs',
    })
    holdClock(true)
    shiftClock(120)
    await tick()
    await jobsDone()
    const [clearing] = await db.select().from(logClearings).where(eq(logClearings.id, 1))
    expect(clearing).toMatchObject({ deleted: 700, ended_time: now() })
    holdClock(false)
    expect(await left()).toBe(1)
  }))

test('entries older than LogRetentionDays are deleted, those of its first second stay, and 0 keeps all', () =>
  onEmptyLog(async () => {
    const first = start + 400 - 7 * DAY
    await write(ann, { created_at: first - 1 }, { created_at: first })
    holdClock(true)
    const run = async (ahead: number) => {
      shiftClock(start + ahead - now())
      await tick()
      await jobsDone()
      return left()
    }
    expect(await run(200)).toBe(2)
    await setOption('LogRetentionDays', 7)
    expect(await run(400)).toBe(1)
    holdClock(false)
    await setOption('LogRetentionDays', 0)
    for (const days of [-1, 1.5, 'many'])
      expect((await root.put('/api/option/', { key: 'LogRetentionDays', value: days })).success).toBe(false)
  }))

test('balances and totals agree with logging switched off and the log cleared', () =>
  onEmptyLog(async () => {
    const eve = await visitor(Role.user, 10_000)
    await spend(eve, { quota: 400, at: start - 60 * DAY })
    shiftClock(start - now())
    await setOption('LogConsumeEnabled', false)
    await spend(eve, { quota: 30 })
    await setOption('LogConsumeEnabled', true)
    await write(eve, { type: LogType.topUp, quota: 5, created_at: start - 50 * DAY })
    expect(await root.delete(`/api/log/?target_timestamp=${start + DAY}`)).toMatchObject({ success: true })
    expect(await left()).toBe(0)
    expect((await eve.get('/api/user/self')).data).toMatchObject({ quota: 9570, used_quota: 430 })
    expect((await eve.get('/api/log/self/stat')).data.quota).toBe(430)
    expect((await auditWallets()).difference).toBeUndefined()
  }))
