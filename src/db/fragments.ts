/** SQL that differs between the engines. */
import { type AnyColumn, type SQL, sql, type Table } from 'drizzle-orm'
import { dialect } from './dialect.ts'

const escaped = (text: string) => text.replace(/[\\%_]/g, character => `\\${character}`)

/** Contains the text, in any case; `%` and `_` are literal. */
export const contains = (column: AnyColumn | SQL, text: string): SQL => like(column, `%${escaped(text)}%`)

/** Starts with the text, in any case; `%` and `_` are literal. */
export const startsWith = (column: AnyColumn, text: string): SQL => like(column, `${escaped(text)}%`)

/** Whether a comma-joined list contains an item. */
export const listed = (column: AnyColumn, item: string): SQL =>
  like(sql`(',' || ${column} || ',')`, `%,${escaped(item)},%`, sql`like`)

/** SQLite refuses longer patterns, in bytes of UTF-8. https://sqlite.org/limits.html (read 2026-11) */
const PATTERN_BYTES_MAX = 50_000
const inAnyCase = dialect === 'sqlite' ? sql`like` : sql`ilike`

const like = (place: AnyColumn | SQL, pattern: string, operator = inAnyCase): SQL =>
  Buffer.byteLength(pattern) > PATTERN_BYTES_MAX ? sql`1 = 0` : sql`${place} ${operator} ${pattern} escape '\\'`

/** A sum as a JavaScript number (PostgreSQL returns text), 0 for no rows. */
export const total = (column: AnyColumn | SQL): SQL<number> =>
  sql<number>`cast(coalesce(sum(${column}), 0) as bigint)`.mapWith(Number)

export const count = (): SQL<number> => sql<number>`cast(count(*) as bigint)`.mapWith(Number)

/**
 * A whole number of a JSON object by its key, as `JSON.stringify` writes it; none without the key or an object. Has no
 * parameter and, for the generator of migrations, no comma: it can stand in an index.
 */
export const wholeNumberIn = (column: AnyColumn | SQL, key: string): SQL =>
  dialect === 'postgres'
    ? sql`cast(substring(${column} from ${sql.raw(`'"${key}":([0-9]{1,15})'`)}) as bigint)`
    : sql`case when json_valid(${column}) then ${column} ->> ${sql.raw(`'$.${key}'`)} end`

/** A column for which SQLite must not choose an index. */
export const unindexed = (column: AnyColumn): SQL => (dialect === 'sqlite' ? sql`+${column}` : sql`${column}`)

type TimedTable = Table & { id: AnyColumn; created_at: AnyColumn }

/**
 * A condition on a column that SQLite checks in the index (column, created_at) while it walks another index, so that it
 * fetches only matching rows. PostgreSQL combines indexes by itself.
 */
export function knownByIndex(table: TimedTable, column: AnyColumn, holds: (column: SQL) => SQL): SQL {
  if (dialect === 'postgres') return holds(sql`${column}`)
  const beside = ({ name }: AnyColumn) => sql`beside.${sql.identifier(name)}`
  return sql`exists (select 1 from ${table} as beside where ${holds(beside(column))}
    and ${beside(table.created_at)} = ${table.created_at} and +${beside(table.id)} = ${table.id})`
}
