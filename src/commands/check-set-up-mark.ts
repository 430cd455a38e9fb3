/** Checks that an installation whose set-up is done still has its database. */
import { existsSync } from 'node:fs'
import { db, UnusableDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { isBlank } from '../db/migrate.ts'
import { isMarked, markPath } from '../domain/setup/index.ts'
import { users } from '../domain/users/index.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'

/** Runs before the database is opened, which creates a missing file. @throws StartupError when the file is missing */
export function checkDatabaseFile() {
  if (dialect !== 'sqlite' || !isMarked()) return
  const path = env.DATABASE_URL.slice('file:'.length)
  if (!existsSync(path)) throw lost(`there is no database ${path}`)
}

/** Runs before the migrations, so that a backup can be restored into the empty database. @throws StartupError without users */
export async function checkUsers() {
  if (!isMarked()) return
  if ((await isBlank()) || !(await hasUsers())) throw lost('the database has no users')
}

async function hasUsers(): Promise<boolean> {
  try {
    return (await db.select({ id: users.id }).from(users).limit(1)).length > 0
  } catch (error) {
    const { message, cause } = error as Error
    throw new UnusableDatabase(`the database is damaged: ${(cause as Error)?.message ?? message}; restore a backup`)
  }
}

const lost = (problem: string) =>
  new StartupError(
    `the set-up was done, but ${problem}; restore a backup or correct DATABASE_URL, or delete ${markPath()} to begin anew`,
  )
