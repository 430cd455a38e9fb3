/** Hourly usage. */
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** Usage summed by hour. Every balance equals Σ ledger − Σ quota. */
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
    quota: c.whole().notNull().default(0),
  },
  row => [
    c.primary({ columns: [row.user_id, row.hour, row.token_id, row.channel_id, row.model, row.group] }),
    c.index('usage_hourly_hour').on(row.hour),
    c.index('usage_hourly_token').on(row.token_id),
  ],
)
