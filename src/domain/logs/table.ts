/** Entries of the usage log. */
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { column as c } from '../../db/columns.ts'
import { wholeNumberIn } from '../../db/fragments.ts'
import { users } from '../users/table.ts'

/** `type` is not consumption, spelled exactly as in the partial index. */
export const isRare = (type: AnyColumn | SQL) => sql`${type} <> 2`

/** `type` is an error, spelled exactly as in the partial index. */
export const isError = (type: AnyColumn | SQL) => sql`${type} = 6`

/** Status of the upstream in the details of an error, spelled as in the index: there columns have no table. */
export const statusIn = (other: AnyColumn | SQL) => wholeNumberIn(other, 'status_code')

/** What happened, for people to read. No balance depends on it, so it can be cleared. */
export const logs = c.table(
  'logs',
  {
    id: c.id(),
    user_id: c.whole().notNull(),
    created_at: c.whole().notNull(),
    type: c.whole().notNull(),
    username: c.text().notNull().default(''),
    token_id: c.whole().notNull().default(0),
    token_name: c.text().notNull().default(''),
    model_name: c.text().notNull().default(''),
    group: c.text().notNull().default(''),
    channel: c.whole().notNull().default(0),
    is_stream: c.flag().notNull().default(false),
    /** Whole seconds. */
    use_time: c.whole().notNull().default(0),
    prompt_tokens: c.whole().notNull().default(0),
    completion_tokens: c.whole().notNull().default(0),
    quota: c.whole().notNull().default(0),
    content: c.text().notNull().default(''),
    request_id: c.text().notNull().default(''),
    /** JSON text: ratios, bill lines, route, timing. */
    other: c.text().notNull().default(''),
  },
  // Every list is read newest first through one of these: created_at keeps time ranges in the index, and the columns
  // behind it decide the other filters of a list without reading the entry (see `coveredBy`).
  log => [
    c.index('logs_created').on(log.created_at, log.type),
    c
      .index('logs_user')
      .on(log.user_id, log.created_at, log.type, log.channel, log.token_name, log.model_name, log.group),
    c
      .index('logs_model')
      .on(log.model_name, log.created_at, log.type, log.channel, log.user_id, log.token_name, log.group),
    c
      .index('logs_channel')
      .on(log.channel, log.created_at, log.type, log.user_id, log.model_name, log.token_name, log.group),
    c.index('logs_token').on(log.token_name, log.created_at, log.type, log.user_id, log.group),
    c.index('logs_token_id').on(log.token_id, log.created_at),
    c.index('logs_group').on(log.group, log.created_at, log.type),
    // Partial: nearly all entries are consumption, which settling writes without this index.
    c
      .index('logs_rare')
      .on(log.type, log.created_at, log.channel, log.user_id, log.token_name, log.model_name, log.group, log.quota)
      .where(isRare(log.type)),
    c
      .index('logs_status')
      .on(statusIn(sql.raw('other')), log.created_at)
      .where(isError(log.type)),
  ],
)

/** Columns that the index of a filter holds besides its own. */
export const coveredBy = new Map<AnyColumn, readonly AnyColumn[]>([
  [logs.type, [logs.channel, logs.user_id, logs.token_name, logs.model_name, logs.group]],
  [logs.user_id, [logs.type, logs.channel, logs.token_name, logs.model_name, logs.group]],
  [logs.model_name, [logs.type, logs.channel, logs.user_id, logs.token_name, logs.group]],
  [logs.channel, [logs.type, logs.user_id, logs.model_name, logs.token_name, logs.group]],
  [logs.token_name, [logs.type, logs.user_id, logs.group]],
  [logs.group, [logs.type]],
])

export type LogRow = typeof logs.$inferSelect

/** What a call went through, by the request id of its entries. It is written with the bill, and deleted after some days. */
export const callRecords = c.table(
  'call_records',
  {
    request_id: c.text().primaryKey(),
    user_id: c.whole().notNull(),
    /** Unix seconds of the end of the call, as in its entry. */
    created_at: c.whole().notNull(),
    /** See `record-codec.ts`. */
    record: c.text().notNull(),
  },
  record => [c.index('call_records_created').on(record.created_at)],
)

/** Id of the only row of `log_clearings`. */
export const CLEARING_ID = 1

/** The clearing that an administrator has started last, and how far it is. */
export const logClearings = c.table('log_clearings', {
  id: c.whole().primaryKey(),
  /** Unix seconds: older entries go. */
  before: c.whole().notNull(),
  /** Entries at the start. */
  total: c.whole().notNull(),
  deleted: c.whole().notNull().default(0),
  started_time: c.whole().notNull(),
  /** Absent while it runs. */
  ended_time: c.whole(),
})

/** Filters of the usage log that users keep under a name. */
export const logFilters = c.table(
  'log_filters',
  {
    id: c.id(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    name: c.text().notNull(),
    /** Query of the page, as `range=30d&type=6`. */
    query: c.text().notNull(),
    created_time: c.whole().notNull(),
  },
  filter => [c.unique('log_filters_name').on(filter.user_id, filter.name)],
)
