/** Tokens: the API keys of users. */
import { NEVER, TokenStatus, tokenDefaults } from '../../contracts/token.ts'
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** An API key. Its text is sealed; calls find it by its SHA-256. */
export const tokens = c.table(
  'tokens',
  {
    id: c.id(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    name: c.text().notNull(),
    key_sealed: c.text().notNull(),
    key_hash: c.text().notNull(),
    /** Last four characters of the key, for lists and search. */
    key_tail: c.text().notNull(),
    status: c.whole().notNull().default(TokenStatus.enabled),
    remain_quota: c.whole().notNull().default(0),
    used_quota: c.whole().notNull().default(0),
    unlimited_quota: c.flag().notNull().default(false),
    created_time: c.whole().notNull(),
    accessed_time: c.whole().notNull().default(0),
    /** Unix seconds, or NEVER. */
    expired_time: c.whole().notNull().default(NEVER),
    rate_limit_enabled: c.flag().notNull().default(false),
    rate_limit_period: c.whole().notNull().default(tokenDefaults.rate_limit_period),
    rate_limit_count: c.whole().notNull().default(tokenDefaults.rate_limit_count),
    rate_limit_success: c.whole().notNull().default(tokenDefaults.rate_limit_success),
    /** Tokens in any 60 seconds; 0 for no limit of its own. */
    tokens_per_minute: c.whole().notNull().default(0),
    /** Calls at the same time; 0 for no limit of its own. */
    concurrency_limit: c.whole().notNull().default(0),
    model_limits_enabled: c.flag().notNull().default(false),
    model_limits: c.text().notNull().default(''),
    allow_ips: c.text().notNull().default(''),
    group: c.text().notNull().default(''),
    /** Groups that are tried after `group`, in order, separated by commas. */
    fallback_groups: c.text().notNull().default(''),
    /** Models that are tried after the requested one, in order, separated by commas. */
    fallback_models: c.text().notNull().default(''),
    deleted_time: c.whole(),
  },
  token => [c.unique('tokens_key').on(token.key_hash), c.index('tokens_user').on(token.user_id, token.id)],
)

export type TokenRow = typeof tokens.$inferSelect
