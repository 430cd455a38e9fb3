/** Model filters of the usage log: `*` stands for any text, every other character for itself. */
import { sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { logs } from './table.ts'

const WILDCARD = '*'

/** Whether a filter is `*` alone, which every entry matches. */
export const matchesAnyModel = (filter: string): boolean => /^\*+$/.test(filter)

export const isModelPattern = (filter: string): boolean => filter.includes(WILDCARD)

/** The names in the log that a filter matches; a filter without `*` matches itself. */
export async function modelsMatching(filter: string): Promise<string[]> {
  if (!isModelPattern(filter)) return [filter]
  const names = await db.select({ name: sql<string>`name` }).from(distinctNames)
  return names.map(({ name }) => name).filter(name => matchesModel(name, filter))
}

/** In one pass: a regular expression with as many wildcards can take minutes. */
export function matchesModel(name: string, filter: string): boolean {
  const parts = filter.split(WILDCARD)
  if (parts.length === 1) return name === filter
  const [first, last] = [parts[0]!, parts.at(-1)!]
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.startsWith(first) && name.endsWith(last) && at + last.length <= name.length
}

/** Jumps through the index from each name to the next: one step per model, however many entries there are. */
const distinctNames = sql`(
  with recursive leap(name) as (
    select min(${logs.model_name}) from ${logs}
    union all
    select (select min(${logs.model_name}) from ${logs} where ${logs.model_name} > leap.name) from leap where leap.name is not null
  )
  select name from leap where name is not null
) as names`
