/** Indexes are built when the rows are there: ten million rows in random order would otherwise write each page of them anew. */
import { type Place, quoted } from './place.ts'
import { hasTable } from './schema.ts'

/** Keeps their statements in the database itself, for a run that continues a broken one. */
const TABLE = 'postponed_indexes'

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Only of the tables that are filled, and never those that belong to a primary key. */
export async function postponeIndexes(place: Place) {
  const tables = (await place.tables()).map(({ name }) => literal(name)).join(', ')
  const indexes = await place.query(
    place.engine === 'sqlite'
      ? `select name, sql as statement from sqlite_schema
          where type = 'index' and sql is not null and tbl_name in (${tables})`
      : `select i.indexname as name, i.indexdef as statement from pg_indexes i
          where i.schemaname = current_schema() and i.tablename in (${tables})
            and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
  )
  await place.query(`create table ${TABLE} (statement text)`)
  for (const { statement } of indexes) {
    const repeatable = String(statement).replace(/ index /i, ' INDEX IF NOT EXISTS ')
    await place.query(`insert into ${TABLE} (statement) values (${literal(repeatable)})`)
  }
  for (const { name } of indexes) await place.query(`drop index ${quoted(String(name))}`)
}

/** Does nothing when they were built. @throws Error for rows that a unique index forbids */
export async function buildIndexes(place: Place) {
  if (!(await hasTable(place, TABLE))) return
  for (const { statement } of await place.query(`select statement from ${TABLE}`)) await place.query(String(statement))
  await place.query(`drop table ${TABLE}`)
}
