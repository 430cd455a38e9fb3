/** Idle timeout of a stream: one timer for all its waits, since resetting a timer for each chunk is expensive. */
import { stopwatch } from '../process/clock.ts'

export interface IdleTimeout {
  /** A wait starts. */
  start(): void
  /** The wait is over; another may start. */
  pause(): void
  /** No wait will start any more. */
  stop(): void
}

/** Delay of the second check: after a pause of the process, pending I/O runs first. */
const CONFIRM_MS = 200

/** Calls `fire` once, when a wait lasts `idle_ms`. */
export function idleTimeout(idle_ms: number, fire: () => void): IdleTimeout {
  const clock = stopwatch()
  let since: number | undefined
  let timer: Timer | undefined = setTimeout(check, idle_ms)
  let isSecondCheck = false

  function check() {
    const waited_ms = since === undefined ? 0 : clock() - since
    const isIdle = waited_ms >= idle_ms
    if (isIdle && isSecondCheck) return fire()
    isSecondCheck = isIdle
    timer = setTimeout(check, isIdle ? CONFIRM_MS : idle_ms - waited_ms)
  }
  return {
    start() {
      since = clock()
    },
    pause() {
      since = undefined
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
