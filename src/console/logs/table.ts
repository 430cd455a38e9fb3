import { column as c } from '../../db/columns.ts'

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
  log => [
    c.index('logs_user').on(log.user_id, log.id),
    c.index('logs_created').on(log.created_at),
    c.index('logs_type').on(log.type, log.id),
    c.index('logs_model').on(log.model_name, log.id),
    c.index('logs_username').on(log.username, log.id),
    c.index('logs_channel').on(log.channel, log.id),
    c.index('logs_token').on(log.token_name, log.id),
    c.index('logs_request').on(log.request_id),
  ],
)

export type LogRow = typeof logs.$inferSelect
