/** Brings the database up to this program's schema, one migration a transaction. */
import { sql } from 'drizzle-orm'
import { now } from '../kit/clock.ts'
import { atomic, plain, run } from './atomic.ts'
import { db, UnusableDatabase } from './database.ts'
import { dialect } from './dialect.ts'
import { migrations } from './migrations.macro.ts' with { type: 'macro' }

const known = migrations()[dialect]

/** Rows of a raw query, on either engine. */
const rows = async (query: ReturnType<typeof sql>): Promise<{ name: string }[]> =>
  dialect === 'sqlite' ? db.all<{ name: string }>(query) : (db as any).execute(query)

/** The names of the migrations that were run here, oldest first.
 * @throws UnusableDatabase when a newer program has already changed the schema. */
export async function migrate(): Promise<string[]> {
  const tableIsThere = await rows(
    dialect === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table' and name = 'migrations'`
      : sql`select table_name as name from information_schema.tables where table_schema = current_schema() and table_name = 'migrations'`,
  )
  const applied = tableIsThere.length ? await rows(sql`select name from migrations order by name`) : []
  const unknown = applied.filter(row => !known.some(migration => migration.name === row.name))
  if (unknown.length)
    throw new UnusableDatabase(
      `the database is newer than this program (it has ${unknown[0]!.name}); use a newer Tollgate`,
    )
  const missing = known.slice(applied.length)
  if (!tableIsThere.length)
    await runAll(['create table migrations (name text primary key, applied_at bigint not null)'])
  for (const migration of missing) {
    await runAll(migration.statements, migration.name)
  }
  return missing.map(migration => migration.name)
}

const runAll = (statements: string[], name?: string) =>
  atomic(function* (tx) {
    for (const statement of statements) yield* run(plain(tx, sql.raw(statement)))
    if (name) yield* run(plain(tx, sql`insert into migrations (name, applied_at) values (${name}, ${now()})`))
  })
