import { column as c } from '../db/columns.ts'

/** Work that one node does for all. */
export const jobs = c.table('jobs', {
  name: c.text().primaryKey(),
  /** Who does it now; empty when nobody does. */
  node: c.text().notNull(),
  /** The doer's last sign of life, by the database's clock. */
  seen_time: c.whole().notNull(),
  /** When it was begun last. */
  started_time: c.whole().notNull(),
})
