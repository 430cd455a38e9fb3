import { column as c } from '../../db/columns.ts'

/** What an operator has set; every other option has its default. Secrets are sealed. */
export const options = c.table('options', {
  key: c.text().primaryKey(),
  value: c.text().notNull(),
})
