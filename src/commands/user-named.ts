/** The user whom a command names. */
import { and, isNull } from 'drizzle-orm'
import { run } from '../db/atomic.ts'
import type { Tx } from '../db/database.ts'
import { isNamed, users } from '../domain/users/index.ts'
import { StartupError } from '../process/shutdown.ts'

/** By the exact name first. @throws StartupError for no user, and for twins of whom none is named so exactly */
export function* userNamed(tx: Tx, name: string) {
  const isActive = and(isNamed(name), isNull(users.deleted_time))
  const { id, username } = users
  const found = yield* run(tx.select({ id, username }).from(users).where(isActive).orderBy(id))
  const user = found.find(({ username }) => username === name) ?? found[0]
  if (!user) throw new StartupError(`there is no user ${name}`)
  if (user.username !== name && found.length > 1)
    throw new StartupError(`several users are named so: ${found.map(({ username }) => username).join(', ')}`)
  return user
}
