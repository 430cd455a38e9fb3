/** The one connection of this process, opened by `openDatabase` before anything else. */
import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SQL } from 'bun'
import { drizzle as onPostgres } from 'drizzle-orm/bun-sql'
import { type BunSQLiteDatabase, drizzle as onSqlite } from 'drizzle-orm/bun-sqlite'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'
import { dialect } from './dialect.ts'

export type Db = BunSQLiteDatabase
/** Either the connection or a transaction on it. */
export type Tx = Pick<Db, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'>

/** Typed as SQLite's; on PostgreSQL the same queries are built by its own builder and awaited alike. */
export let db: Db
/** The driver underneath, for what only one engine has. */
export let sqlite: Database | undefined
export let postgres: SQL | undefined

/** How long a SQLite statement may hold the loop waiting for another process's lock; longer waits retry off the loop. */
const BUSY_WAIT_MS = 50
const POOL_SIZE = 10
const headerOfSqlite = 'SQLite format 3\0'

/** A database that cannot be used: said in one line, and the start stops. */
export class UnusableDatabase extends StartupError {}

interface Opening {
  /** It is only read. */
  readonly?: boolean
  /** It has to be there already. */
  existing?: boolean
}

export const IN_MEMORY = 'file::memory:'

export async function openDatabase(opening: Opening = {}) {
  if (dialect === 'postgres') return openPostgres(opening)
  openSqlite(env.DATABASE_URL.slice('file:'.length), opening)
}

async function openPostgres({ readonly }: Opening) {
  postgres = new SQL(env.DATABASE_URL, { max: POOL_SIZE, bigint: false })
  let answer: { transaction_read_only: string }[]
  try {
    answer = await postgres`show transaction_read_only`
  } catch (error) {
    throw new UnusableDatabase(`cannot reach PostgreSQL: ${(error as Error).message}`)
  }
  if (!readonly && answer[0]?.transaction_read_only === 'on')
    throw new UnusableDatabase('cannot use this PostgreSQL: it cannot be written')
  db = onPostgres({ client: postgres }) as unknown as Db
}

function openSqlite(path: string, { readonly = false, existing = readonly }: Opening) {
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
  const check = file.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()
  if (check?.quick_check !== 'ok') throw new Error('it is damaged; restore a backup')
  for (const step of ['BEGIN IMMEDIATE', 'CREATE TABLE a_write (works)', 'ROLLBACK']) file.run(step)
}

function explain(error: Error & { code?: string }): string {
  if (error.code === 'SQLITE_NOTADB') return `it is not a SQLite database ("${headerOfSqlite.trim()}" is missing)`
  if (error.code === 'SQLITE_READONLY' || error.code === 'SQLITE_CANTOPEN') return 'it cannot be written'
  return error.message
}

export async function closeDatabase() {
  if (sqlite && env.DATABASE_URL !== IN_MEMORY) {
    try {
      sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // A reader may hold it; the next start checkpoints.
    }
  }
  sqlite?.close()
  await postgres?.close()
  sqlite = postgres = undefined
}
