/** The models that the log knows, for patterns over their names. */
import { sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { logs } from './table.ts'

const wildcards = /[*%]/

export const isPattern = (name: string): boolean => wildcards.test(name)

/** The names that a filter means; a name without wildcards means itself. */
export async function modelsLike(filter: string): Promise<string[]> {
  if (!isPattern(filter)) return [filter]
  const names = await db.select({ name: sql<string>`name` }).from(distinctNames)
  return names.map(({ name }) => name).filter(name => fits(name, filter.split(wildcards)))
}

/**
 * Whether these pieces stand in a name, in this order, the first and the last at its ends. In one pass, where a regular
 * expression could be made to run for minutes.
 */
function fits(name: string, pieces: string[]): boolean {
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return name.startsWith(first) && name.endsWith(last) && at + last.length <= name.length
}

/** Leaps through the index from each name to the next: as many steps as there are models, however many entries. */
const distinctNames = sql`(
  with recursive leap(name) as (
    select min(${logs.model_name}) from ${logs}
    union all
    select (select min(${logs.model_name}) from ${logs} where ${logs.model_name} > leap.name) from leap where leap.name is not null
  )
  select name from leap where name is not null
) as names`
