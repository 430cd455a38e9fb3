/** The only reader of the time, so that tests can move it. */
let shift_ms = 0

/** Milliseconds since 1970. */
export const now_ms = () => Date.now() + shift_ms

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
