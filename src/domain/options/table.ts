/** Stored options. */
import { column as c } from '../../db/columns.ts'

/** Only options that were changed; the others have their default. Secrets are sealed. */
export const options = c.table('options', {
  key: c.text().primaryKey(),
  value: c.text().notNull(),
})
