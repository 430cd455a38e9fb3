import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { column as c } from '../../db/columns.ts'

/** Says `type` is not consumption, in the very words of the index. */
export const isRare = (type: AnyColumn | SQL) => sql`${type} <> 2`

/** What happened, for people to read. No balance depends on it: it may be cleared. */
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
  // Each list is read newest first under one of these; created_at last keeps the ranges of time inside them.
  log => [
    c.index('logs_created').on(log.created_at),
    c.index('logs_user').on(log.user_id, log.created_at),
    c.index('logs_token').on(log.token_name, log.created_at),
    c.index('logs_model').on(log.model_name, log.created_at),
    c.index('logs_channel').on(log.channel, log.created_at),
    c.index('logs_group').on(log.group, log.created_at),
    // Consumption is nearly all there is: only the other types are worth an index, and settling does not pay for it.
    c.index('logs_rare').on(log.type, log.created_at).where(isRare(log.type)),
  ],
)

export type LogRow = typeof logs.$inferSelect
