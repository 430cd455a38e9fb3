/** The lock of the data folder: a SQLite file in an exclusive transaction, which ends with the process. */
import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../env.ts'
import { UnusableDatabase } from './database.ts'

/** Referenced, so that it is not closed by garbage collection. */
let lock: Database | undefined

/** @throws UnusableDatabase when another process has the lock, or the folder cannot be written */
export function lockDataFolder() {
  if (lock) return
  try {
    mkdirSync(env.DATA_DIR, { recursive: true })
    const file = new Database(join(env.DATA_DIR, 'tollgate.lock'), { create: true })
    file.run('PRAGMA journal_mode = MEMORY')
    file.run('BEGIN EXCLUSIVE')
    lock = file
  } catch (error) {
    const isBusy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY')
    throw new UnusableDatabase(
      isBusy
        ? `another Tollgate is already running on the data folder ${env.DATA_DIR}`
        : `cannot write to the data folder ${env.DATA_DIR}: ${(error as Error).message}`,
    )
  }
}
