/** The mark of a finished set-up. */
import { column as c } from '../../db/columns.ts'

/** At most one row, whose key is fixed: a second set-up fails on it. */
export const setups = c.table('setups', {
  id: c.whole().primaryKey(),
  version: c.text().notNull(),
  initialized_at: c.whole().notNull(),
})
