/** SQL that must differ between the engines, each piece under one name. */
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { dialect } from './dialect.ts'

const escaped = (text: string) => text.replace(/[\\%_]/g, character => `\\${character}`)

/** Case-blind "contains", wildcards taken literally. */
export const contains = (column: AnyColumn, text: string): SQL =>
  dialect === 'sqlite'
    ? sql`${column} like ${`%${escaped(text)}%`} escape '\\'`
    : sql`${column} ilike ${`%${escaped(text)}%`} escape '\\'`

/** A pattern in which `*` stands for anything; without one, equality. */
export const matches = (column: AnyColumn, pattern: string): SQL => {
  if (!pattern.includes('*')) return sql`${column} = ${pattern}`
  const like = escaped(pattern).replaceAll('*', '%')
  return sql`${column} like ${like} escape '\\'`
}

/** Whether a comma list holds an item. */
export const listed = (column: AnyColumn, item: string): SQL =>
  sql`(',' || ${column} || ',') like ${`%,${escaped(item)},%`} escape '\\'`

/** A sum as a JavaScript number, 0 for no rows (PostgreSQL would answer with text). */
export const total = (column: AnyColumn | SQL): SQL<number> =>
  sql<number>`cast(coalesce(sum(${column}), 0) as bigint)`.mapWith(Number)

export const count = (): SQL<number> => sql<number>`cast(count(*) as bigint)`.mapWith(Number)

/** A column in a condition that SQLite is not to look up in an index; PostgreSQL judges by itself. */
export const unindexed = (column: AnyColumn): SQL => (dialect === 'sqlite' ? sql`+${column}` : sql`${column}`)
