/** Sliding windows: at most `count` events per key in any `seconds`, exactly. */
import { now_ms } from '../process/clock.ts'
import { store } from '../process/stores.ts'

const SWEEP_EVERY = 1000

/** The events of one key in ms since 1970, oldest first; those before index `from` have expired. */
interface KeyEvents {
  times: number[]
  from: number
  seconds: number
}

export class SlidingWindow {
  #events = new Map<string, KeyEvents>()
  #adds = 0

  /** @param name unique */
  constructor(readonly name: string) {
    store(name, this)
  }

  /** Adds an event if there is room. @returns 0, or the whole seconds until there is room */
  take(key: string, count: number, seconds: number): number {
    const wait = this.wait(key, count, seconds)
    if (wait === 0) this.add(key, count, seconds)
    return wait
  }

  /** Seconds until one more event has room; 0 when it has now. A `count` or `seconds` of 0 is no limit. */
  wait(key: string, count: number, seconds: number): number {
    const events = count === 0 || seconds === 0 ? undefined : this.#events.get(key)
    if (!events) return 0
    expire(events, seconds)
    const { times, from } = events
    if (times.length - from < count) return 0
    const oldest = times[times.length - count]!
    return Math.max(1, Math.ceil((Math.floor(oldest) + seconds * 1000 - now_ms()) / 1000))
  }

  /** The events of a key in its window, as far as they are kept. */
  count(key: string, seconds: number): number {
    const events = this.#events.get(key)
    if (!events) return 0
    expire(events, seconds)
    return events.times.length - events.from
  }

  /** Adds an event even when there is no room. @param at_ms a moment of its own, where the event has to be found again */
  add(key: string, count: number, seconds: number, at_ms = now_ms()) {
    if (count === 0 || seconds === 0) return
    const events = this.#events.get(key) ?? { times: [], from: 0, seconds }
    expire(events, seconds)
    events.times.push(at_ms)
    events.from = Math.max(events.from, events.times.length - count)
    this.#events.set(key, events)
    if (++this.#adds % SWEEP_EVERY === 0) this.#sweep()
  }

  /** Takes an event back that was added at a moment of its own. */
  remove(key: string, at_ms: number) {
    const events = this.#events.get(key)
    const index = events?.times.lastIndexOf(at_ms) ?? -1
    if (events && index >= events.from) events.times.splice(index, 1)
    if (events && events.times.length === events.from) this.#events.delete(key)
  }

  /** The events since a moment by key, as far as they are kept. */
  *since(at_ms: number): Generator<{ key: string; seconds: number; times: number[] }> {
    for (const [key, { times, from, seconds }] of this.#events) {
      const first = Math.max(at_ms, now_ms() - seconds * 1000)
      if (times.at(-1)! > first) yield { key, seconds, times: times.slice(from).filter(at => at > first) }
    }
  }

  forget(key: string) {
    this.#events.delete(key)
  }

  clear() {
    this.#events.clear()
  }

  #sweep() {
    for (const [key, { times, seconds }] of this.#events) {
      if (times.at(-1)! <= now_ms() - seconds * 1000) this.#events.delete(key)
    }
  }
}

/** Skips expired events, and removes them once they are half of the list: a long list is not copied for each event. */
function expire(events: KeyEvents, seconds: number) {
  const at = now_ms()
  const since = at - seconds * 1000
  const { times } = events
  // A clock that was set back leaves events in the future: they count as of now, so that no wait exceeds the window.
  // Moments of their own have fractions of a millisecond.
  for (let last = times.length - 1; last >= events.from && Math.floor(times[last]!) > at; last--) times[last] = at
  while (events.from < times.length && times[events.from]! <= since) events.from++
  if (events.from * 2 > times.length) {
    times.splice(0, events.from)
    events.from = 0
  }
  events.seconds = seconds
}
