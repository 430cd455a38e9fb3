/** The database connection of this process, opened by `openDatabase` before any query. */
import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type BunSQLiteDatabase, drizzle as onSqlite } from 'drizzle-orm/bun-sqlite'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { dialect } from './dialect.ts'
import { PostgresPool } from './postgres-pool.ts'

export type Db = BunSQLiteDatabase
/** Either the connection or a transaction on it. */
export type Tx = Pick<Db, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'>

/** Typed as SQLite's; on PostgreSQL its own builder takes the same calls. */
export let db: Db
/** The drivers, for features of one engine. */
export let sqlite: Database | undefined
export let postgres: PostgresPool | undefined

/** @returns what is made of the open SQLite database when it is first needed, such as a prepared statement */
export function ofDatabase<T>(make: (sqlite: Database) => T): () => T {
  let madeOf: Database | undefined
  let made: T
  return () => {
    if (madeOf !== sqlite) {
      made = make(sqlite!)
      madeOf = sqlite
    }
    return made
  }
}

/** A SQLite statement blocks the event loop for at most this long on another process's lock; `atomic` then retries. */
const BUSY_WAIT_MS = 50

/** The database cannot be used; the message is one line for the operator. */
export class UnusableDatabase extends StartupError {}

interface OpenMode {
  /** No write is allowed. */
  readonly?: boolean
  /** Fails instead of creating the file. */
  existing?: boolean
}

export const IN_MEMORY = 'file::memory:'

/** @throws UnusableDatabase */
export async function openDatabase(mode: OpenMode = {}) {
  if (dialect === 'postgres') return openPostgres(mode)
  openSqlite(env.DATABASE_URL.slice('file:'.length), mode)
}

async function openPostgres({ readonly }: OpenMode) {
  postgres = new PostgresPool(env.DATABASE_URL, { size: env.DB_POOL, prepare: env.DB_PREPARE })
  let rows: { transaction_read_only: string }[]
  try {
    rows = await postgres.connect('show transaction_read_only')
  } catch (error) {
    throw new UnusableDatabase(`cannot reach PostgreSQL: ${(error as Error).message}`)
  }
  if (!readonly && rows[0]?.transaction_read_only === 'on')
    throw new UnusableDatabase('cannot use this PostgreSQL: it cannot be written')
  // Loads Bun's own client, which SQLite does not need.
  const { drizzle: onPostgres } = await import('drizzle-orm/bun-sql')
  db = onPostgres({ client: postgres as any }) as unknown as Db
}

function openSqlite(path: string, { readonly = false, existing = readonly }: OpenMode) {
  const inMemory = env.DATABASE_URL === IN_MEMORY
  try {
    if (existing && !existsSync(path)) throw new Error('there is no such file')
    if (!inMemory && !existing) mkdirSync(dirname(path), { recursive: true })
    sqlite = new Database(path, readonly ? { readonly: true } : { create: true })
    sqlite.run(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`)
    sqlite.run('PRAGMA foreign_keys = ON')
    if (!inMemory && !existing) prepareFile(sqlite)
    sqlite.query('select count(*) from sqlite_master').get()
  } catch (error) {
    throw new UnusableDatabase(`cannot use ${path}: ${explain(error as Error)}`)
  }
  db = onSqlite({ client: sqlite })
}

function prepareFile(file: Database) {
  file.run('PRAGMA journal_mode = WAL')
  file.run(`PRAGMA synchronous = ${env.DURABILITY === 'full' ? 'FULL' : 'NORMAL'}`)
  file.run('PRAGMA cache_size = -16000')
  file.run('PRAGMA temp_store = MEMORY')
  checkFile(file)
  for (const step of ['BEGIN IMMEDIATE', 'CREATE TABLE a_write (works)', 'ROLLBACK']) file.run(step)
}

/** Pages of the write-ahead log after which a commit copies them into the file: SQLite's default, and small portions. */
const CHECKPOINT_PAGES = { usual: 1000, small: 250 }
/** Whether the follower of the log makes the checkpoints (`src/db/wal/follower.ts`). */
let areKept = false

export function keepCheckpoints(keep: boolean) {
  areKept = keep
  checkpointEvery(CHECKPOINT_PAGES.usual)
}

const checkpointEvery = (pages: number) => sqlite?.run(`PRAGMA wal_autocheckpoint = ${areKept ? 0 : pages}`)

/** Copies in small portions while the work runs: it dirties pages all over the file, and calls wait while a commit copies. */
export async function inSmallCheckpoints<T>(work: () => Promise<T>): Promise<T> {
  checkpointEvery(CHECKPOINT_PAGES.small)
  try {
    return await work()
  } finally {
    checkpointEvery(CHECKPOINT_PAGES.usual)
  }
}

/** Rows up to which a table is checked at every start: within a second, however large the file is. */
const CHECKED_ROWS_MAX = 200_000

/** @throws Error for a damaged file. The tables of every call are too large; `tollgate backup` reads them whole. */
function checkFile(file: Database) {
  const tables = file.query<{ name: string }, []>(TABLES).all()
  const small = tables.filter(({ name }) => lastRowOf(file, name) <= CHECKED_ROWS_MAX)
  const parts = small.length === tables.length ? ['1'] : small.map(({ name }) => `"${name}"`)
  for (const part of parts) {
    const check = file.query<{ quick_check: string }, []>(`PRAGMA quick_check(${part})`).get()
    if (check?.quick_check !== 'ok') throw new Error('it is damaged; restore a backup')
  }
}

const TABLES = `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`

/** The highest row number ever given, found in one step: at least the number of rows. */
const lastRowOf = (file: Database, table: string): number =>
  file.query<{ last: number | null }, []>(`select max(rowid) as last from "${table}"`).get()?.last ?? 0

function explain(error: Error & { code?: string }): string {
  if (error.code === 'SQLITE_NOTADB') return `it is not a SQLite database ("SQLite format 3\0" is missing)`
  if (error.code === 'SQLITE_READONLY' || error.code === 'SQLITE_CANTOPEN') return 'it cannot be written'
  return error.message
}

/** Frees SQLite's copies of pages, up to 16 MB; the system has them too. */
export function freePageCache() {
  sqlite?.run('PRAGMA shrink_memory')
}

export async function closeDatabase() {
  if (sqlite && env.DATABASE_URL !== IN_MEMORY) {
    try {
      sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another process reads; the next start checkpoints.
    }
  }
  sqlite?.close()
  await postgres?.close()
  sqlite = postgres = undefined
}
