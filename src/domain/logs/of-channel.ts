/** What the usage log knows of one channel: durations of its latest calls, its latest errors and changes. */
import { and, desc, eq, gte } from 'drizzle-orm'
import { DURATIONS_MAX, type Durations, type Percentiles } from '../../contracts/channel-report.ts'
import { detailsOf, LogType } from '../../contracts/log.ts'
import { db } from '../../db/database.ts'
import { unindexed } from '../../db/fragments.ts'
import { isRare, type LogRow, logs } from './table.ts'

/** Durations of the newest `DURATIONS_MAX` calls since a moment (unix seconds), by the index of channel and time. */
export async function durationsOf(channel: number, since: number): Promise<Durations> {
  const rows = await db
    .select({ other: logs.other, is_stream: logs.is_stream })
    .from(logs)
    .where(and(eq(logs.channel, channel), gte(logs.created_at, since), eq(unindexed(logs.type), LogType.consume)))
    .orderBy(desc(logs.created_at))
    .limit(DURATIONS_MAX)
  const calls = rows.map(timesOf)
  return {
    calls: calls.length,
    whole: percentilesOf(calls.flatMap(({ whole }) => whole ?? [])),
    first: percentilesOf(calls.flatMap(({ first, is_stream }) => (is_stream && first ? [first] : []))),
  }
}

/** Milliseconds of the channel's own part: without the failed attempts before it. */
function timesOf(row: { other: string; is_stream: boolean }) {
  const { duration_ms, frt, admin_info } = detailsOf(row)
  const before = (admin_info?.attempts ?? []).slice(0, -1).reduce((sum, { ms }) => sum + ms, 0)
  const own = (ms: number | undefined) => (ms === undefined ? undefined : Math.max(ms - before, 0))
  return { whole: own(duration_ms), first: own(frt), is_stream: row.is_stream }
}

/** @returns undefined without a value */
function percentilesOf(values: number[]): Percentiles | undefined {
  if (!values.length) return undefined
  const sorted = values.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)]!
  return { p50: at(0.5), p95: at(0.95) }
}

/** The newest entries of a type that is not consumption, by the index of the rare types. @param since unix seconds */
export const latestOfChannel = (
  channel: number,
  { type, since, max }: { type: number; since: number; max: number },
): Promise<LogRow[]> =>
  db
    .select()
    .from(logs)
    .where(
      and(eq(logs.type, type), isRare(logs.type), gte(logs.created_at, since), eq(unindexed(logs.channel), channel)),
    )
    .orderBy(desc(logs.created_at))
    .limit(max)
