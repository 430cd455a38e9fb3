/** The only reader of the time, so that tests can move it, and have it stand still. */
let shift_ms = 0
let held_ms: number | undefined

/** Milliseconds since 1970. */
export const now_ms = () => (held_ms ?? Date.now()) + shift_ms

/** Unix seconds: what the database and the wire hold. */
export const now = () => Math.floor(now_ms() / 1000)

/** A monotonic stopwatch: call the result to read the milliseconds since. */
export function stopwatch() {
  const start = performance.now()
  return () => performance.now() - start
}

/** For tests: move the clock forward (or back) by this many seconds. */
export function shiftClock(seconds: number) {
  shift_ms += seconds * 1000
}

/** For tests: the time stands still, except that it can be moved, or goes on again. */
export function holdClock(still: boolean) {
  held_ms = still ? Date.now() : undefined
}
