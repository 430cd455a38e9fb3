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
import { channelHistory, type HistoryPart } from '../../channels/table.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** After every moment. */
const ALWAYS = Number.MAX_SAFE_INTEGER

const countNames = ['succeeded', ...FAILURE_KINDS, ...FIRST_TOKEN_BUCKETS] as const
const keyNames = ['channel_id', 'part', 'start', 'model'] as const

interface ModelHour extends HistoryCounts {
  channel_id: number
  hour: number
  model: string
}

type HistoryRow = Omit<ModelHour, 'hour'> & { part: HistoryPart; start: number }

/** Names that a channel's hour has on this node. */
interface NamedModels {
  hour: number
  names: Set<string>
}
const named = store('channel-models', new Map<number, NamedModels>())

/** Adds the counts of this second, in one order on every node. */
export function* addModelHours(tx: Tx, rows: readonly ModelHour[]) {
  const sums = new Map<string, HistoryRow>()
  const add = (row: HistoryRow) => {
    const key = `${row.channel_id} ${row.part} ${row.start} ${row.model}`
    const same = sums.get(key)
    if (same) for (const name of countNames) same[name] += row[name]
    else sums.set(key, row)
  }
  for (const { hour, ...row } of rows) {
    const model = boundedName({ hour, ...row })
    add({ ...row, model, part: 'hour', start: hour })
    add({ ...row, model: '', part: 'all', start: hour })
    add({ ...row, model, part: 'day', start: hour - (hour % DAY_SECONDS) })
  }
  const sorted = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
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
    .insert(channelHistory)
    .values(rows)
    .onConflictDoUpdate({
      target: keyNames.map(name => channelHistory[name]),
      set: Object.fromEntries(
        countNames.map(name => [name, sql`${channelHistory[name]} + ${sql.raw(`excluded.${name}`)}`]),
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

/** Parts of one kind, from a start to an end. */
const partOf = (channel: number, part: HistoryPart, from: number, until = ALWAYS) =>
  and(
    eq(channelHistory.channel_id, channel),
    eq(channelHistory.part, part),
    gte(channelHistory.start, from),
    lt(channelHistory.start, until),
  )

const sums = () =>
  Object.fromEntries(countNames.map(name => [name, total(channelHistory[name] as AnyColumn)])) as Record<
    (typeof countNames)[number],
    ReturnType<typeof total>
  >

export type HistoryHour = HistoryCounts & { hour: number }

type CountColumns = Pick<typeof channelHistory, (typeof countNames)[number]>

/** Hours with attempts, oldest first. */
export function historyByHour({ channel, from, until, model }: HistoryScope): Promise<HistoryHour[]> {
  const counts = Object.fromEntries(countNames.map(name => [name, channelHistory[name]])) as CountColumns
  return db
    .select({ hour: channelHistory.start, ...counts })
    .from(channelHistory)
    .where(
      and(partOf(channel, model === undefined ? 'all' : 'hour', from, until), eq(channelHistory.model, model ?? '')),
    )
    .orderBy(asc(channelHistory.start))
}

export type HistoryModel = HistoryCounts & { model: string }

/** Those with the most attempts first: whole days, and the hours before and after them. */
export async function historyByModel({ channel, from, until, model }: HistoryScope): Promise<HistoryModel[]> {
  const end = until ?? now() + HOUR_SECONDS
  const first_day = Math.min(Math.ceil(from / DAY_SECONDS) * DAY_SECONDS, end)
  const last_day = Math.max(Math.floor(end / DAY_SECONDS) * DAY_SECONDS, first_day)
  const parts = [
    partOf(channel, 'hour', from, first_day),
    partOf(channel, 'day', first_day, last_day),
    partOf(channel, 'hour', last_day, end),
  ]
  const isModel = model === undefined ? undefined : eq(channelHistory.model, model)
  const rows = await Promise.all(
    parts.map(part =>
      db
        .select({ model: channelHistory.model, ...sums() })
        .from(channelHistory)
        .where(and(part, isModel))
        .groupBy(channelHistory.model),
    ),
  )
  const models = Map.groupBy(rows.flat(), row => row.model)
  const merged = Array.from(models, ([name, same]) => ({ model: name, ...historySum(same) }))
  return merged.sort((one, other) => attemptsIn(other) - attemptsIn(one) || (one.model < other.model ? -1 : 1))
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
