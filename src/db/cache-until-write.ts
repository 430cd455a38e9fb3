/** A cache of SQLite reads that ends with the next write: only this process writes. */
import { ofDatabase } from './database.ts'

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

const counter = ofDatabase(sqlite => sqlite.prepare('select total_changes()'))

/** Rows written by this connection since it was opened. Reads no page and takes no lock. */
const rowsWritten = () => counter().values()[0]![0] as number
