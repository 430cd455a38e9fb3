/** One shared timer for thousands of timeouts a second that hardly ever fire. */
import { stopwatch } from './clock.ts'

const TICK_MS = 100

interface Timeout {
  due_ms: number
  /** Fires on the second tick after its due time: after a pause of the process, pending I/O runs first. */
  isOverdue: boolean
  fire(): void
}

const timeouts = new Set<Timeout>()
const clock = stopwatch()
let timer: Timer | undefined

/** Calls `fire` once, `ms` from now or up to 200 ms later. @returns a function that cancels it */
export function setCoarseTimer(ms: number, fire: () => void): () => void {
  const timeout = { due_ms: clock() + ms, isOverdue: false, fire }
  timeouts.add(timeout)
  timer ??= setInterval(tick, TICK_MS)
  return () => void timeouts.delete(timeout)
}

function tick() {
  const now_ms = clock()
  for (const timeout of timeouts) {
    if (timeout.due_ms > now_ms) continue
    if (!timeout.isOverdue) {
      timeout.isOverdue = true
      continue
    }
    timeouts.delete(timeout)
    timeout.fire()
  }
  if (timeouts.size) return
  clearInterval(timer)
  timer = undefined
}
