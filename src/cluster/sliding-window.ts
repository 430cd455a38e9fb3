/** Exact sliding windows: at most `count` takings in any `seconds`. */
import { now_ms } from '../process/clock.ts'

const SWEEP_EVERY = 1000

/** When one key took, oldest first; those before `from` are over. */
interface Takings {
  times: number[]
  from: number
  seconds: number
}

/** Takings by key, each with the times of the last accepted ones. */
export class SlidingWindow {
  #taken = new Map<string, Takings>()
  #calls = 0

  constructor(readonly id: string) {}

  /** Takes one if there is room. @returns 0, or the whole seconds until there is room again. */
  take(key: string, count: number, seconds: number): number {
    const wait = this.wait(key, count, seconds)
    if (wait === 0) this.add(key, count, seconds)
    return wait
  }

  /** Seconds until one more would be accepted; 0 when it would be now. A `count` of 0 is no limit. */
  wait(key: string, count: number, seconds: number): number {
    const taken = count === 0 || seconds === 0 ? undefined : this.#taken.get(key)
    if (!taken) return 0
    forgetOld(taken, seconds)
    const { times, from } = taken
    if (times.length - from < count) return 0
    const oldest = times[times.length - count]!
    return Math.max(1, Math.ceil((oldest + seconds * 1000 - now_ms()) / 1000))
  }

  /** Notes one, room or not. */
  add(key: string, count: number, seconds: number) {
    if (count === 0 || seconds === 0) return
    const taken = this.#taken.get(key) ?? { times: [], from: 0, seconds }
    forgetOld(taken, seconds)
    taken.times.push(now_ms())
    taken.from = Math.max(taken.from, taken.times.length - count)
    this.#taken.set(key, taken)
    if (++this.#calls % SWEEP_EVERY === 0) this.#sweep()
  }

  forget(key: string) {
    this.#taken.delete(key)
  }

  #sweep() {
    for (const [key, { times, seconds }] of this.#taken) {
      if (times.at(-1)! <= now_ms() - seconds * 1000) this.#taken.delete(key)
    }
  }
}

/** Old ones are passed over, and cut off once they are most of the list: a long list is not copied for each taking. */
function forgetOld(taken: Takings, seconds: number) {
  const since = now_ms() - seconds * 1000
  const { times } = taken
  while (taken.from < times.length && times[taken.from]! <= since) taken.from++
  if (taken.from * 2 > times.length) {
    times.splice(0, taken.from)
    taken.from = 0
  }
  taken.seconds = seconds
}
