/** The only reader of the system clock, so that tests can move and stop it. */
import { onReset } from './stores.ts'

let correction_ms = 0
let shift_ms = 0
let stopped_ms: number | undefined
let skipped_ms = 0
onReset('clock', () => {
  correction_ms = 0
  shift_ms = 0
  stopped_ms = undefined
})

/** Milliseconds since 1970, by the clock that all nodes share where this machine's is off. */
export const now_ms = () => (stopped_ms ?? Date.now()) + shift_ms + correction_ms

/** The same by this machine's clock, right or wrong. */
export const machine_ms = () => Date.now()

/** What this machine's clock lacks to the shared one, from now on. @param off_ms how far it is before that, negative behind */
export function correctClock(off_ms: number) {
  correction_ms = -off_ms
}

/** By how much `now_ms` is before this machine's clock. */
export const clockCorrection = () => correction_ms

/** Unix seconds, as in the database and on the wire. */
export const now = () => Math.floor(now_ms() / 1000)

/** A monotonic stopwatch. @returns a function that reads the milliseconds since now */
export function stopwatch() {
  const start = performance.now() + skipped_ms
  return () => performance.now() + skipped_ms - start
}

/** For tests: lets so many seconds pass on every stopwatch, and on the timers that read one. */
export function skipTime(seconds: number) {
  skipped_ms += seconds * 1000
}

/** For tests: moves the clock by this many seconds, back for a negative number. */
export function shiftClock(seconds: number) {
  shift_ms += seconds * 1000
}

/** For tests: stops the clock, which can still be moved, or starts it again. */
export function holdClock(isStopped: boolean) {
  stopped_ms = isStopped ? Date.now() : undefined
}
