/** Windows of budgets over time: what is booked, refunded and charged later, windows of a second, and those that are deleted. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone } from '../../../src/cluster/leases.ts'
import type { NewBudget } from '../../../src/contracts/budget.ts'
import { LOGS_PATH } from '../../../src/contracts/log.ts'
import { db } from '../../../src/db/database.ts'
import { OUTSIDE } from '../../../src/domain/budgets/book.ts'
import { auditBudgets } from '../../../src/domain/budgets/index.ts'
import { budgetHours, budgetWindows } from '../../../src/domain/budgets/table.ts'
import { auditWallets } from '../../../src/domain/wallet/index.ts'
import { tick } from '../../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { budgetsOf, keyOf, makeBudget } from '../../support/people/budgets.ts'
import { Client, client, MODEL, quotaOf } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { spendingUser } from '../../support/people/spending-user.ts'
import { begun, looks, priced, SECOND_QUOTA, videoChannel } from '../../support/people/videos.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'
import { xai } from '../../support/upstream/videos/clouds.ts'
import { videoServer } from '../../support/upstream/videos/server.ts'

const [PROMPT, OUTPUT] = [8, 4]
const upstream = await startUpstream(chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
await channelTo(upstream)
const ONE = quotaOf(PROMPT, OUTPUT)
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const TEN_YEARS = 315_576_000

beforeEach(() => holdClock(true))
afterEach(async () => {
  // Sessions end while windows pass.
  resetStores('clock')
  holdClock(false)
  expect((await auditBudgets()).difference).toBeUndefined()
  expect((await auditWallets()).difference).toBeUndefined()
})
afterAll(() => setOption('PreConsumedQuota', 500))
await setOption('PreConsumedQuota', 0)

const limited = async (fields: Partial<NewBudget>) => {
  const who = await client()
  const key = await keyOf(who)
  const { id } = await makeBudget('token', key, fields)
  return { who, key, id, now: async () => (await budgetsOf('token', key)).find(budget => budget.id === id)! }
}
const calls = async (who: Client, count: number) => {
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await who.chat({ max_tokens: OUTPUT })
      await response.text()
      return response.status
    }),
  )
  return statuses.filter(status => status === 200).length
}
const windowsOf = (id: number) =>
  db
    .select({ start: budgetWindows.start, used: budgetWindows.used })
    .from(budgetWindows)
    .where(eq(budgetWindows.budget_id, id))
    .orderBy(budgetWindows.start)
const usedIn = async (id: number) => (await windowsOf(id)).map(({ used }) => used)

/** To the next second that a number of seconds divides. */
const shiftTo = (seconds: number) => shiftClock(seconds - (now() % seconds))

test.each([
  ['fixed', { window: 'fixed', seconds: 1 }],
  ['rolling', { window: 'rolling', seconds: 1 }],
] as const)('a %s window of a second opens each second', async (_, fields) => {
  const { who, id } = await limited({ ...fields, amount: 2 })
  for (let second = 0; second < 4; second++) {
    expect(await calls(who, 10)).toBe(2)
    shiftClock(1)
  }
  expect(await usedIn(id)).toEqual([2, 2, 2, 2])
})

test('a window of ten years holds for ten years', async () => {
  const { who, id } = await limited({ window: 'rolling', seconds: TEN_YEARS, amount: 3 })
  expect(await calls(who, 2)).toBe(2)
  shiftClock(TEN_YEARS - 60)
  expect(await calls(who, 10)).toBe(1)
  expect(await usedIn(id)).toEqual([3])
  shiftClock(60)
  expect(await calls(who, 10)).toBe(3)
  expect(await usedIn(id)).toEqual([3, 3])
})

test('a refund of a call goes to the window of the call, and not to that of now', async () => {
  shiftTo(HOUR)
  const { who, id } = await limited({ window: 'fixed', seconds: 10 * MINUTE, unit: 'quota', amount: 1_000_000 })
  expect(await calls(who, 2)).toBe(2)
  shiftClock(10 * MINUTE)
  expect(await calls(who, 3)).toBe(3)
  expect(await usedIn(id)).toEqual([2 * ONE, 3 * ONE])
  const first = (await logsOf(who.person)).at(-1)!
  const root = await setUp()
  const form = { amount: String(ONE / 500_000), remark: 'cut off', returnTo: LOGS_PATH }
  expect((await root.form(`${LOGS_PATH}/${first.id}/refund`, form)).status).toBe(303)
  expect(await usedIn(id)).toEqual([ONE, 3 * ONE])
})

test('the length that a video has in the end is charged in the window in which it began', async () => {
  const maker = await videoServer(xai)
  await videoChannel(xai, maker)
  await priced(xai.model)
  maker.plays('long')
  const asked = 10 * SECOND_QUOTA
  const { person, token } = await spendingUser(10 * asked, 10 * asked)
  const { id } = await makeBudget('token', token.id, {
    window: 'rolling',
    seconds: 10,
    unit: 'quota',
    amount: 3 * asked,
  })
  await begun(new Client(person, token.key), { model: xai.model, ...xai.request })
  expect(await usedIn(id)).toEqual([asked])
  shiftClock(11)
  await looks(4)
  expect((await usedIn(id)).at(0)).toBe(2 * asked)
})

async function pruned() {
  await tick()
  await jobsDone()
}

test('prune-budgets: windows go 30 days after their end, short ones after a day, and the audit stays clean', async () => {
  const who = await client()
  const key = await keyOf(who)
  const budget = async (fields: Partial<NewBudget>) =>
    (await makeBudget('token', key, { unit: 'quota', amount: 1_000_000, ...fields })).id
  const short = await budget({ window: 'fixed', seconds: MINUTE })
  const rolling = await budget({ window: 'rolling', seconds: 5 * HOUR })
  const years = await budget({ window: 'fixed', seconds: TEN_YEARS })
  const all = await budget({ window: 'all' })
  shiftTo(HOUR)
  for (let minute = 0; minute < 3; minute++) {
    expect(await calls(who, 1)).toBe(1)
    shiftClock(MINUTE)
  }
  const first = (await logsOf(who.person)).at(-1)!
  const figures = async () => Promise.all([short, rolling, years, all].map(usedIn))
  expect(await figures()).toEqual([[ONE, ONE, ONE], [3 * ONE], [3 * ONE], [3 * ONE]])
  shiftClock(2 * DAY)
  expect(await calls(who, 1)).toBe(1)
  await pruned()
  expect(await figures()).toEqual([[ONE], [3 * ONE, ONE], [4 * ONE], [4 * ONE]])
  // A refund of a call whose short window is gone leaves the other short ones as they are.
  const form = { amount: String(ONE / 500_000), remark: 'late', returnTo: LOGS_PATH }
  expect((await (await setUp()).form(`${LOGS_PATH}/${first.id}/refund`, form)).status).toBe(303)
  expect(await figures()).toEqual([[ONE], [2 * ONE, ONE], [3 * ONE], [3 * ONE]])
  expect((await auditBudgets()).difference).toBeUndefined()
  shiftClock(31 * DAY)
  expect(await calls(who, 1)).toBe(1)
  await pruned()
  expect(await figures()).toEqual([[ONE], [ONE], [4 * ONE], [4 * ONE]])
  expect((await auditBudgets()).difference).toBeUndefined()
  const hours = await db.select().from(budgetHours).where(eq(budgetHours.budget_id, short))
  expect(hours).toHaveLength(1)
})

test('an owner has fifty budgets at most', async () => {
  const who = await client()
  const key = await keyOf(who)
  for (let count = 0; count < 50; count++)
    await makeBudget('token', key, { name: `budget ${count}`, amount: 50 - count })
  await expect(makeBudget('token', key, {})).rejects.toThrow('50')
  expect(await calls(who, 5)).toBe(1)
  expect((await budgetsOf('token', key)).map(({ used }) => used)).toEqual(Array(50).fill(1))
})

test('an edit amid a stream holds for the next call, and the stream is booked', async () => {
  const { who, id, now: state } = await limited({ amount: 5 })
  upstream.scripts(MODEL, chat({ pause_ms: 20, usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
  const stream = await who.stream()
  const reader = stream.body!.getReader()
  await reader.read()
  const root = await setUp()
  expect((await root.put(`/api/budget/${id}`, { amount: 1 })).success).toBe(true)
  expect(await calls(who, 2)).toBe(0)
  while (!(await reader.read()).done);
  expect(await state()).toMatchObject({ used: 1, reserved: 0, amount: 1 })
  const second = await limited({ amount: 5 })
  const another = await second.who.stream()
  expect((await root.delete(`/api/budget/${second.id}`)).success).toBe(true)
  expect(await another.text()).toContain('[DONE]')
  expect(await windowsOf(second.id)).toEqual([])
  upstream.scripts(MODEL, chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
})

test('a budget that is made amid a stream counts the stream in no window, and the next call in the first', async () => {
  const who = await client()
  const key = await keyOf(who)
  upstream.scripts(MODEL, chat({ pause_ms: 20, usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
  const reader = (await who.stream()).body!.getReader()
  await reader.read()
  const { id } = await makeBudget('token', key, { amount: 1 })
  while (!(await reader.read()).done);
  expect(await windowsOf(id)).toEqual([])
  const hours = () =>
    db
      .select({ start: budgetHours.start, used: budgetHours.used })
      .from(budgetHours)
      .where(eq(budgetHours.budget_id, id))
  expect(await hours()).toEqual([{ start: OUTSIDE, used: 1 }])
  upstream.scripts(MODEL, chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
  expect(await calls(who, 3)).toBe(1)
  expect(await usedIn(id)).toEqual([1])
})

test('a rolling window that a stream has opened holds for a clock that is set back before it is booked', async () => {
  const { who, id, now: state } = await limited({ window: 'rolling', seconds: MINUTE, amount: 2 })
  upstream.scripts(MODEL, chat({ pause_ms: 20, usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
  const reader = (await who.stream()).body!.getReader()
  await reader.read()
  shiftClock(-5)
  expect(await state()).toMatchObject({ used: 0, reserved: 1 })
  while (!(await reader.read()).done);
  upstream.scripts(MODEL, chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }))
  expect(await calls(who, 3)).toBe(1)
  expect(await usedIn(id)).toEqual([2])
})
