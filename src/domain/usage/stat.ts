/** Totals of the usage log under a filter: consumption from hourly sums, the ends of the range and other types from the log. */
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { type LogStat, LogType } from '../../contracts/log.ts'
import { db } from '../../db/database.ts'
import { count, total } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { conditionOf, isModelPattern, type LogScope, logs, matchesModel } from '../logs/index.ts'
import { tokens } from '../tokens/table.ts'
import { usageHours } from './table.ts'

const HOUR_SECONDS = 3600
const RATE_SECONDS = 60

type Sums = Pick<LogStat, 'quota' | 'prompt_tokens' | 'completion_tokens'>

/** Totals of the range, and rates of the last 60 seconds. Without a type in the filter consumption is counted. */
export async function statOf(filter: LogScope): Promise<LogStat> {
  const scope = { ...filter, type: filter.type || LogType.consume }
  const [sums, rates] = await Promise.all([sumsOf(scope), ratesOf(scope)])
  return { ...sums, ...rates }
}

async function ratesOf(scope: LogScope) {
  const at = now()
  const lastMinute = await conditionOf({ ...scope, start_timestamp: at - RATE_SECONDS, end_timestamp: at })
  const [row] = await db
    .select({ rpm: count(), tpm: total(sql`${logs.prompt_tokens} + ${logs.completion_tokens}`) })
    .from(logs)
    .where(lastMinute)
  return row!
}

async function sumsOf(scope: LogScope): Promise<Sums> {
  if (scope.type !== LogType.consume) return fromLog(scope)
  const { start, wholeFrom, wholeUntil, end } = wholeHoursOf(scope)
  if (wholeFrom >= wholeUntil) return fromLog(scope, start, end)
  const parts = await Promise.all([
    fromHours(scope, wholeFrom, wholeUntil),
    start < wholeFrom ? fromLog(scope, start, wholeFrom - 1) : [],
    wholeUntil <= end ? fromLog(scope, wholeUntil, end) : [],
  ])
  return sumOf(parts.flat())
}

const sumOf = (parts: Sums[]): Sums =>
  parts.reduce(
    (a, b) => ({
      quota: a.quota + b.quota,
      prompt_tokens: a.prompt_tokens + b.prompt_tokens,
      completion_tokens: a.completion_tokens + b.completion_tokens,
    }),
    { quota: 0, prompt_tokens: 0, completion_tokens: 0 },
  )

/** The whole hours inside a range with inclusive ends. The current hour is whole when the range reaches beyond now. */
function wholeHoursOf({ start_timestamp: start = 0, end_timestamp }: LogScope) {
  const nextHour = now() + HOUR_SECONDS - (now() % HOUR_SECONDS)
  const end = Math.min(end_timestamp ?? nextHour, nextHour)
  const wholeUntil = end >= now() ? nextHour : end + 1 - ((end + 1) % HOUR_SECONDS)
  const wholeFrom = Math.ceil(start / HOUR_SECONDS) * HOUR_SECONDS
  return { start, wholeFrom, wholeUntil, end: end >= now() ? nextHour - 1 : end }
}

async function fromLog(
  scope: LogScope,
  start_timestamp = scope.start_timestamp,
  end_timestamp = scope.end_timestamp,
): Promise<Sums> {
  const where = await conditionOf({ ...scope, start_timestamp, end_timestamp })
  const [row] = await db.select(sums(logs)).from(logs).where(where)
  return row!
}

/** Model patterns are matched here, against the names in the sums: the log may have been cleared. */
async function fromHours(scope: LogScope, from: number, until: number): Promise<Sums[]> {
  const { user_id, token_name, model_name, group, channel } = scope
  const isPattern = model_name !== undefined && isModelPattern(model_name)
  const where = and(
    gte(usageHours.hour, from),
    lt(usageHours.hour, until),
    user_id === undefined ? undefined : eq(usageHours.user_id, user_id),
    group === undefined ? undefined : eq(usageHours.group, group),
    channel === undefined ? undefined : eq(usageHours.channel_id, channel),
    model_name === undefined || isPattern ? undefined : eq(usageHours.model, model_name),
    token_name === undefined ? undefined : inArray(usageHours.token_id, tokensNamed(token_name, user_id)),
  )
  if (!isPattern) return db.select(sums(usageHours)).from(usageHours).where(where)
  const rows = await db
    .select({ model: usageHours.model, ...sums(usageHours) })
    .from(usageHours)
    .where(where)
    .groupBy(usageHours.model)
  return rows.filter(({ model }) => matchesModel(model, model_name))
}

/** Hourly sums hold token ids: a renamed token counts under its present name. */
const tokensNamed = (name: string, user_id: number | undefined) =>
  db
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(eq(tokens.name, name), user_id === undefined ? undefined : eq(tokens.user_id, user_id)))

const sums = (table: typeof logs | typeof usageHours) => ({
  quota: total(table.quota),
  prompt_tokens: total(table.prompt_tokens),
  completion_tokens: total(table.completion_tokens),
})
