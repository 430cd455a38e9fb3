/** PostgreSQL: work that comes while a round of it is under way goes into the next one. What nothing runs beside does not wait. */
import { SideBySide } from './side-by-side.ts'

/** Pieces of work in a round. */
export const ROUND_MAX = 256
/** Once work comes side by side, a round waits this long for more of it. */
const GATHER_MS = 2

export class Rounds<T> {
  #waiting: T[] = []
  #isRunning = false
  readonly #sideBySide = new SideBySide()

  /** @param run a round; never rejects */
  constructor(private readonly run: (group: T[]) => Promise<void>) {}

  add(one: T) {
    this.#waiting.push(one)
    if (!this.#isRunning) void this.#runAll()
  }

  reset() {
    this.#waiting = []
    this.#isRunning = false
    this.#sideBySide.reset()
  }

  async #runAll() {
    this.#isRunning = true
    for (let isFirst = true; this.#waiting.length; isFirst = false) {
      // Of what came during the last round, more comes soon.
      const comeMore = isFirst ? this.#sideBySide.isNow : this.#waiting.length > 1
      if (comeMore && this.#waiting.length < ROUND_MAX) await Bun.sleep(GATHER_MS)
      const group = this.#waiting.splice(0, ROUND_MAX)
      this.#sideBySide.note(group.length)
      await this.run(group)
    }
    this.#isRunning = false
  }
}
