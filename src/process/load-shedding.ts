/** How far the process is behind with its work, told by a timer that comes late. */
import { stopwatch } from './clock.ts'

const LOOK_EVERY_MS = 50
/** So far behind, everyone is still let in; and so far, nobody is. */
const EASE_MS = 1000
const LIMIT_MS = 3000

const clock = stopwatch()
let due_ms = Number.POSITIVE_INFINITY
/** How late the last look came, and the one before it. */
let late_ms = 0
let before_ms = 0

/** Begins to look. */
export function watchLoad() {
  due_ms = clock() + LOOK_EVERY_MS
  setTimeout(() => {
    before_ms = late_ms
    late_ms = clock() - due_ms
    watchLoad()
  }, LOOK_EVERY_MS).unref()
}

/**
 * Whether newcomers should be turned away, the more of them the further behind we are: were all let in, each would
 * take longer than anyone waits, and nothing would be finished. Once is no strain: any machine may stop for a while.
 */
export function isOverloaded(): boolean {
  const behind_ms = Math.min(late_ms, Math.max(before_ms, clock() - due_ms))
  return Math.random() < (behind_ms - EASE_MS) / (LIMIT_MS - EASE_MS)
}
