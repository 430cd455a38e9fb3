/** Hourly usage, its roll-ups, times to first token, and hourly failures. */
import { FIRST_TOKEN_BUCKETS, type FirstTokenBucket } from '../../contracts/first-token.ts'
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** Usage summed by hour. */
export const usageHours = c.table(
  'usage_hourly',
  {
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    /** 0 for calls without a token (playground). */
    token_id: c.whole().notNull(),
    channel_id: c.whole().notNull(),
    model: c.text().notNull(),
    group: c.text().notNull(),
    calls: c.whole().notNull().default(0),
    prompt_tokens: c.whole().notNull().default(0),
    completion_tokens: c.whole().notNull().default(0),
    cache_read_tokens: c.whole().notNull().default(0),
    cache_write_tokens: c.whole().notNull().default(0),
    /** Without what was refunded. */
    quota: c.whole().notNull().default(0),
    /** Quota that the ledger has given back. Every balance equals Σ ledger − Σ (quota + refunded). */
    refunded: c.whole().notNull().default(0),
    /** Failed attempts, which cost nothing: a row may have no calls. Written behind, apart from the bills. */
    failed: c.whole().notNull().default(0),
  },
  row => [
    c.primary({ columns: [row.user_id, row.hour, row.token_id, row.channel_id, row.model, row.group] }),
    c.index('usage_hourly_hour').on(row.hour),
    c.index('usage_hourly_token').on(row.token_id, row.hour),
  ],
)

/** What site-wide lists add up by. */
export type RollUpKind = 'model' | 'group' | 'channel' | 'user' | 'token'

/** Hourly usage summed once more by one column, so that site-wide lists read few rows. */
export const rollUps = c.table(
  'usage_rollup',
  {
    /** Seconds: an hour, or a day of UTC. */
    span: c.whole().notNull(),
    /** A `RollUpKind`. */
    kind: c.text().notNull(),
    /** Unix seconds of the span's start. */
    start: c.whole().notNull(),
    /** Name of the model or group, id of the channel, user or token; the playground's name of calls without a token. */
    key: c.text().notNull(),
    calls: c.whole().notNull(),
    prompt_tokens: c.whole().notNull(),
    completion_tokens: c.whole().notNull(),
    quota: c.whole().notNull(),
    cache_read_tokens: c.whole().notNull().default(0),
    failed: c.whole().notNull().default(0),
  },
  row => [c.primary({ columns: [row.span, row.kind, row.start, row.key] })],
)

/** Hourly usage summed by days of UTC, for totals with several filters. Written with the `day` roll-ups. */
export const usageDays = c.table(
  'usage_daily',
  {
    /** Unix seconds of the day's start. */
    day: c.whole().notNull(),
    model: c.text().notNull(),
    channel_id: c.whole().notNull(),
    group: c.text().notNull(),
    calls: c.whole().notNull(),
    prompt_tokens: c.whole().notNull(),
    completion_tokens: c.whole().notNull(),
    quota: c.whole().notNull(),
    cache_read_tokens: c.whole().notNull().default(0),
    failed: c.whole().notNull().default(0),
  },
  row => [c.primary({ columns: [row.day, row.model, row.channel_id, row.group] })],
)

/** The same by everything but the hour, for rows of users and API keys that are divided by another column. */
export const userDays = c.table(
  'usage_daily_user',
  {
    user_id: c.whole().notNull(),
    /** Unix seconds of the day's start. */
    day: c.whole().notNull(),
    token_id: c.whole().notNull(),
    channel_id: c.whole().notNull(),
    model: c.text().notNull(),
    group: c.text().notNull(),
    calls: c.whole().notNull(),
    prompt_tokens: c.whole().notNull(),
    completion_tokens: c.whole().notNull(),
    quota: c.whole().notNull(),
    cache_read_tokens: c.whole().notNull(),
    failed: c.whole().notNull(),
  },
  row => [
    c.primary({ columns: [row.user_id, row.day, row.token_id, row.channel_id, row.model, row.group] }),
    c.index('usage_daily_user_day').on(row.day),
    c.index('usage_daily_user_token').on(row.token_id, row.day),
  ],
)

const countColumn = () => c.whole().notNull().default(0)
export const firstTokenColumns = () =>
  Object.fromEntries(FIRST_TOKEN_BUCKETS.map(name => [name, countColumn()])) as Record<
    FirstTokenBucket,
    ReturnType<typeof countColumn>
  >

/** Streamed calls by their time to first token. Hours are counted behind the calls, days of UTC rolled up from them. */
export const firstTokens = c.table(
  'usage_first_token',
  {
    /** Seconds: an hour, or a day of UTC. */
    span: c.whole().notNull(),
    /** Unix seconds of the span's start. */
    start: c.whole().notNull(),
    model: c.text().notNull(),
    ...firstTokenColumns(),
  },
  row => [c.primary({ columns: [row.span, row.start, row.model] })],
)

/** Spans that are rolled up. A bill that comes late makes its span stale until it is rolled up again. */
export const rolledSpans = c.table(
  'usage_rolled',
  {
    span: c.whole().notNull(),
    start: c.whole().notNull(),
    is_stale: c.flag().notNull().default(false),
    /** How often it has been rolled up again. */
    revision: c.whole().notNull().default(0),
  },
  row => [c.primary({ columns: [row.span, row.start] })],
)

/** Calls that go on with a conversation, by hour: on its own channel, or shared by weight for comparison. */
export const affinityHours = c.table(
  'affinity_hourly',
  {
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    /** An `AffinityKind`. */
    kind: c.text().notNull(),
    calls: c.whole().notNull(),
    prompt_tokens: c.whole().notNull(),
    cache_read_tokens: c.whole().notNull(),
    /** What the prompts would cost without a cache, in thousandths of quota. */
    uncached: c.whole().notNull(),
    /** What of it reading from caches has saved, less what writing into them has cost more; in thousandths of quota. */
    saved: c.whole().notNull(),
  },
  row => [c.primary({ columns: [row.hour, row.kind] })],
)

/** Failed attempts per hour: of the site (owner 0), of a user's calls, of a channel. */
export const failureHours = c.table(
  'failure_hourly',
  {
    /** `site`, `user` or `channel`. */
    scope: c.text().notNull(),
    owner_id: c.whole().notNull(),
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    failed: c.whole().notNull(),
  },
  row => [c.primary({ columns: [row.scope, row.owner_id, row.hour] })],
)
