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

const LENGTH = 16

/**
 * For an operator who is locked out: a new password for the named user, shown once, and a door to use it at. Their
 * sessions end, also on a running server.
 */
export async function resetPassword([username]: string[]): Promise<number> {
  if (!username) throw new StartupError('usage: tollgate reset-password NAME')
  await openDatabase({ existing: true })
  await checkSchema()
  const text = randomKey(LENGTH)
  const password = await hashPassword(text)
  const wasShut = await atomic(function* (tx) {
    const isNamed = and(eq(users.username, username), isNull(users.deleted_time))
    const [user] = yield* run(
      tx.update(users).set({ password, access_token_hash: null }).where(isNamed).returning({ id: users.id }),
    )
    if (!user) throw new StartupError(`there is no user ${username}`)
    yield* endSessions(tx, user.id)
    return yield* openPasswordLogin(tx)
  })
  await closeDatabase()
  if (wasShut) process.stderr.write('password login was disabled and is now enabled; restart a running server\n')
  process.stdout.write(`${text}\n`)
  return 0
}

/** Whether it was disabled. */
function* openPasswordLogin(tx: Tx) {
  const isShut = and(eq(options.key, 'PasswordLoginEnabled' satisfies OptionKey), eq(options.value, 'false'))
  return (yield* run(tx.delete(options).where(isShut).returning())).length > 0
}
