/** Long timeouts that pass at once. */
import { spyOn } from 'bun:test'

const LONG_MS = 5000
const SHORT_MS = 20

/** Timers of 5 s and more fire after 20 ms, until it is disposed. */
export function hurry() {
  const set = globalThis.setTimeout
  const hurried = (work: () => void, ms = 0, ...rest: []) => set(work, ms >= LONG_MS ? SHORT_MS : ms, ...rest)
  return spyOn(globalThis, 'setTimeout').mockImplementation(hurried as typeof setTimeout)
}
