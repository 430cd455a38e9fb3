/** One process a data folder: a second SQLite file held in an exclusive transaction, which the system drops with the process. */
import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../env.ts'
import { UnusableDatabase } from './database.ts'

let held: Database | undefined

/** @throws UnusableDatabase when another process serves from this folder, or the folder cannot be written. */
export function lockDataFolder() {
  if (held) return
  try {
    mkdirSync(env.DATA_DIR, { recursive: true })
    const lock = new Database(join(env.DATA_DIR, 'tollgate.lock'), { create: true })
    lock.run('PRAGMA journal_mode = MEMORY')
    lock.run('BEGIN EXCLUSIVE')
    held = lock
  } catch (error) {
    const busy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY')
    throw new UnusableDatabase(
      busy
        ? `another Tollgate is already running on the data folder ${env.DATA_DIR}`
        : `cannot write to the data folder ${env.DATA_DIR}: ${(error as Error).message}`,
    )
  }
}
