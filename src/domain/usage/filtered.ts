/** Consumption under a filter of the usage log, read from the roll-ups where they have the answer. */
import { type AnyColumn, and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { UsageSums } from '../../contracts/dashboard.ts'
import type { LogFilter } from '../../contracts/log.ts'
import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { db } from '../../db/database.ts'
import { isModelPattern, matchesModel } from '../logs/index.ts'
import { tokens } from '../tokens/table.ts'
import { HOUR_SECONDS } from './roll-up.ts'
import { isIn, partsOf, type Span } from './spans.ts'
import { sumOf, sums } from './sums.ts'
import { type RollUpKind, rollUps, usageDays, usageHours } from './table.ts'

/** `user_id` limits it to that user. A model may have wildcards. */
export interface UsageFilter extends Pick<LogFilter, 'token_name' | 'model_name' | 'group' | 'channel'> {
  user_id?: number
}

/** Sums of a range of whole hours. */
export async function usageUnder(filter: UsageFilter, range: Span): Promise<UsageSums> {
  if (range.from >= range.until) return sumOf([])
  const sources = await sourcesOf(filter, range, 'day')
  const parts = await Promise.all(sources.map(({ table, where }) => db.select(sums(table)).from(table).where(where)))
  return sumOf(parts.flat())
}

export interface HourSums extends UsageSums {
  hour: number
}

/** Sums by hour of a range of whole hours, in no order; hours without usage are left out. */
export async function hourlyUsageUnder(filter: UsageFilter, range: Span): Promise<HourSums[]> {
  if (range.from >= range.until) return []
  const sources = await sourcesOf(filter, range, 'hour')
  const parts = await Promise.all(
    sources.map(({ table, start, where }) =>
      db
        .select({ hour: sql<number>`${start}`.mapWith(Number), ...sums(table) })
        .from(table)
        .where(where)
        .groupBy(sql`${start}`),
    ),
  )
  return parts.flat()
}

/** Whether hourly sums need the hourly usage of all users: no roll-up holds several of these columns by the hour. */
export const isUnrolled = (filter: UsageFilter) => !isOfFewRows(filter) && siteColumns(filter).length > 1

/** Rows of one user or token are found by an index. */
const isOfFewRows = ({ user_id, token_name }: UsageFilter) => user_id !== undefined || token_name !== undefined

interface Source {
  table: typeof usageHours
  start: AnyColumn
  where: SQL | undefined
}

const siteColumns = ({ model_name, group, channel }: UsageFilter): RollUpKind[] => [
  ...(model_name === undefined ? [] : (['model'] as const)),
  ...(group === undefined ? [] : (['group'] as const)),
  ...(channel === undefined ? [] : (['channel'] as const)),
]

/** Tables that together hold the range once. @param finest `day` may read days of UTC */
async function sourcesOf(filter: UsageFilter, range: Span, finest: 'day' | 'hour'): Promise<Source[]> {
  const models = await modelsUnder(filter, range)
  if (isOfFewRows(filter)) return [ofHours(filter, models, [range])]
  const { days, hours, live } = await partsOf(range)
  const [kind = 'group', ...others] = siteColumns(filter)
  // A day has fewer sums than its hours, but for the hours by group.
  const readsDays = finest === 'day' && (kind !== 'group' || others.length > 0)
  if (!others.length) {
    const rolled = readsDays
      ? [...ofDays(filter, models, days), ...ofRollUps(filter, models, kind, hours)]
      : ofRollUps(filter, models, kind, [...days, ...hours])
    return [...rolled, ofHours(filter, models, live)]
  }
  if (!readsDays) return [ofHours(filter, models, [range])]
  return [...ofDays(filter, models, days), ofHours(filter, models, [...hours, ...live])]
}

function ofHours(filter: UsageFilter, models: string[] | undefined, spans: Span[]): Source {
  const { user_id, token_name, group, channel } = filter
  const where = and(
    spans.length ? isIn(usageHours.hour, spans) : sql`1 = 0`,
    user_id === undefined ? undefined : eq(usageHours.user_id, user_id),
    group === undefined ? undefined : eq(usageHours.group, group),
    channel === undefined ? undefined : eq(usageHours.channel_id, channel),
    models && inArray(usageHours.model, models),
    token_name === undefined ? undefined : isOfToken(token_name, user_id),
  )
  return { table: usageHours, start: usageHours.hour, where }
}

function ofDays({ group, channel }: UsageFilter, models: string[] | undefined, spans: Span[]): Source[] {
  if (!spans.length) return []
  const where = and(
    isIn(usageDays.day, spans),
    group === undefined ? undefined : eq(usageDays.group, group),
    channel === undefined ? undefined : eq(usageDays.channel_id, channel),
    models && inArray(usageDays.model, models),
  )
  return [{ table: usageDays as unknown as typeof usageHours, start: usageDays.day, where }]
}

function ofRollUps(
  { group, channel }: UsageFilter,
  models: string[] | undefined,
  kind: RollUpKind,
  spans: Span[],
): Source[] {
  if (!spans.length) return []
  const keys = models ?? [group, channel].filter(value => value !== undefined).map(String)
  const where = and(
    eq(rollUps.span, HOUR_SECONDS),
    eq(rollUps.kind, kind),
    isIn(rollUps.start, spans),
    models || keys.length ? inArray(rollUps.key, keys) : undefined,
  )
  return [{ table: rollUps as unknown as typeof usageHours, start: rollUps.start, where }]
}

/** The names that a model filter matches in the sums: the log may have been cleared. */
async function modelsUnder(filter: UsageFilter, range: Span): Promise<string[] | undefined> {
  const { model_name } = filter
  if (model_name === undefined) return undefined
  if (!isModelPattern(model_name)) return [model_name]
  const sources = await namesOf(filter, range)
  return [...new Set(sources.flat().map(({ name }) => name))].filter(name => matchesModel(name, model_name))
}

async function namesOf(filter: UsageFilter, range: Span) {
  const among = (spans: Span[]) => {
    const { where } = ofHours(filter, undefined, spans)
    return db.selectDistinct({ name: usageHours.model }).from(usageHours).where(where)
  }
  if (isOfFewRows(filter)) return [await among([range])]
  const { days, hours, live } = await partsOf(range)
  const [ofDay] = ofDays({}, undefined, days)
  const [ofHour] = ofRollUps({}, undefined, 'model', hours)
  return Promise.all([
    ofDay ? db.selectDistinct({ name: usageDays.model }).from(usageDays).where(ofDay.where) : [],
    ofHour ? db.selectDistinct({ name: rollUps.key }).from(rollUps).where(ofHour.where) : [],
    among(live),
  ])
}

/** Calls of the playground have no token: they are known by their group. */
function isOfToken(name: string, user_id: number | undefined): SQL | undefined {
  const isNamed = inArray(usageHours.token_id, tokensNamed(name, user_id))
  if (!name.startsWith(PLAYGROUND_PREFIX)) return isNamed
  const group = name.slice(PLAYGROUND_PREFIX.length)
  return or(isNamed, and(eq(usageHours.token_id, 0), eq(usageHours.group, group)))
}

/** Hourly sums hold token ids: a renamed token counts under its present name. */
const tokensNamed = (name: string, user_id: number | undefined) =>
  db
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(eq(tokens.name, name), user_id === undefined ? undefined : eq(tokens.user_id, user_id)))
