/** The targets of a call that have room under the limits of their channels, each with the place of the call. */
import type { MetChannelLimit } from '../../contracts/channel-limits.ts'
import {
  type Candidate,
  type Choice,
  type PlaceDecision,
  type Target,
  takePlace,
  targetsOf,
} from '../../domain/routing/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Call } from '../call.ts'
import { tokensAsked } from '../request/token-limits.ts'

/** A target without room. */
export interface FullTarget {
  target: Target
  met: MetChannelLimit
}

interface Choosing {
  conversation: number | undefined
  /** Targets that are not tried again. */
  skips(target: Target): boolean
}

export class OpenTargets {
  /** Those that were passed over. */
  readonly full: FullTarget[] = []
  #choice: Choice | undefined
  readonly #targets: Iterator<Target>

  constructor(
    candidates: readonly Candidate[],
    private readonly call: Call,
    private readonly choosing: Choosing,
  ) {
    this.#targets = targetsOf(candidates, call, {
      conversation: choosing.conversation,
      onChoice: choice => {
        this.#choice = choice
      },
    })
  }

  /** @returns the next target, whose place is taken; undefined when none is left */
  next(): Awaitable<Target | undefined> {
    for (;;) {
      const { value: target, done } = this.#targets.next()
      if (done) return undefined
      if (this.choosing.skips(target)) continue
      const taken = takePlace(target, tokensAsked(this.call))
      if (!taken) return this.#enter(target)
      if (taken instanceof Promise) return chain(taken, result => this.#settle(target, result) ?? this.next())
      const entered = this.#settle(target, taken)
      if (entered) return entered
    }
  }

  #settle(target: Target, taken: PlaceDecision): Target | undefined {
    if ('met' in taken) {
      this.full.push({ target, met: taken.met })
      this.call.recorder.meetFull(target.channel.id, taken.met)
      return undefined
    }
    this.call.attempts.take(taken.place)
    return this.#enter(target)
  }

  /** Channels that were passed over took no calls then. */
  #enter(target: Target): Target {
    const choice = this.#choice
    this.#choice = undefined
    if (choice) this.call.recorder.choice(this.full.length ? this.#withPassedOver(choice, target) : choice)
    return target
  }

  #withPassedOver(choice: Choice, target: Target): Choice {
    const passed = this.full.filter(one => one.target.channel !== target.channel)
    const closed = passed.map(({ target: { channel }, met: { seconds } }) => ({ channel, seconds }))
    return { ...choice, closed: [...choice.closed, ...distinct(closed)] }
  }
}

const distinct = (closed: Choice['closed']): Choice['closed'] => [
  ...new Map(closed.map(one => [one.channel.id, one])).values(),
]
