/**
 * Migrations: all of them in one transaction, safe when several processes start together. Each says from which one on
 * programs can run beside it, so that the nodes of a release go on while the next one is rolled out.
 */
import { brotliDecompressSync } from 'node:zlib'
import { type SQL, sql } from 'drizzle-orm'
import { env } from '../env.ts'
import { now } from '../process/clock.ts'
import { log } from '../process/log.ts'
import { StartupError } from '../process/shutdown.ts'
import { atomic, inTurn, rawQuery, run, withoutTransaction } from './atomic.ts'
import { IN_MEMORY, type Tx, UnusableDatabase } from './database.ts'
import { dialect } from './dialect.ts'
import { lockDataFolder } from './lock.ts'
import { knownMigrations, packedStatements } from './migrations.macro.ts' with { type: 'macro' }
import type { Engine, KnownMigration } from './migrations.macro.ts'

/** Of both engines: a move fills a database of the other one. */
export const allMigrations = knownMigrations()
const known = allMigrations[dialect]
/** Name of the last migration that this program knows. */
export const SCHEMA = known.at(-1)!.name

/** Statements by migration, unpacked where one is missing: in a new database, or after an update. */
export function statementsOf(engine: Engine): Record<string, string[]> {
  const json = brotliDecompressSync(Buffer.from(packedStatements(), 'base64')).toString()
  return (JSON.parse(json) as Record<Engine, Record<string, string[]>>)[engine]
}

/** Stands among the migrations while a database is filled by a move: until its end nothing else can use it. */
export const UNFINISHED_MOVE = 'unfinished move '

/** Runs the missing migrations.
 * @returns their names, oldest first
 * @throws UnusableDatabase when this program cannot run on the schema, or cannot change it */
export async function migrate(): Promise<string[]> {
  if (!(await withoutTransaction(pending)).length) return []
  if (dialect === 'sqlite' && env.DATABASE_URL !== IN_MEMORY) lockDataFolder()
  try {
    return await whenUnlocked(() => atomic(runMissing))
  } catch (error) {
    if (error instanceof StartupError) throw error
    const { message, cause } = error as Error
    throw new UnusableDatabase(`cannot bring the database up to date: ${(cause as Error)?.message ?? message}`)
  }
}

/** The migrations that are missing. @throws UnusableDatabase when this program cannot run on the schema */
export const missingMigrations = (): Promise<KnownMigration[]> => withoutTransaction(pending)

/** Name of the newest migration of the database that this program does not know, but can run on; undefined without one. */
export const newerSchema = async (): Promise<string | undefined> => (await withoutTransaction(compare)).newer

/** For commands that neither migrate nor run beside the nodes of another release.
 * @throws UnusableDatabase when the schema is older or newer than this program */
export async function checkSchema() {
  const { missing, newer } = await withoutTransaction(compare)
  if (newer) throw tooNew(newer)
  if (missing.length) throw new UnusableDatabase('the database is older than this program; run tollgate migrate')
}

/** Whether no migration was ever run. */
export const isBlank = async () => !(await withoutTransaction(tx => rows(tx, tableOfMigrations))).length

function* runMissing(tx: Tx) {
  yield* inTurn(tx, 'migrations')
  if (dialect === 'postgres') yield* run(rawQuery(tx, sql.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`)))
  yield* run(
    rawQuery(
      tx,
      sql`create table if not exists migrations (name text primary key, applied_at bigint not null, compatible_since text)`,
    ),
  )
  const { missing, applied } = yield* compare(tx)
  // Programs from before the column made the table without it.
  if (missing.length && applied[0] && !('compatible_since' in applied[0]))
    yield* run(rawQuery(tx, sql`alter table migrations add column compatible_since text`))
  const statements = statementsOf(dialect)
  for (const { name, compatible_since } of missing) {
    for (const statement of statements[name]!) yield* run(rawQuery(tx, sql.raw(statement)))
    yield* run(
      rawQuery(
        tx,
        sql`insert into migrations (name, applied_at, compatible_since) values (${name}, ${now()}, ${compatible_since})`,
      ),
    )
  }
  return missing.map(({ name }) => name)
}

interface AppliedMigration {
  name: string
  /** Null or absent in rows of programs that did not know it. */
  compatible_since?: string | null
}

function* pending(tx: Tx) {
  return (yield* compare(tx)).missing
}

/** What this program and the database know of each other. @throws UnusableDatabase when this program cannot run on the schema */
function* compare(tx: Tx) {
  const [table] = yield* rows(tx, tableOfMigrations)
  const applied = table ? yield* rows<AppliedMigration>(tx, sql`select * from migrations order by name`) : []
  if (applied.some(({ name }) => name.startsWith(UNFINISHED_MOVE)))
    throw new UnusableDatabase('a move into this database has not ended; run tollgate move once more')
  const missing = known.filter(({ name }) => !applied.some(row => row.name === name))
  const unknown = applied.filter(row => !known.some(({ name }) => name === row.name)).at(-1)
  if (unknown && (missing.length || !runsBeside(unknown))) throw tooNew(unknown.name)
  return { applied, missing, newer: unknown?.name }
}

/** SQLite has one process, and no release is rolled out beside another. */
const runsBeside = ({ compatible_since }: AppliedMigration) =>
  dialect === 'postgres' && Boolean(compatible_since) && compatible_since! <= SCHEMA

const tooNew = (name: string) =>
  new UnusableDatabase(`the database is newer than this program (it has ${name}); use a newer Tollgate`)

/** How long a statement waits for a table that is in use: meanwhile the calls that come after it wait as well. */
const LOCK_WAIT_MS = 2000
/** Between two attempts calls go on. */
const PAUSE_MS = 3000
const ATTEMPTS_MAX = 60
const LOCK_NOT_AVAILABLE = '55P03'

/** Repeats work that has found a table in use, such as by `pg_dump`, and has changed nothing. */
async function whenUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isLocked(error)) throw error
      if (attempt === 1) log.warn('the migration waits for a table that is in use')
      await Bun.sleep(PAUSE_MS)
    }
  }
}

const isLocked = (error: unknown): boolean => {
  const { errno, cause } = error as { errno?: unknown; cause?: unknown }
  return errno === LOCK_NOT_AVAILABLE || (cause !== undefined && isLocked(cause))
}

const tableOfMigrations =
  dialect === 'sqlite'
    ? sql`select name from sqlite_master where type = 'table' and name = 'migrations'`
    : sql`select table_name as name from information_schema.tables where table_schema = current_schema() and table_name = 'migrations'`

const rows = <Row = { name: string }>(tx: Tx, query: SQL) => run(rawQuery<Row>(tx, query))
