/** Rows that the nodes of an installation share. */
import { column as c } from '../db/columns.ts'

/** Nodes that share this database, by their last heartbeat. */
export const nodes = c.table('nodes', {
  id: c.text().primaryKey(),
  /** Unix seconds, by the database's clock. */
  seen_time: c.whole().notNull(),
})

/** Leases: the right of one node to run a job. */
export const jobs = c.table('jobs', {
  name: c.text().primaryKey(),
  /** Id of the node that holds the lease; empty when none does. */
  node: c.text().notNull(),
  /** Last renewal, by the database's clock. */
  seen_time: c.whole().notNull(),
  /** Start of the last run. */
  started_time: c.whole().notNull(),
})
