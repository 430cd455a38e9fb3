/**
 * Work that is done once however often it is tried. A connection that ends amid a COMMIT leaves its outcome unknown: what
 * is repeated by an id of its own finds what has been done.
 */
import { stopwatch } from '../process/clock.ts'
import { isLostConnection } from './transient-error.ts'

/** No try begins later than this after the first: a caller has a response within five seconds. */
const LAST_TRY_MS = 2000
const PAUSE_MS = 20

export async function repeatIfLost<T>(work: (isFirst: boolean) => Promise<T>): Promise<T> {
  const elapsed = stopwatch()
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work(isFirst)
    } catch (error) {
      if (!isLostConnection(error) || elapsed() > LAST_TRY_MS) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}
