/** The mark of a finished set-up: a file beside the secret key, which keeps the set-up closed when the database is lost. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IN_MEMORY } from '../../db/database.ts'
import { env } from '../../env.ts'
import { log, reason } from '../../process/log.ts'

export const markPath = () => join(env.DATA_DIR, 'set-up.done')

/** A database in memory is new at every start: it leaves no mark. */
const isKept = () => env.DATABASE_URL !== IN_MEMORY

export const isMarked = () => isKept() && existsSync(markPath())

/** Writes the mark. A failure is logged only: with SECRET_KEY and PostgreSQL the data folder may be read-only. */
export function leaveMark() {
  if (!isKept() || isMarked()) return
  try {
    mkdirSync(env.DATA_DIR, { recursive: true })
    writeFileSync(markPath(), 'The set-up is done. Without this file an empty database is set up anew.\n')
  } catch (error) {
    log.warn('mark of the set-up not written: an empty database would be set up anew', { reason: reason(error) })
  }
}
