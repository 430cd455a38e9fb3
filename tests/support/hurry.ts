/** Long timeouts and pauses that pass soon or at once. */
import { spyOn } from 'bun:test'

const LONG_MS = 5000
const SHORT_MS = 1000
const POLLS_MS = [500, 3000] as const
const QUICK_MS = 5

/** Timers of 5 s and more fire after 1 s, in which a request arrives on a busy machine too, until it is disposed. */
export const hurry = () => hurried(ms => (ms >= LONG_MS ? SHORT_MS : ms))

/** Pauses between polls pass at once, until it is disposed. */
export const quickPolls = () => hurried(ms => (ms >= POLLS_MS[0] && ms <= POLLS_MS[1] ? QUICK_MS : ms))

function hurried(shortened: (ms: number) => number) {
  const set = globalThis.setTimeout
  const timeout = (work: () => void, ms = 0, ...rest: []) => set(work, shortened(ms), ...rest)
  return spyOn(globalThis, 'setTimeout').mockImplementation(timeout as typeof setTimeout)
}
