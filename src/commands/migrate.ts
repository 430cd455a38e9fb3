/** `tollgate migrate`: runs the missing migrations. */
import { closeDatabase, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'

/** Prints the names of the migrations that were run. */
export async function migrateOnly(): Promise<number> {
  await openDatabase()
  const migrated = await migrate()
  process.stdout.write(migrated.length ? `migrated: ${migrated.join(', ')}\n` : 'the database is up to date\n')
  await closeDatabase()
  return 0
}
