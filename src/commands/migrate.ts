import { closeDatabase, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'

/** Brings the database up to date and says what was done. */
export async function migrateOnly(): Promise<number> {
  await openDatabase()
  const done = await migrate()
  process.stdout.write(done.length ? `migrated: ${done.join(', ')}\n` : 'the database is up to date\n')
  await closeDatabase()
  return 0
}
