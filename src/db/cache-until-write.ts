/** A cache of SQLite reads that ends with the next write: only this process writes. */
import type { Statement } from 'bun:sqlite'
import { sqlite } from './database.ts'

/** For synchronous reads that come far more often than writes. */
export function cacheUntilWrite<Ids extends number[], Value>(read: (...ids: Ids) => Value): (...ids: Ids) => Value {
  const values = new Map<string, Value>()
  let lastWritten = -1
  return (...ids) => {
    const written = rowsWritten()
    if (written !== lastWritten) values.clear()
    lastWritten = written
    const key = ids.join(' ')
    const cached = values.get(key)
    if (cached !== undefined) return cached
    const value = read(...ids)
    values.set(key, value)
    return value
  }
}

let counter: Statement
let counterOf: typeof sqlite

/** Rows written by this connection since it was opened. Reads no page and takes no lock. */
function rowsWritten(): number {
  if (counterOf !== sqlite) {
    counter = sqlite!.prepare('select total_changes()')
    counterOf = sqlite
  }
  return counter.values()[0]![0] as number
}
