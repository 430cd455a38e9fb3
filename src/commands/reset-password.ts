/** `tollgate reset-password NAME [--lift-second-factor]`: a new password for an operator who is locked out. */
import { and, eq } from 'drizzle-orm'
import { SYSTEM } from '../contracts/actor.ts'
import { hashPassword } from '../crypto/passwords.ts'
import { randomKey } from '../crypto/random-id.ts'
import { atomic, run } from '../db/atomic.ts'
import { closeDatabase, openDatabase, type Tx } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { endAccess } from '../domain/account/index.ts'
import { recordChange } from '../domain/audit-log/index.ts'
import type { OptionKey } from '../domain/options/index.ts'
import { options } from '../domain/options/index.ts'
import { liftSecondFactor } from '../domain/two-factor/index.ts'
import { users } from '../domain/users/index.ts'
import { StartupError } from '../process/shutdown.ts'
import { userNamed } from './user-named.ts'

const PASSWORD_LENGTH = 16

const LIFT = '--lift-second-factor'
const usage = `usage: tollgate reset-password NAME [${LIFT}]`

/**
 * Sets and prints a random password, ends the user's sessions and enables password login; with the flag it also removes
 * the user's authenticator app, passkeys and recovery codes.
 * @throws StartupError without a name, or for an unknown user
 */
export async function resetPassword(args: string[]): Promise<number> {
  const flags = args.filter(arg => arg.startsWith('--'))
  const [username, ...more] = args.filter(arg => !flags.includes(arg))
  if (!username || more.length || flags.some(flag => flag !== LIFT)) throw new StartupError(usage)
  await openDatabase({ existing: true })
  await checkSchema()
  const text = randomKey(PASSWORD_LENGTH)
  const password = await hashPassword(text)
  const wasDisabled = await atomic(function* (tx) {
    const user = yield* userNamed(tx, username)
    yield* run(tx.update(users).set({ password }).where(eq(users.id, user.id)))
    yield* endAccess(tx, user.id)
    if (flags.length) yield* liftSecondFactor(tx, user.id)
    const wasDisabled = yield* enablePasswordLogin(tx)
    yield* recordChange(tx, SYSTEM, {
      action: 'user.reset_password',
      target: { kind: 'user', id: user.id, name: user.username },
      after: {
        password,
        ...(flags.length && { second_factor: 'lifted' }),
        ...(wasDisabled && { PasswordLoginEnabled: true }),
      },
      secrets: ['password'],
    })
    return wasDisabled
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
