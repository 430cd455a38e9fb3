import { column as c } from '../../db/columns.ts'

/** One row at most (its key is fixed), written by the first set-up: the guard against a second one. */
export const setups = c.table('setups', {
  id: c.whole().primaryKey(),
  version: c.text().notNull(),
  initialized_at: c.whole().notNull(),
})
