/** The attempts of a call, one after the other. */
import type { Attempt } from '../contracts/log.ts'
import { stopwatch } from '../process/clock.ts'

export class AttemptLog {
  readonly #all: Attempt[] = []
  #elapsed = stopwatch()
  /** Of the attempts that have ended, without the last. */
  #before_ms = 0
  #last_ms = 0
  /** Type of the last attempt's channel. */
  channel_type: number | undefined

  get all(): readonly Attempt[] {
    return this.#all
  }

  /** The one that runs, or ran last. */
  get last(): Readonly<Attempt> | undefined {
    return this.#all.at(-1)
  }

  /** Milliseconds from the start of the last attempt until now. */
  lastElapsed = (): number => this.#elapsed()

  /** Milliseconds that upstreams have taken before the last attempt. */
  get before_ms(): number {
    return this.#before_ms
  }

  begin({ id, name, type }: { id: number; name: string; type: number }) {
    this.#all.push({ channel: id, name, status: 0, reason: '', ms: 0 })
    this.channel_type = type
    this.#before_ms += this.#last_ms
    this.#elapsed = stopwatch()
  }

  /** The upstream has responded, or failed to. @param reason for operators */
  end(status: number, reason = '') {
    const attempt = this.#all.at(-1)!
    attempt.status = status
    attempt.reason = reason
    this.#last_ms = this.#elapsed()
    attempt.ms = Math.round(this.#last_ms)
  }

  /** A response that had begun has failed. */
  breakOff(reason: string) {
    this.#all.at(-1)!.reason = reason
  }
}
