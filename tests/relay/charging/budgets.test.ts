// @engine both
/** Budgets: what does not fit into the window of now is refused, under any parallelism. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { BudgetOwner, NewBudget } from '../../../src/contracts/budget.ts'
import { auditBudgets } from '../../../src/domain/budgets/index.ts'
import { auditWallets } from '../../../src/domain/wallet/index.ts'
import { holdClock, now, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { budgetsOf, keyOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, MODEL, quotaOf } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat, gate, refuses } from '../../support/upstream/chat-scripts.ts'
import { channelTo, served, startUpstream } from '../../support/upstream/served-channel.ts'

const [PROMPT, OUTPUT] = [8, 4]
const answers = chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } })
const upstream = await startUpstream(answers)
await channelTo(upstream, { models: `${MODEL},gpt-4o-mini` })
const ONE = quotaOf(PROMPT, OUTPUT)
// Small calls hold what they use.
await setOption('PreConsumedQuota', 0)

beforeEach(() => holdClock(true))
afterEach(async () => {
  holdClock(false)
  expect((await auditBudgets()).difference).toBeUndefined()
  expect((await auditWallets()).difference).toBeUndefined()
})

const ownerOf = async (who: Client, owner: BudgetOwner) => (owner === 'user' ? who.person.id : keyOf(who))
const limited = async (owner: 'user' | 'token', fields: Partial<NewBudget> = {}) => {
  const who = await client()
  const id = await ownerOf(who, owner)
  return { who, budget: await makeBudget(owner, id, fields), now: async () => (await budgetsOf(owner, id))[0]! }
}

async function statuses(who: Client, count: number, fields: Record<string, unknown> = {}) {
  const responses = await Promise.all(Array.from({ length: count }, () => who.chat({ max_tokens: 4, ...fields })))
  const counted: Record<number, number> = {}
  for (const response of responses) {
    await response.text()
    counted[response.status] = (counted[response.status] ?? 0) + 1
  }
  return counted
}

const HOUR = 3600
const windows: [string, Partial<NewBudget>][] = [
  ['all time', { window: 'all' }],
  ['a rolling window', { window: 'rolling', seconds: 5 * HOUR }],
  ['a fixed window', { window: 'fixed', seconds: HOUR, anchor: 100 }],
  ['a day', { window: 'day', zone: 'Asia/Shanghai' }],
  ['a week', { window: 'week', zone: 'America/New_York' }],
  ['a month', { window: 'month', zone: 'Pacific/Apia' }],
  ['ten years', { window: 'fixed', seconds: 315_576_000 }],
]

describe.each(['user', 'token'] as const)('a budget of a %s', owner => {
  test.each(windows)('for seven calls in %s: seven of a hundred pass', async (_, fields) => {
    const { who, now } = await limited(owner, fields)
    expect(await statuses(who, 100)).toEqual({ 200: 7, 429: 93 })
    expect(await now()).toMatchObject({ used: 7, reserved: 0 })
  })
})

test.each([
  ['quota', 7 * ONE],
  ['tokens', 7 * (PROMPT + OUTPUT)],
] as const)('a budget of %s for seven calls is never exceeded, and used up in the end', async (unit, amount) => {
  const { who, now } = await limited('token', { unit, amount })
  for (let round = 0; round < 12; round++) await statuses(who, 10, { max_tokens: OUTPUT })
  const { used, reserved } = await now()
  expect(reserved).toBe(0)
  expect(used).toBeWithin(amount / 2, amount + 1)
})

test('the output of a call is cut to what budgets of quota and tokens have left', async () => {
  for (const fields of [
    { unit: 'quota', amount: quotaOf(500, 1000) } as const,
    { unit: 'tokens', amount: 1500 } as const,
  ]) {
    const { who } = await limited('token', fields)
    expect((await who.chat({ max_tokens: 100_000 })).status).toBe(200)
    expect(upstream.journal.at(-1)!.body.max_tokens).toBeWithin(900, 1501)
    // Each of two answers has half of it.
    expect((await who.chat({ max_tokens: 100_000, n: 2 })).status).toBe(200)
    expect(upstream.journal.at(-1)!.body.max_tokens).toBeWithin(450, 751)
  }
})

test('the refusal names the budget, what is used, the limit and when it begins anew', async () => {
  const { who, budget } = await limited('token', { name: 'Five hours', window: 'rolling', seconds: 60, amount: 1 })
  expect((await who.chat()).status).toBe(200)
  shiftClock(10)
  const refused = await who.chat()
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '50',
    'x-tollgate-budget-name': 'Five%20hours',
    'x-tollgate-budget-used': '1',
    'x-tollgate-budget-limit': '1',
    'x-tollgate-budget-reset': new Date((now() + 50) * 1000).toISOString().replace('.000', ''),
  })
  const error = await errorOf(refused)
  expect(error).toMatchObject({ status: 429, code: 'budget_exhausted' })
  expect(error.message).toContain('“Five hours”')
  expect(budget.amount).toBe(1)
  shiftClock(50)
  expect((await who.chat()).status).toBe(200)
  expect((await who.chat()).status).toBe(429)
})

test('a budget that running calls hold is asked again in a second, also one that never renews', async () => {
  const { who } = await limited('user', { amount: 1 })
  const { script, open } = gate()
  upstream.scripts(MODEL, script)
  const running = await who.stream()
  const refused = await who.chat()
  open()
  await running.text()
  upstream.scripts(MODEL, answers)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'budget_exhausted' })
})

test('a budget that never renews is not asked again', async () => {
  const { who } = await limited('user', { amount: 1 })
  expect((await who.chat()).status).toBe(200)
  const refused = await who.chat()
  expect(refused.headers.get('retry-after')).toBeNull()
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'budget_spent' })
})

test('the strictest of several budgets decides, those of other models do not count, and notices refuse nothing', async () => {
  const who = await client()
  const [user, key] = [who.person.id, await keyOf(who)]
  await makeBudget('user', user, { amount: 5 })
  await makeBudget('token', key, { amount: 3, name: 'strict', models: [MODEL] })
  await makeBudget('token', key, { amount: 1, models: ['gpt-4o-mini'] })
  await makeBudget('token', key, { amount: 1, refuses: false })
  expect(await statuses(who, 20)).toEqual({ 200: 3, 429: 17 })
  expect((await budgetsOf('token', key)).map(({ used }) => used)).toEqual([3, 0, 3])
  expect((await budgetsOf('user', user))[0]).toMatchObject({ used: 3, reserved: 0 })
})

test('the refusal is that of the budget which has no room for the longest time', async () => {
  const who = await client()
  const key = await keyOf(who)
  for (const seconds of [60, 600, 300])
    await makeBudget('token', key, { amount: 1, name: `${seconds} s`, window: 'rolling', seconds })
  expect(await statuses(who, 1)).toEqual({ 200: 1 })
  const { headers } = await who.chat()
  expect([headers.get('retry-after'), headers.get('x-tollgate-budget-name')]).toEqual(['600', '600%20s'])
})

test('a call that fails gives back what it has held', async () => {
  const { who, now } = await limited('token', { amount: 2 })
  upstream.scripts(MODEL, refuses(400, { message: 'no' }))
  for (let call = 0; call < 4; call++) expect((await who.chat()).status).toBe(400)
  upstream.scripts(MODEL, answers)
  expect(await now()).toMatchObject({ used: 0, reserved: 0 })
  expect(await statuses(who, 5)).toEqual({ 200: 2, 429: 3 })
})

test('a rolling window has begun while its first call runs', async () => {
  const { who, now: budgetNow } = await limited('token', { window: 'rolling', seconds: 60 })
  expect(await budgetNow()).toMatchObject({ reserved: 0, starts_at: null, ends_at: null })
  const held = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await held.promise
    return answers(call, answer)
  })
  const before = upstream.journal.length
  const running = who.chat()
  while (upstream.journal.length === before) await Bun.sleep(5)
  expect(await budgetNow()).toMatchObject({ used: 0, reserved: 1, starts_at: now(), ends_at: now() + 60 })
  held.resolve()
  expect((await running).status).toBe(200)
  upstream.scripts(MODEL, answers)
})

test('a rolling window opens with the first call, and not with a look at it', async () => {
  const { who, now: state } = await limited('token', { window: 'rolling', seconds: HOUR, amount: 2 })
  expect(await state()).toMatchObject({ used: 0, starts_at: null })
  shiftClock(HOUR - 10)
  const begun = now()
  expect(await statuses(who, 1)).toEqual({ 200: 1 })
  expect(await state()).toMatchObject({ used: 1, starts_at: begun, ends_at: begun + HOUR })
})

test('a call is booked in the window in which it began', async () => {
  const { who, now } = await limited('token', { window: 'rolling', seconds: 60, amount: 1 })
  const gate = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await gate.promise
    return answers(call, answer)
  })
  const slow = who.chat()
  const before = upstream.journal.length
  while (upstream.journal.length === before) await Bun.sleep(5)
  shiftClock(61)
  upstream.scripts(MODEL, answers)
  expect((await who.chat()).status).toBe(200)
  gate.resolve()
  expect((await slow).status).toBe(200)
  expect(await now()).toMatchObject({ used: 1, reserved: 0 })
})

test('a budget that is deleted or changed while calls run hinders none of them', async () => {
  const { who, budget } = await limited('token', { amount: 3 })
  const gate = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await gate.promise
    return answers(call, answer)
  })
  const before = upstream.journal.length
  const running = [who.chat(), who.chat(), who.chat()]
  while (upstream.journal.length < before + 3) await Bun.sleep(5)
  const root = await setUp()
  expect((await root.put(`/api/budget/${budget.id}`, { amount: 1 })).success).toBe(true)
  expect((await who.chat()).status).toBe(429)
  expect((await root.delete(`/api/budget/${budget.id}`)).success).toBe(true)
  const late = await makeBudget('token', await keyOf(who), { amount: 1 })
  gate.resolve()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200])
  upstream.scripts(MODEL, answers)
  expect(await budgetsOf('token', await keyOf(who))).toMatchObject([{ id: late.id, used: 0, reserved: 0 }])
  expect(await statuses(who, 3)).toEqual({ 200: 1, 429: 2 })
})

test('a clock that is set back and forward opens no window twice', async () => {
  const { who, now } = await limited('token', { window: 'rolling', seconds: 60, amount: 2 })
  expect(await statuses(who, 3)).toEqual({ 200: 2, 429: 1 })
  shiftClock(-30)
  expect(await statuses(who, 3)).toEqual({ 429: 3 })
  shiftClock(60)
  expect(await statuses(who, 3)).toEqual({ 429: 3 })
  shiftClock(30)
  expect(await statuses(who, 3)).toEqual({ 200: 2, 429: 1 })
  expect(await now()).toMatchObject({ used: 2 })
})

test('a channel whose budget is used up is passed over, and clients wait when all are', async () => {
  const models = 'gpt-4-turbo'
  const other = await startUpstream(answers, models)
  upstream.scripts(models, answers)
  const [first, second] = [
    (await channelTo(upstream, { models, priority: 10 })).id,
    (await channelTo(other, { models, priority: 0 })).id,
  ]
  await makeBudget('channel', first, { amount: 3, name: 'secret', window: 'rolling', seconds: 60 })
  await makeBudget('channel', second, { amount: 2, window: 'rolling', seconds: 90 })
  const who = await client()
  expect(await statuses(who, 20, { model: models })).toEqual({ 200: 5, 429: 15 })
  const refused = await who.chat({ model: models })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refused.text()).not.toContain('secret')
  expect((await budgetsOf('channel', first))[0]).toMatchObject({ used: 3, reserved: 0 })
  expect((await budgetsOf('channel', second))[0]).toMatchObject({ used: 2, reserved: 0 })
})

test.each([
  ['has none', undefined],
  ['has one too', { amount: 2 }],
] as const)('a call that a channel fails takes none of its budget, where the next channel %s', async (_, fields) => {
  const models = 'gpt-4.1'
  const failing = await served(refuses(500), { models, priority: 10 }, models)
  const next = await served(answers, { models, priority: 0 }, models)
  await makeBudget('channel', failing.id, { amount: 3 })
  if (fields) await makeBudget('channel', next.id, fields)
  await setOption('RetryTimes', 1)
  const answered = await statuses(await client(), 1, { model: models })
  await setOption('RetryTimes', 0)
  expect(answered).toEqual({ 200: 1 })
  expect(failing.calls()).toBe(1)
  expect(await budgetsOf('channel', failing.id)).toMatchObject([{ used: 0, reserved: 0 }])
  if (fields) expect(await budgetsOf('channel', next.id)).toMatchObject([{ used: 1, reserved: 0 }])
  for (const { id } of [failing, next]) await (await setUp()).delete(`/api/channel/${id}`)
})

test('GET /v1/usage tells a key its budgets and those of its user', async () => {
  const who = await client()
  await makeBudget('user', who.person.id, { name: 'of user', window: 'day', zone: 'UTC' })
  await makeBudget('token', await keyOf(who), { name: 'of key', unit: 'quota', amount: 1000 })
  expect((await who.chat({ max_tokens: 4 })).status).toBe(200)
  const usage = (await (await who.get('/v1/usage')).json()) as { data: Record<string, unknown>[] }
  expect(usage.data).toMatchObject([
    { name: 'of key', owner: 'key', unit: 'quota', limit: 1000, used: ONE, reserved: 0, remaining: 1000 - ONE },
    { name: 'of user', owner: 'user', unit: 'calls', limit: 7, used: 1, remaining: 6, window: 'day' },
  ])
  expect(Date.parse(String(usage.data[1]!.resets_at))).toBeGreaterThan(now() * 1000)
})
