/** How long somebody has kept us waiting. */
import { stopwatch } from '../process/clock.ts'

export interface IdleTimeout {
  start(): void
  pause(): void
  /** Nobody is waited for any more. */
  stop(): void
}

/** It may be we who were stopped for a while: what was said meanwhile is heard first. */
const DOUBT_MS = 200

/**
 * Rings after too long a silence, once. One timer for all silences, looked at when it rings: they come too often to set
 * it anew.
 */
export function idleTimeout(idle_ms: number, ring: () => void): IdleTimeout {
  const clock = stopwatch()
  let since: number | undefined
  let timer: Timer | undefined = setTimeout(look, idle_ms)
  let doubted = false

  function look() {
    const silent_ms = since === undefined ? 0 : clock() - since
    const isLong = silent_ms >= idle_ms
    if (isLong && doubted) return ring()
    doubted = isLong
    timer = setTimeout(look, isLong ? DOUBT_MS : idle_ms - silent_ms)
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
