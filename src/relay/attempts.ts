/** The attempts of a call, one after the other. */
import type { Attempt } from '../contracts/log.ts'
import { stopwatch } from '../process/clock.ts'

export class AttemptLog {
  readonly #all: Attempt[] = []
  #elapsed = stopwatch()

  get all(): readonly Attempt[] {
    return this.#all
  }

  /** The one that runs, or ran last. */
  get last(): Readonly<Attempt> | undefined {
    return this.#all.at(-1)
  }

  begin({ id, name }: { id: number; name: string }) {
    this.#all.push({ channel: id, name, status: 0, reason: '', ms: 0 })
    this.#elapsed = stopwatch()
  }

  /** The upstream has responded, or failed to. @param reason for operators */
  end(status: number, reason = '') {
    const attempt = this.#all.at(-1)!
    attempt.status = status
    attempt.reason = reason
    attempt.ms = Math.round(this.#elapsed())
  }

  /** A response that had begun has failed. */
  breakOff(reason: string) {
    this.#all.at(-1)!.reason = reason
  }
}
