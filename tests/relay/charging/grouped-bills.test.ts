// @engine both
/** Bills of a group are summed in memory and written by statements of many rows: the rows are those of one bill after another. */
import { afterAll, expect, test } from 'bun:test'
import { and, asc, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { usageOf } from '../../../src/billing/usage.ts'
import { BUDGET_UNITS } from '../../../src/contracts/budget.ts'
import { LogType } from '../../../src/contracts/log.ts'
import { TokenStatus } from '../../../src/contracts/token.ts'
import { atomic, run, withoutTransaction } from '../../../src/db/atomic.ts'
import { db, type Tx } from '../../../src/db/database.ts'
import { dialect } from '../../../src/db/dialect.ts'
import { type Booking, OUTSIDE } from '../../../src/domain/budgets/book.ts'
import { type BudgetRow, budgetHours, budgets, budgetWindows } from '../../../src/domain/budgets/table.ts'
import { channels } from '../../../src/domain/channels/table.ts'
import { type LogRow, logs } from '../../../src/domain/logs/table.ts'
import { tokens } from '../../../src/domain/tokens/table.ts'
import { rolledSpans, usageHours } from '../../../src/domain/usage/table.ts'
import { users } from '../../../src/domain/users/table.ts'
import type { BilledCall, EndedCall } from '../../../src/domain/wallet/ended-call.ts'
import { type CommittedBills, commitBills } from '../../../src/domain/wallet/settle.ts'
import { settleTogether } from '../../../src/domain/wallet/settle-together.ts'
import { settlements } from '../../../src/domain/wallet/table.ts'
import { holdClock, now } from '../../../src/process/clock.ts'
import { setUp } from '../../support/people/person.ts'
import { spendingUser } from '../../support/people/spending-user.ts'
import { makeChannel } from '../../support/upstream/channel.ts'

/** More than the largest statement has rows. */
const GROUP_MAX = 80
const MISSING = 999_999
const HOUR = 3600

const root = await setUp()
holdClock(true)
afterAll(() => holdClock(false))
const start = now() - (now() % HOUR)

const spenders = await Promise.all([
  spendingUser(1_000_000),
  spendingUser(5000, 2000),
  spendingUser(1000, 1_000_000),
  spendingUser(1000, 800),
])
const [, , , disabled] = spenders
await db.update(tokens).set({ status: TokenStatus.disabled }).where(eq(tokens.id, disabled!.token.id))
const channelIds = [(await makeChannel(root)).id, (await makeChannel(root)).id, MISSING]
const userIds = spenders.map(({ person }) => person.id)
const tokenIds = spenders.map(({ token }) => token.id)
const settledBefore = 'settled-before'
await db.insert(settlements).values({ request_id: settledBefore, created_time: 1 })

const rolling = { owner: 'user', owner_id: 1, amount: 1, window: 'rolling', refuses: false } as const
const limits = await db
  .insert(budgets)
  .values(BUDGET_UNITS.map(unit => ({ ...rolling, models: [], unit, name: unit, created_time: 1 })))
  .returning()
const goneBudget: BudgetRow = { ...limits[0]!, id: MISSING }

const tokenCount = fc.nat(1000)
const usage = fc
  .record({ input: tokenCount, cache_read: tokenCount, cache_write_5m: tokenCount, cache_write_1h: tokenCount })
  .chain(prompt =>
    fc.record({ output: tokenCount, output_audio: tokenCount }).map(rest => usageOf({ ...prompt, ...rest })),
  )
/** Names that run into each other when a blank joins them. */
const group = fc.constantFrom('default', 'a b', 'a')
const model = fc.constantFrom('gpt-4o', 'c', 'b c')
/** Absent fields are blank; PostgreSQL has no U+0000. */
const logged = fc.option(
  fc.record(
    {
      user_id: fc.constantFrom(...userIds),
      type: fc.constant(LogType.consume),
      created_at: fc.constantFrom(1000, 2000),
      username: fc.string({ unit: 'grapheme' }).map(name => name.replaceAll('\0', '')),
      model_name: fc.constantFrom('gpt-4o', 'nul\0byte'),
      is_stream: fc.boolean(),
      channel: fc.constantFrom(...channelIds),
      quota: tokenCount,
      other: fc.constantFrom('', '{"claude":true}'),
    },
    { requiredKeys: ['user_id', 'type'] },
  ),
  { nil: undefined },
)
const bill = fc.record({
  quota: fc.oneof(fc.constant(0), fc.nat(600)),
  usage,
  model,
  group,
  channel_id: fc.constantFrom(...channelIds),
  log: logged,
})
const booking = fc
  .record({
    budget: fc.constantFrom(...limits, goneBudget),
    start: fc.constantFrom(OUTSIDE, start - HOUR, start, start + 1),
    amount: tokenCount,
  })
  .map(booked => ({ ...booked, end: booked.start === OUTSIDE ? OUTSIDE : booked.start + HOUR }))
const bookings = fc.uniqueArray(booking, { selector: ({ budget }) => budget.id, maxLength: limits.length + 1 })
const call: fc.Arbitrary<EndedCall> = fc
  .record({
    request_id: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(settledBefore, 'twice', 'often') },
      { weight: 6, arbitrary: fc.uuid() },
    ),
    spender: fc.nat(spenders.length - 1),
    hasToken: fc.boolean(),
    at: fc.constantFrom(start + 1, start + 2, start - 1),
    bill: fc.option(bill, { nil: undefined, freq: 8 }),
    bookings: fc.option(bookings, { nil: undefined, freq: 2 }),
  })
  .map(({ request_id, spender, hasToken, at, bill, bookings }) => ({
    request_id,
    at,
    bill,
    bookings: bill && bookings,
    quota: 0,
    unlimited: false,
    model: 'gpt-4o',
    user_id: userIds[spender]!,
    token_id: hasToken ? tokenIds[spender]! : 0,
  }))

test('a group of bills leaves the rows of its bills one after another', async () => {
  const grouped = fc.array(call, { minLength: 1, maxLength: GROUP_MAX, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(call, { minLength: 1, maxLength: 3 }), grouped), async calls => {
      const together = await rowsAfter(tx => commitBills(tx, calls))
      const apart = await rowsAfter(tx => commitOneByOne(tx, calls))
      expect(together).toEqual(apart)
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

if (dialect === 'postgres')
  test('the one statement of PostgreSQL leaves the rows of its transaction', async () => {
    const grouped = fc.array(call, { minLength: 1, maxLength: GROUP_MAX, size: 'max' })
    await fc.assert(
      fc.asyncProperty(grouped, async calls => {
        const inTransaction = await rowsAfter(tx => commitBills(tx, calls))
        const { balances, passed_over } = await settleTogether(calls)
        expect(passed_over).toEqual([])
        const committed = { balances: byUser(balances) }
        expect({ committed, ...(await withoutTransaction(writtenRows)) }).toEqual(inTransaction as any)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

const byUser = (balances: CommittedBills['balances']) => balances.toSorted((one, other) => one.user_id - other.user_id)

class RolledBack extends Error {
  constructor(readonly rows: object) {
    super('rolled back')
  }
}

/** Every row that settling writes, after some work that is then rolled back. */
async function rowsAfter(work: (tx: Tx) => Generator<PromiseLike<any>, CommittedBills, any>): Promise<object> {
  const attempt = atomic(function* (tx) {
    const { balances } = yield* work(tx)
    throw new RolledBack({ committed: { balances: byUser(balances) }, ...(yield* writtenRows(tx)) })
  })
  const error = await attempt.catch(error => error)
  if (error instanceof RolledBack) return error.rows
  throw error
}

function* writtenRows(tx: Tx) {
  const { hour, user_id, token_id, channel_id, model, group } = usageHours
  return {
    users: yield* run(tx.select().from(users).where(inArray(users.id, userIds)).orderBy(asc(users.id))),
    tokens: yield* run(tx.select().from(tokens).where(inArray(tokens.id, tokenIds)).orderBy(asc(tokens.id))),
    channels: yield* run(tx.select().from(channels).orderBy(asc(channels.id))),
    hours: yield* run(tx.select().from(usageHours).orderBy(hour, user_id, token_id, channel_id, model, group)),
    spans: yield* run(tx.select().from(rolledSpans).orderBy(rolledSpans.span, rolledSpans.start)),
    windows: yield* run(tx.select().from(budgetWindows).orderBy(budgetWindows.budget_id, budgetWindows.start)),
    booked: yield* run(
      tx.select().from(budgetHours).orderBy(budgetHours.budget_id, budgetHours.hour, budgetHours.start),
    ),
    settlements: yield* run(tx.select().from(settlements).orderBy(settlements.request_id)),
    logs: withoutIds(yield* run(tx.select().from(logs).orderBy(asc(logs.id)))),
  }
}

/** A rolled-back PostgreSQL transaction has used its ids up. */
const withoutIds = (rows: LogRow[]) => rows.map(({ id: _, ...row }) => row)

/** The rule of a bill in plain steps: what is read is computed here, and written as it is. */
function* commitOneByOne(tx: Tx, calls: readonly EndedCall[]) {
  const exhausted = new Set<number>()
  const balances = new Map<number, number>()
  for (const ended of calls) {
    const { request_id, at, bill } = ended
    if (!bill) continue
    const same = eq(settlements.request_id, request_id)
    if ((yield* run(tx.select().from(settlements).where(same))).length) continue
    yield* run(tx.insert(settlements).values({ request_id, created_time: at }))
    const balance = yield* chargeUser(tx, ended.user_id, bill.quota)
    if (bill.quota || balances.has(ended.user_id)) balances.set(ended.user_id, balance)
    if (ended.token_id && (yield* chargeToken(tx, ended.token_id, bill.quota))) exhausted.add(ended.token_id)
    const [channel] = yield* run(tx.select().from(channels).where(eq(channels.id, bill.channel_id)))
    if (channel) {
      const used_quota = channel.used_quota + bill.quota
      yield* run(tx.update(channels).set({ used_quota }).where(eq(channels.id, channel.id)))
    }
    yield* addToHour(tx, { ...ended, bill })
    for (const booked of ended.bookings ?? []) yield* addToBudget(tx, booked, at)
    if (bill.log) yield* writeEntry(tx, bill.log)
  }
  return {
    exhausted: [...exhausted],
    balances: Array.from(balances, ([user_id, balance]) => ({ user_id, balance })),
  }
}

function* chargeUser(tx: Tx, id: number, quota: number) {
  const [user] = yield* run(tx.select().from(users).where(eq(users.id, id)))
  const charged = {
    quota: user!.quota - quota,
    used_quota: user!.used_quota + quota,
    request_count: user!.request_count + 1,
  }
  yield* run(tx.update(users).set(charged).where(eq(users.id, id)))
  return charged.quota
}

/** @returns whether nothing is left */
function* chargeToken(tx: Tx, id: number, quota: number) {
  const [token] = yield* run(tx.select().from(tokens).where(eq(tokens.id, id)))
  const { unlimited_quota, status } = token!
  const remain_quota = unlimited_quota ? token!.remain_quota : token!.remain_quota - quota
  const runsOut = !unlimited_quota && remain_quota <= 0 && status === TokenStatus.enabled
  const charged = {
    remain_quota,
    used_quota: token!.used_quota + quota,
    status: runsOut ? TokenStatus.exhausted : status,
  }
  yield* run(tx.update(tokens).set(charged).where(eq(tokens.id, id)))
  return charged.status === TokenStatus.exhausted
}

function* addToHour(tx: Tx, { user_id, token_id, at, bill }: BilledCall) {
  const { channel_id, model, group, usage, quota } = bill
  const key = { user_id, hour: at - (at % HOUR), token_id, channel_id, model, group }
  const names = Object.keys(key) as (keyof typeof key)[]
  const isSame = and(...names.map(name => eq(usageHours[name], key[name])))
  const [row] = yield* run(tx.select().from(usageHours).where(isSame))
  const sums = {
    calls: (row?.calls ?? 0) + 1,
    prompt_tokens:
      (row?.prompt_tokens ?? 0) + usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h,
    completion_tokens: (row?.completion_tokens ?? 0) + usage.output + usage.output_audio,
    cache_read_tokens: (row?.cache_read_tokens ?? 0) + usage.cache_read,
    cache_write_tokens: (row?.cache_write_tokens ?? 0) + usage.cache_write_5m + usage.cache_write_1h,
    quota: (row?.quota ?? 0) + quota,
  }
  if (row) yield* run(tx.update(usageHours).set(sums).where(isSame))
  else yield* run(tx.insert(usageHours).values({ ...key, ...sums }))
  const day = key.hour - (key.hour % (24 * HOUR))
  for (const [span, start] of [[HOUR, key.hour] as const, [24 * HOUR, day] as const])
    yield* run(tx.insert(rolledSpans).values({ span, start, is_stale: true }).onConflictDoNothing())
}

function* addToBudget(tx: Tx, { budget, start, end, amount }: Booking, at: number) {
  if (budget.id === MISSING) return
  const inWindow = and(eq(budgetWindows.budget_id, budget.id), eq(budgetWindows.start, start))
  const [window] = yield* run(tx.select().from(budgetWindows).where(inWindow))
  if (window)
    yield* run(
      tx
        .update(budgetWindows)
        .set({ used: window.used + amount })
        .where(inWindow),
    )
  else if (start !== OUTSIDE)
    yield* run(tx.insert(budgetWindows).values({ budget_id: budget.id, start, end, used: amount }))
  const key = { budget_id: budget.id, start, hour: at - (at % HOUR) }
  const inHour = and(eq(budgetHours.budget_id, budget.id), eq(budgetHours.start, start), eq(budgetHours.hour, key.hour))
  const [hour] = yield* run(tx.select().from(budgetHours).where(inHour))
  if (hour)
    yield* run(
      tx
        .update(budgetHours)
        .set({ used: hour.used + amount })
        .where(inHour),
    )
  else yield* run(tx.insert(budgetHours).values({ ...key, used: amount }))
}

function* writeEntry(
  tx: Tx,
  { model_name = '', created_at = now(), ...entry }: NonNullable<BilledCall['bill']['log']>,
) {
  yield* run(tx.insert(logs).values({ ...entry, created_at, model_name: model_name.replaceAll('\0', '') }))
}
