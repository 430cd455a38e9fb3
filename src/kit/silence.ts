/** How long somebody has kept us waiting. */
import { stopwatch } from './clock.ts'

export interface Silence {
  begins(): void
  ends(): void
  /** Nobody is waited for any more. */
  over(): void
}

/**
 * Rings after too long a silence, once. One timer for all silences, looked at when it rings: they come too often to set
 * it anew.
 */
export function silenceOf(idle_ms: number, ring: () => void): Silence {
  const clock = stopwatch()
  let since: number | undefined
  let timer: Timer | undefined = setTimeout(look, idle_ms)

  function look() {
    const silent_ms = since === undefined ? 0 : clock() - since
    if (silent_ms >= idle_ms) ring()
    else timer = setTimeout(look, idle_ms - silent_ms)
  }
  return {
    begins() {
      since = clock()
    },
    ends() {
      since = undefined
    },
    over() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
