/** Rolls up hourly usage for site-wide lists. Lists read what is not rolled up, or stale, from the hourly usage itself. */
import { type AnyColumn, and, asc, eq, gte, lt, max, min, type SQL, sql } from 'drizzle-orm'
import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { count, total } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'
import { firstTokensFromLog, sumUpFirstTokens } from './first-token-days.ts'
import { type RollUpKind, rolledSpans, rollUps, usageDays, usageHours, userDays } from './table.ts'

export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400
const DAY_HOURS = DAY_SECONDS / HOUR_SECONDS

/** An hour is rolled up this long after its end: no transaction with its bills runs any more. */
const DELAY_SECONDS = HOUR_SECONDS

/** Calls of the playground have no token: they are known by their group, as in the usage log. */
const tokenKeyIn = ({ token_id, group }: Pick<typeof usageHours, 'token_id' | 'group'>) =>
  sql`case when ${token_id} = 0 then ${sql.raw(`'${PLAYGROUND_PREFIX}'`)} || ${group} else cast(${token_id} as text) end`

export const columnIn = (table: typeof usageHours | typeof userDays) =>
  ({
    model: table.model,
    group: table.group,
    channel: table.channel_id,
    user: table.user_id,
    token: tokenKeyIn(table as typeof usageHours),
  }) satisfies Record<RollUpKind, AnyColumn | SQL>

export const columnOf = columnIn(usageHours)

export const rollUpKinds = Object.keys(columnOf) as RollUpKind[]

/** End of the last hour that is rolled up, as this process knows it; unix seconds. */
let rolledUntil: number | undefined
onReset('rolled-until', () => {
  rolledUntil = undefined
})

/** Reads how far the hours are rolled up, so that settling knows which bills come late. */
export async function loadRolledUntil() {
  rolledUntil = await endOfLast(HOUR_SECONDS)
}

/**
 * Makes the spans of late bills stale, in the transaction that writes them. The hour after the last rolled one counts as
 * late too: another node may be rolling it up.
 */
export function* markLate(tx: Tx, hours: readonly { hour: number }[]) {
  const late = lateHours(hours)
  if (!late.length) return
  const days = new Set(late.map(dayStartOf))
  const spans = [
    ...late.map(start => ({ span: HOUR_SECONDS, start, is_stale: true })),
    ...Array.from(days, start => ({ span: DAY_SECONDS, start, is_stale: true })),
  ]
  const stale = { target: [rolledSpans.span, rolledSpans.start], set: { is_stale: true } }
  yield* run(tx.insert(rolledSpans).values(spans).onConflictDoUpdate(stale))
}

/** The spans that a late bill of an hour makes stale. */
export const lateSpansOf = (hours: readonly { hour: number }[]) =>
  lateHours(hours).flatMap(hour => [
    { hour, span: HOUR_SECONDS, start: hour },
    { hour, span: DAY_SECONDS, start: dayStartOf(hour) },
  ])

const dayStartOf = (hour: number) => hour - (hour % DAY_SECONDS)

function lateHours(hours: readonly { hour: number }[]): number[] {
  const starts = new Set(hours.map(({ hour }) => hour))
  const late = [...starts].filter(hour => rolledUntil === undefined || hour < rolledUntil + HOUR_SECONDS)
  return late.sort((one, other) => one - other)
}

/** Rolls up every hour and day that is due, oldest first, each in one short transaction. */
export async function rollUpUsage(signal?: AbortSignal) {
  rolledUntil = Math.max(rolledUntil ?? 0, await endOfLast(HOUR_SECONDS))
  for (const span of [HOUR_SECONDS, DAY_SECONDS]) {
    for (const start of await dueSpans(span)) {
      if (signal?.aborted) return
      if (span === HOUR_SECONDS) rolledUntil = Math.max(rolledUntil, start + span)
      await atomic(tx => (span === HOUR_SECONDS ? rollUpHour(tx, start) : rollUpDay(tx, start)))
      await Bun.sleep(0)
    }
  }
}

async function endOfLast(span: number): Promise<number> {
  const [row] = await db
    .select({ start: max(rolledSpans.start) })
    .from(rolledSpans)
    .where(isFresh(span))
  return row!.start === null ? 0 : row!.start + span
}

export const isFresh = (span: number) => and(eq(rolledSpans.span, span), eq(rolledSpans.is_stale, false))

/** Starts of stale spans and of those after the last rolled one, ascending. */
async function dueSpans(span: number): Promise<number[]> {
  const end = now() - DELAY_SECONDS
  const stale = await db
    .select({ start: rolledSpans.start })
    .from(rolledSpans)
    .where(and(eq(rolledSpans.span, span), eq(rolledSpans.is_stale, true)))
    .orderBy(asc(rolledSpans.start))
  const due = new Set(stale.map(({ start }) => start))
  const from = (await endOfLast(span)) || (await firstDay())
  if (from !== undefined) for (let start = from; start + span <= end; start += span) due.add(start)
  return [...due].filter(start => start + span <= end).sort((one, other) => one - other)
}

/** The day of the first usage. */
async function firstDay(): Promise<number | undefined> {
  const [row] = await db.select({ hour: min(usageHours.hour) }).from(usageHours)
  return row!.hour === null ? undefined : row!.hour - (row!.hour % DAY_SECONDS)
}

function* rollUpHour(tx: Tx, start: number) {
  if (!(yield* claim(tx, HOUR_SECONDS, start)) || !(yield* isUsed(tx, start, HOUR_SECONDS))) return
  for (const kind of rollUpKinds) {
    const column = sql`${columnOf[kind]}`
    const sums = tx
      .select(rowsOf(HOUR_SECONDS, kind, start, sql`cast(${column} as text)`, usageHours))
      .from(usageHours)
      .where(eq(usageHours.hour, start))
      .groupBy(column)
    yield* run(tx.insert(rollUps).select(sums))
  }
  yield* firstTokensFromLog(tx, { span: HOUR_SECONDS, start })
}

/** Whether a span has any usage: young sites have long ranges without. */
function* isUsed(tx: Tx, start: number, span: number) {
  const { hour } = usageHours
  const found = yield* run(
    tx
      .select({ hour })
      .from(usageHours)
      .where(and(gte(hour, start), lt(hour, start + span)))
      .limit(1),
  )
  return found.length > 0
}

/** Adds up hours. While one of them is not rolled up the day stays stale. */
function* rollUpDay(tx: Tx, start: number) {
  if (!(yield* claim(tx, DAY_SECONDS, start))) return
  const end = start + DAY_SECONDS
  const ofDay = and(isFresh(HOUR_SECONDS), gte(rolledSpans.start, start), lt(rolledSpans.start, end))
  const [fresh] = yield* run(tx.select({ hours: count() }).from(rolledSpans).where(ofDay))
  if (fresh!.hours < DAY_HOURS) return yield* release(tx, DAY_SECONDS, start)
  if (!(yield* isUsed(tx, start, DAY_SECONDS))) return
  for (const kind of rollUpKinds) {
    const hours = and(eq(rollUps.span, HOUR_SECONDS), eq(rollUps.kind, kind))
    const sums = tx
      .select(rowsOf(DAY_SECONDS, kind, start, sql`${rollUps.key}`, rollUps))
      .from(rollUps)
      .where(and(hours, gte(rollUps.start, start), lt(rollUps.start, end)))
      .groupBy(rollUps.key)
    yield* run(tx.insert(rollUps).select(sums))
  }
  yield* sumUpDay(tx, start)
  yield* sumUpUsers(tx, start)
  yield* sumUpFirstTokens(tx, { span: DAY_SECONDS, start }, HOUR_SECONDS)
}

/** Sums of a day by model, channel and group together. */
function* sumUpDay(tx: Tx, start: number) {
  yield* run(tx.delete(usageDays).where(eq(usageDays.day, start)))
  const { model, channel_id, group } = usageHours
  const sums = tx
    .select({ day: dayOf(start), model, channel_id, group, ...totals(usageHours) })
    .from(usageHours)
    .where(isInDay(start))
    .groupBy(model, channel_id, group)
  yield* run(tx.insert(usageDays).select(sums))
}

/** Sums of a day by everything. */
function* sumUpUsers(tx: Tx, start: number) {
  yield* run(tx.delete(userDays).where(eq(userDays.day, start)))
  const { user_id, token_id, channel_id, model, group } = usageHours
  const sums = tx
    .select({ user_id, day: dayOf(start), token_id, channel_id, model, group, ...totals(usageHours) })
    .from(usageHours)
    .where(isInDay(start))
    .groupBy(user_id, token_id, channel_id, model, group)
  yield* run(tx.insert(userDays).select(sums))
}

const dayOf = (start: number) => sql<number>`${sql.raw(String(start))}`.as('day')
const isInDay = (start: number) => and(gte(usageHours.hour, start), lt(usageHours.hour, start + DAY_SECONDS))

/**
 * Takes the lock of a span and empties it. A late bill waits for the lock and makes the span stale again; sums are read
 * after the lock, with every bill that came before.
 * @returns false when the span is rolled up already
 */
function* claim(tx: Tx, span: number, start: number) {
  const claimed = yield* run(
    tx
      .insert(rolledSpans)
      .values({ span, start })
      .onConflictDoUpdate({
        target: [rolledSpans.span, rolledSpans.start],
        set: { is_stale: false, revision: sql`${rolledSpans.revision} + 1` },
        setWhere: eq(rolledSpans.is_stale, true),
      })
      .returning({ start: rolledSpans.start }),
  )
  if (claimed.length) yield* run(tx.delete(rollUps).where(and(eq(rollUps.span, span), eq(rollUps.start, start))))
  return claimed.length > 0
}

function* release(tx: Tx, span: number, start: number) {
  const claimed = and(eq(rolledSpans.span, span), eq(rolledSpans.start, start))
  yield* run(tx.update(rolledSpans).set({ is_stale: true }).where(claimed))
}

/** Columns of `rollUps` in their order, with constants of the statement. */
const rowsOf = (
  span: number,
  kind: RollUpKind,
  start: number,
  key: ReturnType<typeof sql>,
  from: typeof usageHours | typeof rollUps,
) => ({
  span: sql<number>`${sql.raw(String(span))}`.as('span'),
  kind: sql<string>`${sql.raw(`'${kind}'`)}`.as('kind'),
  start: sql<number>`${sql.raw(String(start))}`.as('start'),
  key: sql<string>`${key}`.as('key'),
  ...totals(from),
})

const totals = (from: typeof usageHours | typeof rollUps) => ({
  calls: total(from.calls).as('calls'),
  prompt_tokens: total(from.prompt_tokens).as('prompt_tokens'),
  completion_tokens: total(from.completion_tokens).as('completion_tokens'),
  quota: total(from.quota).as('quota'),
  cache_read_tokens: total(from.cache_read_tokens).as('cache_read_tokens'),
  failed: total(from.failed).as('failed'),
})
