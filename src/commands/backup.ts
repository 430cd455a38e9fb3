/** `tollgate backup FILE`: a consistent copy of the database, also while the server runs. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { backUp } from '../db/backup.ts'
import { openPlace } from '../db/dump/open-place.ts'
import { writeDump } from '../db/dump/write-dump.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'

/** A copy of the SQLite file itself; every other name gets a dump. */
const COPY = /\.(db|sqlite)$/
const STDOUT = '-'

/** @throws StartupError without a file name, or when the backup fails */
export async function backup([file, ...more]: string[]): Promise<number> {
  if (!file || more.length) throw new StartupError('usage: tollgate backup FILE')
  if (file === STDOUT) {
    const rows = await dumpInto(file, bytes => writeFileSync(1, bytes))
    process.stderr.write(`backed up ${rows} rows; ${WITH_KEY}\n`)
    return 0
  }
  const done = COPY.test(file) ? `${backUp(file)} bytes` : await dumpTo(file)
  process.stdout.write(`backed up ${done} to ${file}; ${WITH_KEY}\n`)
  return 0
}

const WITH_KEY = 'store the secret key with it: the secrets inside are encrypted with it'

/** An unfinished dump has another name, so that `file` is always complete. */
async function dumpTo(file: string): Promise<string> {
  if (existsSync(file)) throw new StartupError(`${file} exists already; a backup never overwrites`)
  const partial = `${file}.partial`
  try {
    rmSync(partial, { force: true })
    const opened = openSync(partial, 'wx', 0o600)
    const rows = await dumpInto(file, bytes => writeFileSync(opened, bytes))
    fsyncSync(opened)
    closeSync(opened)
    renameSync(partial, file)
    return `${rows} rows, ${statSync(file).size} bytes`
  } catch (error) {
    rmSync(partial, { force: true })
    throw failed(file, error)
  }
}

async function dumpInto(file: string, write: (bytes: Uint8Array) => void): Promise<number> {
  const place = await openPlace(env.DATABASE_URL, 'read')
  try {
    return await writeDump(place, write)
  } catch (error) {
    throw failed(file, error)
  } finally {
    await place.close()
  }
}

const failed = (file: string, error: unknown) =>
  error instanceof StartupError ? error : new StartupError(`cannot back up to ${file}: ${(error as Error).message}`)
