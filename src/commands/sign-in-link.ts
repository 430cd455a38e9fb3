/** `tollgate sign-in-link NAME`: a link that lets a browser sign in while strangers try an account's password. */
import { withoutTransaction } from '../db/atomic.ts'
import { closeDatabase, openDatabase } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { browserLinkFor } from '../domain/account/index.ts'
import { loadOptions, option } from '../domain/options/index.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { userNamed } from './user-named.ts'

/** Prints the link, which is good for minutes beside a running server. @throws StartupError without a name, or for an unknown user */
export async function signInLink([username, ...more]: string[]): Promise<number> {
  if (!username || more.length) throw new StartupError('usage: tollgate sign-in-link NAME')
  await openDatabase({ existing: true })
  await checkSchema()
  await loadOptions()
  const user = await withoutTransaction(tx => userNamed(tx, username))
  const link = await browserLinkFor(user, option('ServerAddress') || `http://localhost:${env.PORT}`)
  await closeDatabase()
  process.stdout.write(`${link}\n`)
  return 0
}
