/** Consistent copies of a SQLite database in use. */
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { dialect } from './dialect.ts'

/**
 * Copies the database to a file. A partial copy has another name, so that `file` is always complete.
 * @returns its size in bytes
 * @throws StartupError when the file exists, cannot be written, or the engine is PostgreSQL
 */
export function backUp(file: string): number {
  if (dialect === 'postgres')
    throw new StartupError(
      `${file} would be a copy of a SQLite file; a dump has another name, such as tollgate.jsonl.zst`,
    )
  if (existsSync(file)) throw new StartupError(`${file} exists already; a backup never overwrites`)
  const source = env.DATABASE_URL.slice('file:'.length)
  if (!existsSync(source)) throw new StartupError(`there is no database ${source}`)
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  try {
    copy(source, partial)
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw new StartupError(`cannot back up to ${file}: ${(error as Error).message}`)
  }
  return statSync(file).size
}

function copy(source: string, target: string) {
  const database = new Database(source, { readonly: true })
  try {
    database.run('VACUUM INTO ?', [target])
  } finally {
    database.close()
  }
  const written = openSync(target, 'r+')
  fsyncSync(written)
  closeSync(written)
}
