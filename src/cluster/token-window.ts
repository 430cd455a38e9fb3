/** Sliding windows of tokens: the sum of what was spent by each key in any `seconds`. */
import { now_ms } from '../process/clock.ts'
import { store } from '../process/stores.ts'

const SWEEP_EVERY = 1000

/** Oldest first; `at_ms` is a moment of its own. */
interface TokenEvent {
  at_ms: number
  tokens: number
}

interface KeyTokens {
  spent: TokenEvent[]
  sum: number
  seconds: number
}

export class TokenWindow {
  #keys = new Map<string, KeyTokens>()
  #adds = 0

  /** @param name unique */
  constructor(readonly name: string) {
    store(name, this)
  }

  /**
   * Whole seconds until so many tokens have room; 0 when they have now. More than the limit have room in an empty window:
   * they would never be served.
   */
  wait(key: string, limit: number, seconds: number, tokens: number): number {
    const sum = this.count(key, seconds)
    if (!sum || sum + tokens <= limit) return 0
    let left = sum
    for (const { at_ms, tokens: freed } of this.#keys.get(key)!.spent) {
      left -= freed
      if (!left || left + tokens <= limit) return Math.max(1, Math.ceil((at_ms + seconds * 1000 - now_ms()) / 1000))
    }
    return seconds
  }

  /** The tokens of a key in its window. */
  count(key: string, seconds: number): number {
    const found = this.#keys.get(key)
    if (!found) return 0
    expire(found, seconds)
    return found.sum
  }

  add(key: string, tokens: number, seconds: number, at_ms: number) {
    if (!seconds || tokens <= 0) return
    const found = this.#keys.get(key) ?? { spent: [], sum: 0, seconds }
    expire(found, seconds)
    found.spent.push({ at_ms, tokens })
    found.sum += tokens
    this.#keys.set(key, found)
    if (++this.#adds % SWEEP_EVERY === 0) this.#sweep()
  }

  /** Takes back what was spent at a moment, as far as it is in the window. */
  remove(key: string, at_ms: number, tokens: number) {
    const found = this.#keys.get(key)
    const index = found?.spent.findLastIndex(one => one.at_ms === at_ms && one.tokens === tokens) ?? -1
    if (!found || index < 0) return
    found.sum -= found.spent[index]!.tokens
    found.spent.splice(index, 1)
  }

  /** What was spent since a moment, by key. */
  *since(at_ms: number): Generator<{ key: string; seconds: number; spent: TokenEvent[] }> {
    for (const [key, { spent, seconds }] of this.#keys) {
      const first = Math.max(at_ms, now_ms() - seconds * 1000)
      const recent = spent.filter(one => one.at_ms > first)
      if (recent.length) yield { key, seconds, spent: recent }
    }
  }

  forget(key: string) {
    this.#keys.delete(key)
  }

  clear() {
    this.#keys.clear()
  }

  #sweep() {
    for (const [key, found] of this.#keys) {
      expire(found, found.seconds)
      if (!found.spent.length) this.#keys.delete(key)
    }
  }
}

function expire(found: KeyTokens, seconds: number) {
  const at = now_ms()
  const since = at - seconds * 1000
  // A clock that was set back leaves spending in the future: it counts as of now.
  for (let last = found.spent.length - 1; last >= 0 && Math.floor(found.spent[last]!.at_ms) > at; last--)
    found.spent[last]!.at_ms = at
  let expired = 0
  while (expired < found.spent.length && found.spent[expired]!.at_ms <= since)
    found.sum -= found.spent[expired++]!.tokens
  if (expired) found.spent.splice(0, expired)
  found.seconds = seconds
}
