/** Load shedding by event-loop lag: how late a 50 ms timer fires. */
import { stopwatch } from './clock.ts'
import { onReset } from './stores.ts'

const TICK_MS = 50
/** Lag at which shedding starts, and at which every new call is refused. */
const SHEDDING_MIN_MS = 1000
const SHEDDING_MAX_MS = 3000

const clock = stopwatch()
let due_ms = Number.POSITIVE_INFINITY
/** Lag of the last tick, and of the one before. */
let lag_ms = 0
let previous_lag_ms = 0
onReset('load', () => {
  lag_ms = previous_lag_ms = 0
})

/** Starts measuring. */
export function watchLoad() {
  due_ms = clock() + TICK_MS
  setTimeout(() => {
    previous_lag_ms = lag_ms
    lag_ms = clock() - due_ms
    watchLoad()
  }, TICK_MS).unref()
}

/** Milliseconds by which the last tick was late. */
export const loopLag_ms = () => Math.max(0, lag_ms)

/**
 * Whether to refuse a new call: with a probability that grows from 0 to 1 between 1 s and 3 s of lag, so that the calls
 * that are admitted finish in time. A single late tick is ignored.
 */
export function isOverloaded(): boolean {
  const lasting_ms = Math.min(lag_ms, Math.max(previous_lag_ms, clock() - due_ms))
  return Math.random() < (lasting_ms - SHEDDING_MIN_MS) / (SHEDDING_MAX_MS - SHEDDING_MIN_MS)
}
