/** What was read from SQLite, kept until something is written: nobody but this process writes there. */
import type { Statement } from 'bun:sqlite'
import { sqlite } from './database.ts'

/** For a read in the middle of a tick that comes far more often than a write. */
export function cacheUntilWrite<Ids extends number[], Value>(read: (...ids: Ids) => Value): (...ids: Ids) => Value {
  const kept = new Map<string, Value>()
  let before = -1
  return (...ids) => {
    const written = rowsWritten()
    if (written !== before) kept.clear()
    before = written
    const key = ids.join(' ')
    const known = kept.get(key)
    if (known !== undefined) return known
    const value = read(...ids)
    kept.set(key, value)
    return value
  }
}

let counter: Statement
let countedOn: typeof sqlite

/** By this connection since it was opened. No page is looked at for it, and so no lock is taken. */
function rowsWritten(): number {
  if (countedOn !== sqlite) {
    counter = sqlite!.prepare('select total_changes()')
    countedOn = sqlite
  }
  return counter.values()[0]![0] as number
}
