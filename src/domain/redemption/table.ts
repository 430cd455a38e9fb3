/** Redemption codes and their uses. */
import { RedemptionStatus } from '../../contracts/redemption.ts'
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** A code that adds quota to a balance. Its text is sealed; redeeming finds it by its SHA-256. */
export const redemptions = c.table(
  'redemptions',
  {
    id: c.id(),
    /** The administrator who created it. */
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    name: c.text().notNull(),
    key_sealed: c.text().notNull(),
    key_hash: c.text().notNull(),
    /** What finds the code beside the whole of it: as of `tailOf`. Null for a code of an earlier version. */
    key_tail: c.text(),
    quota: c.whole().notNull(),
    status: c.whole().notNull().default(RedemptionStatus.unused),
    /** A gift is used once by each of several users; another code is used once. */
    is_gift: c.flag().notNull().default(false),
    /** `UNLIMITED_USES` for no limit. */
    max_uses: c.whole().notNull(),
    used_count: c.whole().notNull().default(0),
    /** The last user; 0 before the first. */
    used_user_id: c.whole().notNull().default(0),
    /** Unix seconds, inclusive at both ends; 0 for no limit. */
    valid_from: c.whole().notNull().default(0),
    valid_until: c.whole().notNull().default(0),
    created_time: c.whole().notNull(),
    /** Time of the last use; 0 before the first. */
    redeemed_time: c.whole().notNull().default(0),
    deleted_time: c.whole(),
  },
  code => [
    c.unique('redemptions_key').on(code.key_hash),
    c.index('redemptions_name').on(code.name),
    c.index('redemptions_tail').on(code.key_tail),
  ],
)

export type RedemptionRow = typeof redemptions.$inferSelect

/** Uses of codes: each has one credit in the ledger. */
export const redemptionUses = c.table(
  'redemption_uses',
  {
    redemption_id: c
      .whole()
      .notNull()
      .references(() => redemptions.id),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    quota: c.whole().notNull(),
    used_time: c.whole().notNull(),
  },
  use => [c.primary({ columns: [use.redemption_id, use.user_id] }), c.index('redemption_uses_user').on(use.user_id)],
)
