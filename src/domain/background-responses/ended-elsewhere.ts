/** Stops what runs on this node when its response is cancelled or deleted at another one. */
import { dialect } from '../../db/dialect.ts'
import { store } from '../../process/stores.ts'
import { endedAmong } from './service.ts'

const stops = store('background-stops', new Map<string, () => void>())

/** Ids of one query. */
const BATCH = 500

/** @returns a function that forgets `stop`: the response does not run any more */
export function whenEndedElsewhere(id: string, stop: () => void): () => void {
  stops.set(id, stop)
  return () => void stops.delete(id)
}

/** Looks once for all that runs here: an upstream may be silent for minutes, and is paid until it is aborted. */
export async function stopEndedElsewhere() {
  // SQLite has one process.
  if (dialect === 'sqlite') return
  const ids = [...stops.keys()]
  for (let from = 0; from < ids.length; from += BATCH)
    for (const id of await endedAmong(ids.slice(from, from + BATCH))) stops.get(id)?.()
}
