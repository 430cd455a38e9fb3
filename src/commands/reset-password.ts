/** `tollgate reset-password NAME`: a new password for an operator who is locked out. */
import { and, eq, isNull } from 'drizzle-orm'
import { hashPassword } from '../crypto/passwords.ts'
import { randomKey } from '../crypto/random-id.ts'
import { atomic, run } from '../db/atomic.ts'
import { closeDatabase, openDatabase, type Tx } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { endSessions } from '../domain/account/index.ts'
import type { OptionKey } from '../domain/options/index.ts'
import { options } from '../domain/options/index.ts'
import { users } from '../domain/users/index.ts'
import { StartupError } from '../process/shutdown.ts'

const PASSWORD_LENGTH = 16

/**
 * Sets and prints a random password, ends the user's sessions and enables password login.
 * @throws StartupError without a name, or for an unknown user
 */
export async function resetPassword([username]: string[]): Promise<number> {
  if (!username) throw new StartupError('usage: tollgate reset-password NAME')
  await openDatabase({ existing: true })
  await checkSchema()
  const text = randomKey(PASSWORD_LENGTH)
  const password = await hashPassword(text)
  const wasDisabled = await atomic(function* (tx) {
    const isNamed = and(eq(users.username, username), isNull(users.deleted_time))
    const [user] = yield* run(
      tx.update(users).set({ password, access_token_hash: null }).where(isNamed).returning({ id: users.id }),
    )
    if (!user) throw new StartupError(`there is no user ${username}`)
    yield* endSessions(tx, user.id)
    return yield* enablePasswordLogin(tx)
  })
  await closeDatabase()
  if (wasDisabled) process.stderr.write('password login was disabled and is now enabled; restart a running server\n')
  process.stdout.write(`${text}\n`)
  return 0
}

/** @returns whether it was disabled */
function* enablePasswordLogin(tx: Tx) {
  const isDisabled = and(eq(options.key, 'PasswordLoginEnabled' satisfies OptionKey), eq(options.value, 'false'))
  return (yield* run(tx.delete(options).where(isDisabled).returning())).length > 0
}
