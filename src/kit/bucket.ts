/** Exact sliding windows: at most `count` takings in any `seconds`. */
import { now_ms } from './clock.ts'

const SWEEP_EVERY = 1000

/** Takings by key, each with the times of the last accepted ones. */
export class Window {
  #taken = new Map<string, number[]>()
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
    if (count === 0 || seconds === 0) return 0
    const times = this.#recent(key, seconds)
    if (times.length < count) return 0
    const oldest = times[times.length - count]!
    return Math.max(1, Math.ceil((oldest + seconds * 1000 - now_ms()) / 1000))
  }

  /** Notes one, room or not. */
  add(key: string, count: number, seconds: number) {
    if (count === 0 || seconds === 0) return
    const times = this.#recent(key, seconds)
    times.push(now_ms())
    if (times.length > count) times.splice(0, times.length - count)
    this.#taken.set(key, times)
    if (++this.#calls % SWEEP_EVERY === 0) this.#sweep(seconds)
  }

  forget(key: string) {
    this.#taken.delete(key)
  }

  #recent(key: string, seconds: number): number[] {
    const times = this.#taken.get(key) ?? []
    const since = now_ms() - seconds * 1000
    let old = 0
    while (old < times.length && times[old]! <= since) old++
    return old ? times.slice(old) : times
  }

  #sweep(seconds: number) {
    const since = now_ms() - seconds * 1000
    for (const [key, times] of this.#taken) if (times.at(-1)! <= since) this.#taken.delete(key)
  }
}
