/**
 * The queue of calls whose channels are all at their limits. Its users have shares by weight, however many calls each has:
 * start-time fair queuing, https://en.wikipedia.org/wiki/Fair_queuing.
 */
import type { QueuedUser } from '../../../contracts/diagnostics.ts'
import { stopwatch } from '../../../process/clock.ts'
import { store } from '../../../process/stores.ts'
import type { Awaitable } from '../../../pure/awaitable.ts'

export interface QueuedCall<T> {
  user_id: number
  username: string
  model: string
  /** Share of the user, in proportion to the others'. */
  weight: number
  /** Calls of one lane have the same targets: where one has no room, none has. */
  lane: string
  timeout_ms: number
  /** @returns undefined while there is no room */
  enter(): Awaitable<T | undefined>
  /** Room that was found for a call which has left meanwhile. */
  giveBack(room: T): void
}

interface WaitingCall extends QueuedCall<unknown> {
  elapsed: () => number
  resolve(room: unknown): void
  reject(reason: unknown): void
}

/** Waited in vain. */
export class QueueRefused extends Error {
  constructor(readonly why: 'full' | 'timeout') {
    super(why)
  }
}

/** How often room is looked for that nothing announces: windows move on, other nodes release theirs. */
const CHECK_MS = 50
/** Users whose place in the order is remembered. */
const USERS_MAX = 10_000

class CallQueue {
  /** By user, in the order of their coming. */
  readonly #waiting = new Map<number, WaitingCall[]>()
  /** The virtual time at which a user has had what it got so far. */
  readonly #served = new Map<number, number>()
  #virtual = 0
  #size = 0
  #timer: Timer | undefined
  #isLooking = false
  #looksAgain = false

  get size(): number {
    return this.#size
  }

  clear() {
    for (const waiting of [...this.#waiting.values()].flat()) this.#refuse(waiting, new QueueRefused('timeout'))
    this.#served.clear()
    this.#virtual = 0
  }

  /** Who waits, those with the most calls first. */
  users(): QueuedUser[] {
    const users = Array.from(this.#waiting.values(), own => ({
      user_id: own[0]!.user_id,
      username: own[0]!.username,
      calls: own.length,
      weight: own[0]!.weight,
      waited_ms: Math.round(Math.max(...own.map(({ elapsed }) => elapsed()))),
      models: [...new Set(own.map(({ model }) => model))],
    }))
    return users.sort((one, other) => other.calls - one.calls || other.waited_ms - one.waited_ms)
  }

  hasLane(lane: string): boolean {
    for (const own of this.#waiting.values()) if (own.some(one => one.lane === lane)) return true
    return false
  }

  /** @throws QueueRefused, at once or later; the reason of the signal when it aborts */
  wait<T>(call: QueuedCall<T>, length_max: number, signal: AbortSignal): Promise<T> {
    if (this.#size >= length_max) this.#makeRoom(call, length_max)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const waiting = { ...call, elapsed: stopwatch(), resolve, reject } as unknown as WaitingCall
    const own = this.#waiting.get(call.user_id)
    if (own) own.push(waiting)
    else this.#waiting.set(call.user_id, [waiting])
    this.#size++
    signal.addEventListener('abort', () => this.#refuse(waiting, signal.reason), { once: true })
    this.#timer ??= setInterval(this.look, CHECK_MS)
    return promise
  }

  /** The last call of the user with the most for its weight loses its place to one of a user with less. @throws QueueRefused */
  #makeRoom({ user_id, weight }: QueuedCall<unknown>, length_max: number) {
    const most = [...this.#waiting.values()].reduce<WaitingCall[] | undefined>(
      (most, own) => (!most || loadOf(own) > loadOf(most) ? own : most),
      undefined,
    )
    const own_load = ((this.#waiting.get(user_id)?.length ?? 0) + 1) / weight
    if (!most || length_max <= 0 || loadOf(most) <= own_load) throw new QueueRefused('full')
    this.#refuse(most.at(-1)!, new QueueRefused('full'))
  }

  #refuse(waiting: WaitingCall, reason: unknown) {
    if (this.#remove(waiting)) waiting.reject(reason)
  }

  #remove(waiting: WaitingCall): boolean {
    const own = this.#waiting.get(waiting.user_id)
    const index = own?.indexOf(waiting) ?? -1
    if (index < 0) return false
    own!.splice(index, 1)
    if (!own!.length) this.#waiting.delete(waiting.user_id)
    if (--this.#size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    return true
  }

  /** Lets in all that have room, in their order. */
  look = () => {
    this.#looksAgain = true
    if (!this.#isLooking && this.#size) void this.#lookOn()
  }

  async #lookOn() {
    this.#isLooking = true
    try {
      while (this.#looksAgain) {
        this.#looksAgain = false
        this.#refuseOverdue()
        const blocked = new Set<string>()
        for (let next = this.#next(blocked); next; next = this.#next(blocked)) {
          // What is known at once is not waited for: between two calls nothing else takes the room.
          const entered = this.#enter(next)
          if (!(entered instanceof Promise ? await entered : entered)) blocked.add(next.lane)
        }
      }
    } finally {
      this.#isLooking = false
    }
  }

  #refuseOverdue() {
    for (const own of [...this.#waiting.values()])
      for (const waiting of own.filter(one => one.elapsed() >= one.timeout_ms))
        this.#refuse(waiting, new QueueRefused('timeout'))
  }

  #next(blocked: ReadonlySet<string>): WaitingCall | undefined {
    let first: { waiting: WaitingCall; at: number } | undefined
    for (const [user_id, own] of this.#waiting) {
      const waiting = own.find(one => !blocked.has(one.lane))
      const at = Math.max(this.#virtual, this.#served.get(user_id) ?? 0)
      if (waiting && (!first || at < first.at)) first = { waiting, at }
    }
    return first?.waiting
  }

  /** @returns whether there was room */
  #enter(waiting: WaitingCall): Awaitable<boolean> {
    try {
      const room = waiting.enter()
      if (!(room instanceof Promise)) return this.#admit(waiting, room)
      return room.then(
        found => this.#admit(waiting, found),
        error => this.#fail(waiting, error),
      )
    } catch (error) {
      return this.#fail(waiting, error)
    }
  }

  #admit(waiting: WaitingCall, room: unknown): boolean {
    if (room === undefined) return false
    if (!this.#remove(waiting)) {
      waiting.giveBack(room)
      return true
    }
    const { user_id, weight } = waiting
    this.#virtual = Math.max(this.#virtual, this.#served.get(user_id) ?? 0)
    this.#served.set(user_id, this.#virtual + 1 / weight)
    if (this.#served.size > USERS_MAX)
      for (const [id, at] of this.#served) if (at <= this.#virtual) this.#served.delete(id)
    waiting.resolve(room)
    return true
  }

  #fail(waiting: WaitingCall, error: unknown): boolean {
    this.#refuse(waiting, error)
    return true
  }
}

const loadOf = (own: readonly WaitingCall[]) => own.length / own[0]!.weight

export const callQueue = store('call-queue', new CallQueue())
