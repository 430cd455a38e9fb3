/** The rows of a channel's attempts by hour and model: few models of each hour, added up by hour or by model. */
import { type AnyColumn, and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import {
  FAILURE_KINDS,
  failedIn,
  HISTORY_DAYS,
  HISTORY_MODELS_MAX,
  type HistoryCounts,
} from '../../../contracts/channel-history.ts'
import { FIRST_TOKEN_BUCKETS } from '../../../contracts/first-token.ts'
import { run } from '../../../db/atomic.ts'
import { bulkInsert } from '../../../db/bulk-insert.ts'
import { db, type Tx } from '../../../db/database.ts'
import { total } from '../../../db/fragments.ts'
import { now } from '../../../process/clock.ts'
import { store } from '../../../process/stores.ts'
import { channelModelHours } from '../../channels/table.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

const countNames = ['succeeded', ...FAILURE_KINDS, ...FIRST_TOKEN_BUCKETS] as const
const keyNames = ['channel_id', 'hour', 'model'] as const

type ModelHour = typeof channelModelHours.$inferInsert & HistoryCounts

/** Names that a channel's hour has on this node. */
interface NamedModels {
  hour: number
  names: Set<string>
}
const named = store('channel-models', new Map<number, NamedModels>())

/** Adds the counts of this second, in one order on every node. */
export function* addModelHours(tx: Tx, rows: readonly ModelHour[]) {
  const bounded = new Map<string, ModelHour>()
  for (const row of rows) {
    const model = boundedName(row)
    const key = `${row.channel_id} ${row.hour} ${model}`
    const same = bounded.get(key)
    if (same) for (const name of countNames) same[name] += row[name]
    else bounded.set(key, { ...row, model })
  }
  const sorted = [...bounded].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  yield* run(insert(tx, sorted))
}

function boundedName({ channel_id, hour, model }: ModelHour): string {
  const known = named.get(channel_id)
  const { names } = known && known.hour >= hour ? known : { names: new Set<string>() }
  if (!known || known.hour < hour) named.set(channel_id, { hour, names })
  if (names.has(model)) return model
  if (names.size >= HISTORY_MODELS_MAX) return ''
  names.add(model)
  return model
}

const insert = bulkInsert([...keyNames, ...countNames], (tx, rows) =>
  tx
    .insert(channelModelHours)
    .values(rows)
    .onConflictDoUpdate({
      target: keyNames.map(name => channelModelHours[name]),
      set: Object.fromEntries(
        countNames.map(name => [name, sql`${channelModelHours[name]} + ${sql.raw(`excluded.${name}`)}`]),
      ),
    }),
)

/** Whose attempts: of one model, or of all. */
export interface HistoryScope {
  channel: number
  /** Unix seconds of the first hour, and of the end. */
  from: number
  until?: number
  model?: string
}

const isIn = ({ channel, from, until, model }: HistoryScope) =>
  and(
    eq(channelModelHours.channel_id, channel),
    gte(channelModelHours.hour, from),
    until === undefined ? undefined : lt(channelModelHours.hour, until),
    model === undefined ? undefined : eq(channelModelHours.model, model),
  )

const sums = () =>
  Object.fromEntries(countNames.map(name => [name, total(channelModelHours[name] as AnyColumn)])) as Record<
    (typeof countNames)[number],
    ReturnType<typeof total>
  >

export type HistoryHour = HistoryCounts & { hour: number }

/** Hours with attempts, oldest first. */
export const historyByHour = (scope: HistoryScope): Promise<HistoryHour[]> =>
  db
    .select({ hour: channelModelHours.hour, ...sums() })
    .from(channelModelHours)
    .where(isIn(scope))
    .groupBy(channelModelHours.hour)
    .orderBy(asc(channelModelHours.hour))

export type HistoryModel = HistoryCounts & { model: string }

/** Those with the most attempts first. */
export async function historyByModel(scope: HistoryScope): Promise<HistoryModel[]> {
  const rows = await db
    .select({ model: channelModelHours.model, ...sums() })
    .from(channelModelHours)
    .where(isIn(scope))
    .groupBy(channelModelHours.model)
  return rows.sort((one, other) => attemptsIn(other) - attemptsIn(one) || (one.model < other.model ? -1 : 1))
}

const attemptsIn = (counts: HistoryCounts) => counts.succeeded + failedIn(counts) + counts.bad_request

/** Adds counts up. */
export function historySum(parts: readonly HistoryCounts[]): HistoryCounts {
  const sum = Object.fromEntries(countNames.map(name => [name, 0])) as unknown as HistoryCounts
  for (const part of parts) for (const name of countNames) sum[name] += part[name]
  return sum
}

/** Unix seconds of the first hour of the last days, whole hours. */
export const historyStart = (days = HISTORY_DAYS): number =>
  now() - (now() % HOUR_SECONDS) + HOUR_SECONDS - days * DAY_SECONDS
