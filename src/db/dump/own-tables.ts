/** Which tables are Tollgate's, and the order in which they are filled. */
import { statementsOf } from '../migrate.ts'
import type { DumpTable } from './place.ts'

/**
 * Rows of running processes: `nodes` are heartbeats, `changes` are numbered by the transactions of one PostgreSQL server.
 * Neither means anything to another one.
 */
const OF_PROCESSES = ['nodes', 'changes']

/** Every table that a migration has made: a database may hold tables of other programs. */
export function namedInMigrations(engine: 'sqlite' | 'postgres'): Set<string> {
  const text = Object.values(statementsOf(engine)).flat().join('\n')
  const found = text.matchAll(/(?:create table|rename to)(?: if not exists)? [`"](\w+)[`"]/gi)
  return new Set(Array.from(found, ([, name]) => name!))
}

export const isDumped = (name: string) => !OF_PROCESSES.includes(name)

/** @param parents names of the tables that each table refers to */
export function inOrder(tables: DumpTable[], parents: Map<string, string[]>): DumpTable[] {
  const byName = new Map(tables.map(table => [table.name, table]))
  const ordered = new Set<DumpTable>()
  const add = (name: string, below: string[]) => {
    const table = byName.get(name)
    if (!table || below.includes(name)) return
    for (const parent of parents.get(name) ?? []) add(parent, [...below, name])
    ordered.add(table)
  }
  for (const name of [...byName.keys()].sort()) add(name, [])
  return [...ordered]
}
