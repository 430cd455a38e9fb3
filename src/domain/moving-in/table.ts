/** What has come from other gateways: where each row went, so that a second run leaves it alone. */
import type { MovedNoun, MovedProduct } from '../../contracts/moving-in.ts'
import { column as c } from '../../db/columns.ts'

/** Other installations from which rows came. */
export const moves = c.table('moves', {
  /** As the operator calls it. */
  source: c.text().primaryKey(),
  product: c.text().$type<MovedProduct>().notNull(),
  /** Rows have the ids that they had there. */
  keeps_ids: c.flag().notNull(),
  /** Usage logs are carried up to this id of theirs. */
  logs_up_to: c.whole().notNull().default(0),
  created_time: c.whole().notNull(),
})

export const movedRows = c.table(
  'moved_rows',
  {
    source: c.text().notNull(),
    noun: c.text().$type<MovedNoun>().notNull(),
    /** Id there. */
    source_id: c.whole().notNull(),
    /** Id here. */
    target_id: c.whole().notNull(),
    /** What does not change of the row there; empty for nothing. Another installation has another one. */
    mark: c.text().notNull().default(''),
  },
  row => [c.primary({ columns: [row.source, row.noun, row.source_id] })],
)
