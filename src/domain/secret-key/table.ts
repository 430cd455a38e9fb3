/** The mark of the secret key. */
import { column as c } from '../../db/columns.ts'

/** One row, whose key is fixed: what the first start has sealed, before anything else is. */
export const secretMarks = c.table('secret_marks', {
  id: c.whole().primaryKey(),
  mark: c.sealed().notNull(),
})
