/** What was used under some filters: whole hours from the roll-ups, the ragged ends of the range from the log. */
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { type LogStat, LogType } from '../../contracts/log.ts'
import { db } from '../../db/database.ts'
import { count, total } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { tokens } from '../tokens/table.ts'
import { usageHours } from '../wallet/table.ts'
import { modelsLike } from './models.ts'
import { conditionOf, type LogScope } from './search.ts'
import { logs } from './table.ts'

const HOUR = 3600
const RATE_SECONDS = 60

type Sums = Pick<LogStat, 'quota' | 'prompt_tokens' | 'completion_tokens'>

/** Quota and tokens of the range, and the rates of the last minute; only consumption counts, whatever `type` says. */
export async function statOf(sought: LogScope): Promise<LogStat> {
  const [sums, rates] = await Promise.all([sumsOf({ ...sought, type: undefined }), ratesOf(sought)])
  return { ...sums, ...rates }
}

async function ratesOf(sought: LogScope) {
  const at = now()
  const lastMinute = await conditionOf({
    ...sought,
    type: LogType.consume,
    start_timestamp: at - RATE_SECONDS,
    end_timestamp: at,
  })
  const [row] = await db
    .select({ rpm: count(), tpm: total(sql`${logs.prompt_tokens} + ${logs.completion_tokens}`) })
    .from(logs)
    .where(lastMinute)
  return row!
}

async function sumsOf(sought: LogScope): Promise<Sums> {
  const { start, wholeFrom, wholeUntil, end } = cut(sought)
  if (wholeFrom >= wholeUntil) return fromLog(sought, start, end)
  const parts = await Promise.all([
    fromHours(sought, wholeFrom, wholeUntil),
    start < wholeFrom ? fromLog(sought, start, wholeFrom - 1) : nothing,
    wholeUntil <= end ? fromLog(sought, wholeUntil, end) : nothing,
  ])
  return parts.reduce((a, b) => ({
    quota: a.quota + b.quota,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
  }))
}

const nothing: Sums = { quota: 0, prompt_tokens: 0, completion_tokens: 0 }

/**
 * The whole hours inside a range, both ends of which are included. The hour that is not over yet is whole when the
 * range reaches beyond now.
 */
function cut({ start_timestamp: start = 0, end_timestamp }: LogScope) {
  const open = now() + HOUR - (now() % HOUR)
  const end = Math.min(end_timestamp ?? open, open)
  const wholeUntil = end >= now() ? open : end + 1 - ((end + 1) % HOUR)
  return { start, wholeFrom: Math.ceil(start / HOUR) * HOUR, wholeUntil, end: end >= now() ? open - 1 : end }
}

async function fromLog(sought: LogScope, start_timestamp: number, end_timestamp: number): Promise<Sums> {
  const where = await conditionOf({ ...sought, type: LogType.consume, start_timestamp, end_timestamp })
  const [row] = await db.select(sums(logs)).from(logs).where(where)
  return row!
}

async function fromHours(sought: LogScope, from: number, until: number): Promise<Sums> {
  const { user_id, token_name, model_name, group, channel } = sought
  const where = and(
    gte(usageHours.hour, from),
    lt(usageHours.hour, until),
    user_id === undefined ? undefined : eq(usageHours.user_id, user_id),
    group === undefined ? undefined : eq(usageHours.group, group),
    channel === undefined ? undefined : eq(usageHours.channel_id, channel),
    model_name === undefined ? undefined : inArray(usageHours.model, await modelsLike(model_name)),
    token_name === undefined ? undefined : inArray(usageHours.token_id, tokensCalled(token_name, user_id)),
  )
  const [row] = await db.select(sums(usageHours)).from(usageHours).where(where)
  return row!
}

/** Roll-ups know tokens by id. A renamed token counts under the name that it has now. */
const tokensCalled = (name: string, user_id: number | undefined) =>
  db
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(eq(tokens.name, name), user_id === undefined ? undefined : eq(tokens.user_id, user_id)))

const sums = (table: typeof logs | typeof usageHours) => ({
  quota: total(table.quota),
  prompt_tokens: total(table.prompt_tokens),
  completion_tokens: total(table.completion_tokens),
})
