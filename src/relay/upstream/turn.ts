/** A call whose channels are all at their limits waits for its turn. */
import { option } from '../../domain/options/index.ts'
import {
  type Candidate,
  callQueue,
  cooldownOf,
  limitsOf,
  placeLeft,
  QueueRefused,
  type Target,
  withKeys,
} from '../../domain/routing/index.ts'
import { stopwatch } from '../../process/clock.ts'
import type { BillableCall, Call } from '../call.ts'
import { Fault } from '../errors/fault.ts'
import type { FullTarget, OpenTargets } from './open-targets.ts'

const MS_PER_SECOND = 1000

placeLeft.listen(callQueue.look)

export const RATE_LIMITED = 429

/** Turns of one call: together they wait for `QueueTimeout` at most. */
export class Turns {
  #left_ms = option('QueueTimeout') * MS_PER_SECOND
  #why: QueueRefused['why'] | undefined

  constructor(
    private readonly dispatched: Pick<BillableCall, 'call' | 'caller'>,
    private readonly candidates: readonly Candidate[],
  ) {}

  /**
   * @param full the targets that were passed over
   * @param last the failure of the last attempt: a call that has failed at every channel is not repeated later, except for
   * a limit of a maker whose channel has limits
   * @returns whether one of them may have room within the time
   */
  mayCome(full: readonly FullTarget[], last: Fault | undefined): boolean {
    if (last && !full.length && !(last.status === RATE_LIMITED && this.#isLimited)) return false
    const seconds = this.#secondsUntilRoom(full)
    return seconds !== undefined && seconds * MS_PER_SECOND <= this.#left_ms
  }

  get #isLimited(): boolean {
    return this.candidates.some(({ channel }) => limitsOf(channel))
  }

  /** @returns a target with the place of the call; undefined when it has waited in vain. @throws ClientDisconnected */
  async next(open: () => OpenTargets): Promise<Target | undefined> {
    const { candidates } = this
    const { call, caller } = this.dispatched
    const abort = new AbortController()
    call.departure.prepare(abort)
    const elapsed = stopwatch()
    call.attempts.is_queued = true
    try {
      const weight = option('QueueWeights')[caller.group] || 1
      const target = await callQueue.wait(
        {
          ...{ user_id: caller.user.id, username: caller.user.username, model: call.facts.model, weight },
          ...{ lane: laneOf(candidates, call), timeout_ms: this.#left_ms },
          enter: () => open().next(),
          giveBack: () => call.attempts.leavePlace(),
        },
        option('QueueLength'),
        abort.signal,
      )
      call.recorder.meet('queued', Math.round(elapsed()))
      return target
    } catch (error) {
      if (!(error instanceof QueueRefused)) throw error
      this.#why = error.why
      return undefined
    } finally {
      call.attempts.is_queued = false
      this.#left_ms -= elapsed()
    }
  }

  /** The failure of a call that finds every channel full. */
  noRoom(full: readonly FullTarget[]): Fault {
    const seconds = this.#secondsUntilRoom(full) ?? 1
    return new Fault({
      status: RATE_LIMITED,
      code: this.#why === 'full' ? 'relay.queue_full' : 'relay.channels_full',
      params: { model: this.dispatched.call.facts.model, seconds },
      retry: false,
      retry_after_ms: seconds * MS_PER_SECOND,
    })
  }

  /** The whole seconds until a target may have room; undefined where none is full, so that no queue helps. */
  #secondsUntilRoom(full: readonly FullTarget[]): number | undefined {
    const { call } = this.dispatched
    const waits = full.map(({ met }) => met.seconds)
    for (const target of withKeys(this.candidates, call.facts.model)) {
      const cooldown = cooldownOf(target)
      if (cooldown?.by_provider) waits.push(cooldown.seconds)
    }
    if (!waits.length && isLaneTaken(this.candidates, call)) return 1
    return waits.length ? Math.max(1, Math.min(...waits)) : undefined
  }
}

const laneOf = (candidates: readonly Candidate[], { facts }: Call) =>
  `${facts.model} ${candidates.map(({ channel: { id, good_keys } }) => `${id}:${good_keys.length}`)}`

/** Whether calls with the same targets wait already: the next one comes after them. */
export const isLaneTaken = (candidates: readonly Candidate[], call: Call): boolean =>
  callQueue.size > 0 && callQueue.hasLane(laneOf(candidates, call))
