/**
 * Notes what a call goes through, for its page. While the call runs it keeps references and moments alone; the record is
 * made when the bill is written.
 */
import type { CallRecord, Exclusion, RecordedPick, RecordedTimes } from '../../contracts/call-record.ts'
import type { MetChannelLimit } from '../../contracts/channel-limits.ts'
import type { BudgetExhausted } from '../../domain/budgets/index.ts'
import { encodeRecord, keepsRecords } from '../../domain/logs/index.ts'
import type { Candidate, Choice, RoutedChannel } from '../../domain/routing/index.ts'
import type { MakeRecord } from '../../domain/wallet/index.ts'
import type { AttemptLog } from '../attempts.ts'

/** What is read of a call; the call has its recorder. */
interface TimedCall {
  /** Milliseconds. */
  elapsed(): number
}

interface HeldCall extends TimedCall {
  readonly hold: { readonly is_limited: boolean; readonly paid_output: number }
}

interface AttemptedCall extends TimedCall {
  readonly attempts: AttemptLog
}

/** Channels that are left after a step, and why those that are not were left out. */
interface Step {
  left: readonly Pick<Candidate, 'channel'>[]
  exclusion: Exclusion
}

/** A record is short: of more limits the first are kept. */
const LIMITS_MAX = 5

export class CallRecorder {
  /** Channels of the group that list the model. */
  serving: readonly RoutedChannel[] = []
  readonly #steps: Step[] = []
  readonly #choices: Choice[] = []
  readonly #limits: CallRecord['limits'] = []
  #admitted = 0
  #reserving = 0
  #reserved = 0
  #ended = 0

  admitted({ elapsed }: TimedCall) {
    this.#admitted = elapsed()
  }

  reserving({ elapsed }: TimedCall) {
    this.#reserving ||= elapsed()
  }

  reserved({ elapsed, hold }: HeldCall) {
    this.#reserved ||= elapsed()
    if (hold.is_limited) this.meet('output', hold.paid_output)
  }

  /** The call goes on in another group, or with another model: the channels are those that served it there. */
  restart() {
    this.serving = []
    this.#steps.length = 0
    this.#choices.length = 0
  }

  ended({ elapsed }: TimedCall) {
    this.#ended ||= elapsed()
  }

  /** @returns `left`. @param exclusion of the channels that were there before */
  keep<T extends Pick<Candidate, 'channel'>>(left: T[], exclusion: Exclusion): T[] {
    this.#steps.push({ left, exclusion })
    return left
  }

  readonly choice = (choice: Choice) => void this.#choices.push(choice)

  meet(limit: CallRecord['limits'][number]['limit'], value = 0) {
    this.#limits.push({ limit, value })
  }

  endedByBudget({ budget_id, isOfChannel }: BudgetExhausted) {
    this.meet(isOfChannel ? 'budget_ended' : 'own_budget_ended', budget_id)
  }

  /** A channel was passed over at its limit. */
  meetFull(channel: number, { measure }: MetChannelLimit) {
    const limit = `full_${measure}` as const
    const isKnown = this.#limits.some(one => one.limit === limit && one.value === channel)
    if (!isKnown && this.#limits.length < LIMITS_MAX) this.meet(limit, channel)
  }

  /** @returns undefined where no record is kept, or no upstream was asked */
  recordOf(call: AttemptedCall): MakeRecord | undefined {
    if (!call.attempts.all.length || !keepsRecords()) return undefined
    this.ended(call)
    return () => encodeRecord(this.#record(call))
  }

  /** @returns the record of a call that a budget of its user or key has refused; undefined where none is kept */
  refusedBy(budget_id: number, call: AttemptedCall): string | undefined {
    if (!keepsRecords()) return undefined
    this.#reserved ||= call.elapsed()
    this.ended(call)
    this.meet('own_budget', budget_id)
    return encodeRecord(this.#record(call))
  }

  #record({ attempts, elapsed }: AttemptedCall): CallRecord {
    const candidates = this.#candidates()
    const times: RecordedTimes = {
      admitted: this.#admitted,
      reserving: this.#reserving,
      reserved: this.#reserved,
      ended: this.#ended,
      written: elapsed(),
    }
    return {
      times,
      attempts: attempts.all.map(({ channel, status, reason }, at) => ({
        channel,
        status,
        reason,
        ...attempts.times[at]!,
      })),
      attempts_left_out: 0,
      limits: this.#limits,
      candidates,
      candidates_left_out: 0,
      picks: this.#picks(candidates, attempts.all),
    }
  }

  #candidates(): CallRecord['candidates'] {
    const last = this.#steps.at(-1)?.left ?? []
    const serving = this.serving.length ? this.serving : last.map(({ channel }) => channel)
    const channelsIn = (candidates: typeof last) => new Set(candidates.map(({ channel }) => channel))
    const areAllLeft = channelsIn(last).size === serving.length
    const left = areAllLeft ? [] : this.#steps.map(step => channelsIn(step.left))
    return serving.map(channel => {
      const { id, priority, weight } = channel
      const step = left.findIndex(channels => !channels.has(channel))
      return { id, priority, weight, exclusion: this.#steps[step]?.exclusion }
    })
  }

  /** A choice that no attempt has followed is none. */
  #picks(candidates: CallRecord['candidates'], attempts: readonly { channel: number }[]): RecordedPick[] {
    const placeOf = ({ id }: RoutedChannel) => candidates.findIndex(one => one.id === id)
    const last = this.#choices.findLastIndex(({ chosen }) => attempts.some(({ channel }) => channel === chosen.id))
    return this.#choices.slice(0, last + 1).map(({ draw, chosen, closed }) => ({
      draw,
      chosen: placeOf(chosen),
      closed: closed.map(({ channel, seconds }) => ({ at: placeOf(channel), seconds })),
    }))
  }
}
