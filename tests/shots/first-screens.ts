/** The screens of an installation without an account. */
import { sendDatabase } from './acts.ts'
import { FOUNDER, type Screen } from './screen.ts'

export const firstScreens: Screen[] = [
  {
    ...{ name: 'setup', title: 'Set up', path: '/setup', reader: FOUNDER },
    works: 'The first account, and the way to an import.',
  },
  {
    ...{ name: 'setup-import', title: 'Move in', path: '/setup/import', reader: FOUNDER },
    works: 'A SQLite file of new-api, one-api or Veloera, whose prices hold, and how many days of logs come along.',
  },
  {
    ...{ name: 'setup-import-report', title: 'What would move in', path: '/setup/import', reader: FOUNDER },
    page: '/setup/import/:id',
    works: 'Rows, balances, each choice and what stays behind; nothing is written before it is pressed.',
    act: sendDatabase,
  },
]
