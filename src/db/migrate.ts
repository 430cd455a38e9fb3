/** Migrations: all of them in one transaction, safe when several processes start together. */
import { type SQL, sql } from 'drizzle-orm'
import { env } from '../env.ts'
import { now } from '../process/clock.ts'
import { StartupError } from '../process/shutdown.ts'
import { atomic, inTurn, rawQuery, run, withoutTransaction } from './atomic.ts'
import { IN_MEMORY, type Tx, UnusableDatabase } from './database.ts'
import { dialect } from './dialect.ts'
import { lockDataFolder } from './lock.ts'
import { migrations as readMigrations } from './migrations.macro.ts' with { type: 'macro' }

/** Of both engines: a move fills a database of the other one. */
export const allMigrations = readMigrations()
const known = allMigrations[dialect]

/** Stands among the migrations while a database is filled by a move: until its end nothing else can use it. */
export const UNFINISHED_MOVE = 'unfinished move '

/** Runs the missing migrations.
 * @returns their names, oldest first
 * @throws UnusableDatabase when the schema is newer than this program, or cannot be changed */
export async function migrate(): Promise<string[]> {
  if (!(await withoutTransaction(missing)).length) return []
  if (dialect === 'sqlite' && env.DATABASE_URL !== IN_MEMORY) lockDataFolder()
  try {
    return await atomic(runMissing)
  } catch (error) {
    if (error instanceof StartupError) throw error
    const { message, cause } = error as Error
    throw new UnusableDatabase(`cannot bring the database up to date: ${(cause as Error)?.message ?? message}`)
  }
}

/** For commands that do not migrate.
 * @throws UnusableDatabase when the schema is older or newer than this program */
export async function checkSchema() {
  if ((await withoutTransaction(missing)).length)
    throw new UnusableDatabase('the database is older than this program; run tollgate migrate')
}

/** Whether no migration was ever run. */
export const isBlank = async () => !(await withoutTransaction(tx => named(tx, tableOfMigrations))).length

function* runMissing(tx: Tx) {
  yield* inTurn(tx, 'migrations')
  yield* run(
    rawQuery(tx, sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`),
  )
  const migrations = yield* missing(tx)
  for (const { name, statements } of migrations) {
    for (const statement of statements) yield* run(rawQuery(tx, sql.raw(statement)))
    yield* run(rawQuery(tx, sql`insert into migrations (name, applied_at) values (${name}, ${now()})`))
  }
  return migrations.map(({ name }) => name)
}

function* missing(tx: Tx) {
  const [table] = yield* named(tx, tableOfMigrations)
  const applied = table ? yield* named(tx, sql`select name from migrations order by name`) : []
  if (applied.some(({ name }) => name.startsWith(UNFINISHED_MOVE)))
    throw new UnusableDatabase('a move into this database has not ended; run tollgate move once more')
  const unknown = applied.find(row => !known.some(({ name }) => name === row.name))
  if (unknown)
    throw new UnusableDatabase(`the database is newer than this program (it has ${unknown.name}); use a newer Tollgate`)
  return known.slice(applied.length)
}

const tableOfMigrations =
  dialect === 'sqlite'
    ? sql`select name from sqlite_master where type = 'table' and name = 'migrations'`
    : sql`select table_name as name from information_schema.tables where table_schema = current_schema() and table_name = 'migrations'`

const named = (tx: Tx, query: SQL) => run(rawQuery<{ name: string }>(tx, query))
