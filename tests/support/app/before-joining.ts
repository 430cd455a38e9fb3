/** A database as programs before the migration 0017_joining have left it, from what the migrations since have made. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'drizzle/postgres'
const FIRST = '0017'

/** Names of the migrations that run on such a database, in their order. */
export const sinceJoining = readdirSync(FOLDER)
  .filter(name => name.endsWith('.sql') && name >= FIRST)
  .map(name => name.replace(/\.sql$/, ''))
  .sort()

const statements = sinceJoining.map(name => readFileSync(join(FOLDER, `${name}.sql`), 'utf8')).join('\n')
const made = (pattern: RegExp) => [...statements.matchAll(pattern)].map(([, ...names]) => names)

/** Statements that take the database back, as later migrations add to earlier ones: indexes, columns, then tables. */
export const beforeJoining = [
  `delete from migrations where name >= '${FIRST}'`,
  ...made(/CREATE (?:UNIQUE )?INDEX "(\w+)"/g).map(([index]) => `drop index if exists ${index}`),
  ...made(/ALTER TABLE "(\w+)" ADD COLUMN "(\w+)"/g).map(
    ([table, column]) => `alter table ${table} drop column ${column}`,
  ),
  ...made(/CREATE TABLE "(\w+)"/g).map(([table]) => `drop table ${table}`),
]
