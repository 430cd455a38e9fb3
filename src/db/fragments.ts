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

/** A whole number of a JSON object by its key, as `JSON.stringify` writes it; none or 0 without the key. Never fails. */
export const wholeNumberIn = (column: AnyColumn, key: string): SQL => {
  const written = `"${key}":`
  if (dialect === 'postgres') return sql`cast(substring(${column} from ${`${written}([0-9]{1,15})`}) as bigint)`
  const at = sql`instr(${column}, ${written})`
  return sql`case when ${at} then cast(substr(${column}, ${at} + ${written.length}, 15) as integer) end`
}

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
