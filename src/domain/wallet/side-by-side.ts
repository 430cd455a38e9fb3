/** PostgreSQL: whether many calls come side by side, so that a round which begins now waits for more of them. */
import { stopwatch } from '../../process/clock.ts'

/** Calls of a round, after which the first of the next ones waits too: fewer are served sooner without. */
const MANY = 8
const RECENT_MS = 200

export class SideBySide {
  #elapsed: (() => number) | undefined

  /** @param calls of a round that begins */
  note(calls: number) {
    if (calls >= MANY) this.#elapsed = stopwatch()
  }

  get isNow(): boolean {
    return this.#elapsed !== undefined && this.#elapsed() < RECENT_MS
  }

  reset() {
    this.#elapsed = undefined
  }
}
