/** Migrations of a place, which need not be the database of this process. */
import { now } from '../../process/clock.ts'
import { UnusableDatabase } from '../database.ts'
import { allMigrations, statementsOf, UNFINISHED_MOVE } from '../migrate.ts'
import type { Place } from './place.ts'

/** Names in their order; empty for a database without tables. @throws UnusableDatabase when one is newer than this program */
export async function appliedMigrations(place: Place): Promise<string[]> {
  const names = await storedNames(place)
  if (names.some(name => name.startsWith(UNFINISHED_MOVE)))
    throw new UnusableDatabase(`a move into ${place.name} has not ended; run tollgate move once more`)
  const unknown = names.find(name => !isKnown(place.engine, name))
  if (unknown) throw new UnusableDatabase(`${place.name} is newer than this program (it has ${unknown})`)
  return names
}

export const isKnown = (engine: Place['engine'], migration: string) =>
  allMigrations[engine].some(({ name }) => name === migration)

export const lastMigration = (engine: Place['engine']) => allMigrations[engine].at(-1)!.name

const MIGRATIONS =
  'create table if not exists migrations (name text primary key, applied_at bigint not null, compatible_since text)'

/** Runs the missing migrations, up to one or all of them. */
export async function migratePlace(place: Place, upTo = lastMigration(place.engine)) {
  await place.query(MIGRATIONS)
  const applied = await storedNames(place)
  const statements = statementsOf(place.engine)
  for (const { name, compatible_since } of allMigrations[place.engine]) {
    if (name > upTo) break
    if (applied.includes(name)) continue
    for (const statement of statements[name]!) await place.query(statement)
    await place.query(
      `insert into migrations (name, applied_at, compatible_since) values ('${name}', ${now()}, '${compatible_since}')`,
    )
  }
}

async function storedNames(place: Place): Promise<string[]> {
  if (!(await hasTable(place, 'migrations'))) return []
  const rows = await place.query('select name from migrations order by name')
  return rows.map(({ name }) => String(name))
}

export async function hasTable(place: Place, name: string): Promise<boolean> {
  const rows = await place.query(
    place.engine === 'sqlite'
      ? `select name from sqlite_schema where type = 'table' and name = '${name}'`
      : `select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_name = '${name}'`,
  )
  return rows.length > 0
}

/** Whether anybody has an account: then the database is in use. */
export const hasUsers = async (place: Place) =>
  (await hasTable(place, 'users')) && (await place.query('select id from users limit 1')).length > 0

/** @returns what identifies the source of a move that has not ended */
export async function unfinishedMove(place: Place): Promise<string | undefined> {
  const mark = (await storedNames(place)).find(name => name.startsWith(UNFINISHED_MOVE))
  return mark?.slice(UNFINISHED_MOVE.length)
}

/** Marks a database before its first table is made: whenever a run breaks off, the mark is there. */
export async function markUnfinished(place: Place, source: string) {
  await place.query(MIGRATIONS)
  if ((await unfinishedMove(place)) === undefined)
    await place.query(`insert into migrations (name, applied_at) values ('${UNFINISHED_MOVE}${source}', ${now()})`)
  else
    await place.query(
      `update migrations set name = '${UNFINISHED_MOVE}${source}' where name like '${UNFINISHED_MOVE}%'`,
    )
}

export async function markFinished(place: Place) {
  await place.query(`delete from migrations where name like '${UNFINISHED_MOVE}%'`)
}
