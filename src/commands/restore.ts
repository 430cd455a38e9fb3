/** `tollgate restore FILE`: fills an empty database from a dump of either engine, then audits it. */
import { existsSync, renameSync } from 'node:fs'
import { hasRunningNodes, keepNodesFrom } from '../cluster/running-nodes.ts'
import { IN_MEMORY, UnusableDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { figuresOf, moneyIn } from '../db/dump/figures.ts'
import { openPlace, pathIn } from '../db/dump/open-place.ts'
import type { Place } from '../db/dump/place.ts'
import { checkDump, restoreInto } from '../db/dump/restore.ts'
import { hasTable, hasUsers } from '../db/dump/schema.ts'
import { removeDatabase, sqlitePlace } from '../db/dump/sqlite-place.ts'
import { lockDataFolder } from '../db/lock.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { audit } from './audit.ts'

/** @returns exit code 1 when the audit finds a wrong figure. @throws StartupError; then nothing was changed */
export async function restore([file, ...more]: string[]): Promise<number> {
  if (!file || more.length) throw new StartupError('usage: tollgate restore FILE')
  if (env.DATABASE_URL === IN_MEMORY) throw new UnusableDatabase('a database in memory belongs to one process')
  if (dialect === 'sqlite') lockDataFolder()
  await checkEmpty()
  await checkDump(file, dialect)
  const done = await (dialect === 'sqlite' ? asNewFile(file) : inOneTransaction(file))
  process.stdout.write(`restored ${done}\n`)
  return audit([])
}

async function checkEmpty() {
  if (dialect === 'sqlite' && !existsSync(pathIn(env.DATABASE_URL))) return
  const place = await openPlace(env.DATABASE_URL, 'read')
  try {
    if (await hasUsers(place))
      throw new StartupError(`${place.name} has users already; a dump is restored into an empty database`)
    if (dialect === 'postgres' && (await hasTable(place, 'nodes')) && (await hasRunningNodes(place))) throw inUse()
  } finally {
    await place.close()
  }
}

const inUse = () =>
  new StartupError('a Tollgate is running on this database; stop it first (one that crashed counts for a minute)')

/** The file has its name when it is whole. */
async function asNewFile(file: string): Promise<string> {
  const path = pathIn(env.DATABASE_URL)
  const partial = sqlitePlace(`${path}.restoring`, 'write')
  try {
    const done = await fill(partial, file)
    await partial.finish()
    await partial.close()
    // What was there has no users, and the data folder is locked.
    removeDatabase(path)
    renameSync(partial.name, path)
    return done
  } catch (error) {
    await partial.close()
    removeDatabase(partial.name)
    throw failed(error)
  }
}

async function inOneTransaction(file: string): Promise<string> {
  const place = await openPlace(env.DATABASE_URL, 'write')
  try {
    await place.query('begin')
    if ((await hasTable(place, 'nodes')) && (await keepNodesFrom(place))) throw inUse()
    const done = await fill(place, file)
    await place.query('commit')
    await place.finish()
    return done
  } catch (error) {
    throw failed(error)
  } finally {
    await place.close()
  }
}

async function fill(place: Place, file: string): Promise<string> {
  const rows = await restoreInto(place, file)
  const money = moneyIn(await figuresOf(place, await place.tables()))
  const replaced = place.replaced()
  return `${rows} rows (${money})${replaced ? `; ${replaced} NUL characters, which PostgreSQL cannot store, became \ufffd` : ''}`
}

const failed = (error: unknown) =>
  error instanceof StartupError ? error : new StartupError(`cannot restore: ${(error as Error).message}`)
