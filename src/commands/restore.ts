/**
 * `tollgate restore [FILE | FOLDER | s3://…] [--at "2026-11-23 14:03:20"]`: fills an empty database from a dump of either
 * engine, or from a backup to its newest second or another one, then audits it.
 */
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hasRunningNodes, keepNodesFrom } from '../cluster/running-nodes.ts'
import { IN_MEMORY, UnusableDatabase } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { figuresOf, moneyIn } from '../db/dump/figures.ts'
import { openPlace, pathIn } from '../db/dump/open-place.ts'
import type { Place } from '../db/dump/place.ts'
import { checkDump, restoreInto } from '../db/dump/restore.ts'
import { appliedMigrations, hasTable, hasUsers, migratePlace } from '../db/dump/schema.ts'
import { removeDatabase, sqlitePlace } from '../db/dump/sqlite-place.ts'
import { lockDataFolder } from '../db/lock.ts'
import { openVault, restoreHistory, storeAt } from '../domain/backups/index.ts'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { rfc3339, unixSeconds } from '../pure/time.ts'
import { audit } from './audit.ts'

/** @returns exit code 1 when the audit finds a wrong figure. @throws StartupError; then nothing was changed */
export async function restore(args: string[]): Promise<number> {
  const { file, at } = asked(args)
  if (env.DATABASE_URL === IN_MEMORY) throw new UnusableDatabase('a database in memory belongs to one process')
  if (dialect === 'sqlite') lockDataFolder()
  await checkEmpty()
  const done = isBackup(file) ? await fromBackup(file, at) : await fromDump(file)
  process.stdout.write(`restored ${done}\n`)
  return audit([])
}

const USAGE = 'usage: tollgate restore FILE, or tollgate restore [BACKUP_URL] [--at "2026-11-23 14:03:20"] (UTC)'
const SECOND = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\dZ?$/

function asked(args: string[]) {
  const flag = args.indexOf('--at')
  const text = flag < 0 ? undefined : args[flag + 1]
  const [file = env.BACKUP_URL, ...more] = flag < 0 ? args : args.toSpliced(flag, 2)
  const at = text === undefined ? undefined : secondOf(text)
  if (!file || more.length || (flag >= 0 && at === undefined)) throw new StartupError(USAGE)
  if (at !== undefined && !isBackup(file))
    throw new StartupError(`${file} is a dump, which has one moment; --at is for a backup of BACKUP_URL`)
  return { file, at }
}

/** @returns Unix seconds; undefined for what is no moment */
function secondOf(text: string): number | undefined {
  const ms = SECOND.test(text) ? Date.parse(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`) : Number.NaN
  return Number.isNaN(ms) ? undefined : unixSeconds(ms)
}

const isBackup = (file: string) =>
  file === env.BACKUP_URL || file.startsWith('s3://') || (existsSync(file) && statSync(file).isDirectory())

async function fromBackup(url: string, at: number | undefined): Promise<string> {
  const vault = await openVault(storeAt(url), 'find').catch(error => {
    throw failed(error)
  })
  const path = dialect === 'sqlite' ? pathIn(env.DATABASE_URL) : join(env.DATA_DIR, 'tollgate')
  const partial = `${path}.backup`
  mkdirSync(dirname(path), { recursive: true })
  removeDatabase(partial)
  try {
    const { engine, at_ms, bytes, segments } = await restoreHistory(vault, partial, at)
    const of = rfc3339(unixSeconds(at_ms))
    if (engine === 'postgres') return `${of}: ${await fromDump(partial)}`
    if (dialect !== 'sqlite')
      throw new StartupError('a backup of SQLite is restored into a file; then tollgate move goes to PostgreSQL')
    const place = sqlitePlace(partial, 'write')
    await appliedMigrations(place)
      .then(() => migratePlace(place))
      .then(() => place.finish())
      .finally(() => place.close())
    removeDatabase(path)
    renameSync(partial, path)
    return `${of} (${bytes} bytes, ${segments} segments behind the snapshot)`
  } catch (error) {
    throw failed(error)
  } finally {
    removeDatabase(partial)
  }
}

async function fromDump(file: string): Promise<string> {
  await checkDump(file, dialect)
  return dialect === 'sqlite' ? asNewFile(file) : inOneTransaction(file)
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
