/** GitHub's login names of users who came from another gateway and have no numeric id yet. */
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

export const githubNames = c.table(
  'github_names',
  {
    user_id: c
      .whole()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In lower case. */
    name: c.text().notNull(),
  },
  row => [c.index('github_names_name').on(row.name)],
)
