/** Brings the database up to this program's schema: all of it or nothing, however many processes try at once. */
import { type SQL, sql } from 'drizzle-orm'
import { env } from '../env.ts'
import { now } from '../process/clock.ts'
import { StartupError } from '../process/shutdown.ts'
import { atomic, rawQuery, run, withoutTransaction } from './atomic.ts'
import { IN_MEMORY, type Tx, UnusableDatabase } from './database.ts'
import { dialect } from './dialect.ts'
import { lockDataFolder } from './lock.ts'
import { migrations } from './migrations.macro.ts' with { type: 'macro' }

const known = migrations()[dialect]

/** The names of the migrations that were run here, oldest first.
 * @throws UnusableDatabase when a newer program has already changed the schema, or it cannot be changed. */
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

/** For commands that leave the schema alone, also beside a server.
 * @throws UnusableDatabase when the schema is not this program's. */
export async function checkSchema() {
  if ((await withoutTransaction(missing)).length)
    throw new UnusableDatabase('the database is older than this program; run tollgate migrate')
}

function* runMissing(tx: Tx) {
  if (dialect === 'postgres') yield* run(rawQuery(tx, inTurn))
  yield* run(
    rawQuery(tx, sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`),
  )
  const waiting = yield* missing(tx)
  for (const { name, statements } of waiting) {
    for (const statement of statements) yield* run(rawQuery(tx, sql.raw(statement)))
    yield* run(rawQuery(tx, sql`insert into migrations (name, applied_at) values (${name}, ${now()})`))
  }
  return waiting.map(({ name }) => name)
}

/** Nodes that start together wait here for each other, until the transaction ends; the number is nobody else's. */
const inTurn = sql`select pg_advisory_xact_lock(7655118)`

function* missing(tx: Tx) {
  const [table] = yield* named(tx, tableOfMigrations)
  const applied = table ? yield* named(tx, sql`select name from migrations order by name`) : []
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
