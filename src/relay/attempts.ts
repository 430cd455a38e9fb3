/** The attempts of a call, one after the other. */
import type { AffinityKind, Attempt, PassedGroup } from '../contracts/log.ts'
import type { CallPlace } from '../domain/routing/index.ts'
import { stopwatch } from '../process/clock.ts'

/** Milliseconds since the request came. */
export interface AttemptTimes {
  start: number
  sent?: number
  headers?: number
  first?: number
  end: number
}

export class AttemptLog {
  readonly #times: AttemptTimes[] = []
  readonly #all: Attempt[] = []
  #elapsed = stopwatch()
  /** Of the attempts that have ended, without the last. */
  #before_ms = 0
  #last_ms = 0
  /** Type of the last attempt's channel. */
  channel_type: number | undefined
  /** How the channels of the conversation were chosen; absent where the call goes on with none. */
  affinity: AffinityKind | undefined
  /** Under the limits of the channel that is asked; absent where it has none. */
  #place: CallPlace | undefined
  /** Groups and models that could not serve the call, before the one that is asked; absent for nearly every call. */
  passed_over: PassedGroup[] | undefined
  /** The call waits for a channel with room. */
  is_queued = false

  get all(): readonly Attempt[] {
    return this.#all
  }

  /** Of each attempt, in the same order. */
  get times(): readonly AttemptTimes[] {
    return this.#times
  }

  /** @param elapsed of the call */
  constructor(private readonly elapsed: () => number) {}

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

  take(place: CallPlace) {
    this.leavePlace()
    this.#place = place
  }

  /** @param tokens that the call has taken, where they are known */
  leavePlace(tokens?: number) {
    this.#place?.leave(tokens)
    this.#place = undefined
  }

  /** Milliseconds from the start of the last attempt to a moment. @param at milliseconds since the request came */
  ownPart = (at: number): number => Math.max(0, at - (this.#times.at(-1)?.start ?? 0))

  begin({ id, name, type }: { id: number; name: string; type: number }) {
    this.#all.push({ channel: id, name, status: 0, reason: '', ms: 0 })
    this.channel_type = type
    this.#before_ms += this.#last_ms
    this.#elapsed = stopwatch()
    const start = this.elapsed()
    this.#times.push({ start, end: start })
  }

  /** The upstream is sent the request, or has sent the head of its response. */
  reached(step: 'sent' | 'headers') {
    const times = this.#times.at(-1)
    // What is asked for twice, as with another token, has the times of its last request.
    if (times) times[step] = this.elapsed()
  }

  /** The last byte of the response has come, or will not. @param first milliseconds from the request to the first event */
  complete(first: number) {
    const times = this.#times.at(-1)
    if (!times) return
    times.first = first
    times.end = this.elapsed()
  }

  /** The upstream has responded, or failed to. @param reason for operators */
  end(status: number, reason = '') {
    const attempt = this.#all.at(-1)!
    attempt.status = status
    attempt.reason = reason
    this.#last_ms = this.#elapsed()
    attempt.ms = Math.round(this.#last_ms)
    this.#times.at(-1)!.end = this.elapsed()
  }

  /** A response that had begun has failed. */
  breakOff(reason: string) {
    this.#all.at(-1)!.reason = reason
  }
}
