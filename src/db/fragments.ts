/** SQL that must differ between the engines, each piece under one name. */
import { type AnyColumn, type SQL, sql, type Table } from 'drizzle-orm'
import { dialect } from './dialect.ts'

const escaped = (text: string) => text.replace(/[\\%_]/g, character => `\\${character}`)

/** Case-blind "contains", wildcards taken literally. */
export const contains = (column: AnyColumn, text: string): SQL =>
  dialect === 'sqlite'
    ? sql`${column} like ${`%${escaped(text)}%`} escape '\\'`
    : sql`${column} ilike ${`%${escaped(text)}%`} escape '\\'`

/** Whether a comma list holds an item. */
export const listed = (column: AnyColumn, item: string): SQL =>
  sql`(',' || ${column} || ',') like ${`%,${escaped(item)},%`} escape '\\'`

/** A sum as a JavaScript number, 0 for no rows (PostgreSQL would answer with text). */
export const total = (column: AnyColumn | SQL): SQL<number> =>
  sql<number>`cast(coalesce(sum(${column}), 0) as bigint)`.mapWith(Number)

export const count = (): SQL<number> => sql<number>`cast(count(*) as bigint)`.mapWith(Number)

/** A column in a condition that SQLite is not to look up in an index; PostgreSQL judges by itself. */
export const unindexed = (column: AnyColumn): SQL => (dialect === 'sqlite' ? sql`+${column}` : sql`${column}`)

type Timed = Table & { id: AnyColumn; created_at: AnyColumn }

/**
 * What a row has in a column, asked of the index (column, created_at) while another index is walked: SQLite then
 * fetches only rows that fit. PostgreSQL combines indexes by itself.
 */
export function knownByIndex(table: Timed, column: AnyColumn, holds: (column: SQL) => SQL): SQL {
  if (dialect === 'postgres') return holds(sql`${column}`)
  const beside = ({ name }: AnyColumn) => sql`beside.${sql.identifier(name)}`
  return sql`exists (select 1 from ${table} as beside where ${holds(beside(column))}
    and ${beside(table.created_at)} = ${table.created_at} and +${beside(table.id)} = ${table.id})`
}
