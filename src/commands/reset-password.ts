import { and, eq, isNull } from 'drizzle-orm'
import { closeSessionsOf } from '../console/account/service.ts'
import { users } from '../console/users/table.ts'
import { closeDatabase, db, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { randomKey } from '../kit/keys.ts'
import { CannotStart } from '../kit/life.ts'
import { hashPassword } from '../kit/passwords.ts'

const LENGTH = 16

/** For an operator who is locked out: a new password for the named user, shown once. Their sessions end. */
export async function resetPassword([username]: string[]): Promise<number> {
  if (!username) throw new CannotStart('usage: tollgate reset-password NAME')
  await openDatabase()
  await migrate()
  const password = randomKey(LENGTH)
  const [user] = await db
    .update(users)
    .set({ password: await hashPassword(password), access_token_hash: null })
    .where(and(eq(users.username, username), isNull(users.deleted_time)))
    .returning({ id: users.id })
  if (!user) throw new CannotStart(`there is no user ${username}`)
  await closeSessionsOf(user.id)
  await closeDatabase()
  process.stdout.write(`${password}\n`)
  return 0
}
