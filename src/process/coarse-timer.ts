/** One shared timer for thousands of timeouts a second that hardly ever fire. */
import { LiveItems } from '../pure/live-items.ts'
import { stopwatch } from './clock.ts'

const TICK_MS = 100

interface Timeout {
  due_ms: number
  /** Fires on the second tick after its due time: after a pause of the process, pending I/O runs first. */
  isOverdue: boolean
  fire(): void
  remove?(): void
}

const timeouts = new LiveItems<Timeout>()
const clock = stopwatch()
let timer: Timer | undefined

/** Calls `fire` once, `ms` from now or up to 200 ms later. @returns a function that cancels it */
export function setCoarseTimer(ms: number, fire: () => void): () => void {
  const timeout: Timeout = { due_ms: clock() + ms, isOverdue: false, fire }
  timeout.remove = timeouts.add(timeout)
  timer ??= setInterval(tick, TICK_MS)
  return timeout.remove
}

function tick() {
  const now_ms = clock()
  for (const timeout of timeouts) {
    if (timeout.due_ms > now_ms) continue
    if (!timeout.isOverdue) {
      timeout.isOverdue = true
      continue
    }
    timeout.remove?.()
    timeout.fire()
  }
  if (timeouts.size) return
  clearInterval(timer)
  timer = undefined
}
