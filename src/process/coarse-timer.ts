/** Alarms that hardly ever ring, set thousands of times a second: one timer looks after them all. */
import { stopwatch } from './clock.ts'

const LOOK_EVERY_MS = 100

interface Alarm {
  due_ms: number
  /** It may be we who were stopped for a while: it rings at the second look, and what came meanwhile is heard first. */
  doubted: boolean
  ring(): void
}

const alarms = new Set<Alarm>()
const clock = stopwatch()
let timer: Timer | undefined

/** Rings once, `ms` from now or a moment later. @returns what switches it off. */
export function setCoarseTimer(ms: number, ring: () => void): () => void {
  const mine = { due_ms: clock() + ms, doubted: false, ring }
  alarms.add(mine)
  timer ??= setInterval(look, LOOK_EVERY_MS)
  return () => void alarms.delete(mine)
}

function look() {
  const now_ms = clock()
  for (const one of alarms) {
    if (one.due_ms > now_ms) continue
    if (!one.doubted) {
      one.doubted = true
      continue
    }
    alarms.delete(one)
    one.ring()
  }
  if (alarms.size) return
  clearInterval(timer)
  timer = undefined
}
