/** Named caches of rows that many calls read: filled on demand, emptied through the invalidation bus. */
import { store } from '../process/stores.ts'
import type { Awaitable } from '../pure/awaitable.ts'
import { onInvalidation } from './invalidation.ts'

const CACHE_ENTRIES_MAX = 50_000
/** Of keys without a value: guesses must not push out what exists. */
const ABSENT_MAX = 10_000

export interface NamedCache<K, V> {
  /** At once from memory, else loaded; concurrent callers share one load. */
  get(key: K): Awaitable<V>
  /** The cached value, without loading. */
  peek(key: K): V | undefined
  /** Drops one entry of this node only, when no row has changed. */
  drop(key: K): void
  clear(): void
}

/**
 * Registers a cache on the bus. A load that overlaps an invalidation of its key is returned to its waiters but not kept.
 * Past 50,000 entries the oldest one goes, and past 10,000 that are undefined the oldest of them.
 * @param name unique; `invalidate(name, key)` drops an entry, `invalidate(name)` all of them
 */
export function cache<K, V>(name: string, load: (key: K) => Promise<V>): NamedCache<K, V> {
  const entries = new Map<K, V>()
  const absent = new Set<K>()
  const loading = new Map<K, Promise<V>>()

  async function loadOnce(key: K): Promise<V> {
    const current = load(key)
    loading.set(key, current)
    try {
      const value = await current
      if (loading.get(key) === current) keep(key, value)
      return value
    } finally {
      if (loading.get(key) === current) loading.delete(key)
    }
  }

  function keep(key: K, value: V) {
    if (entries.size >= CACHE_ENTRIES_MAX) forget(entries.keys().next().value as K)
    entries.set(key, value)
    if (value !== undefined) return
    absent.add(key)
    if (absent.size > ABSENT_MAX) forget(absent.values().next().value as K)
  }

  const forget = (key: K) => {
    entries.delete(key)
    absent.delete(key)
  }
  const drop = (key: K) => {
    forget(key)
    loading.delete(key)
  }
  const clear = () => {
    entries.clear()
    absent.clear()
    loading.clear()
  }
  onInvalidation(name, key => (key === undefined ? clear() : drop(key as K)))
  return store(name, {
    get: key => (entries.has(key) ? (entries.get(key) as V) : (loading.get(key) ?? loadOnce(key))),
    peek: key => entries.get(key),
    drop,
    clear,
    get size() {
      return entries.size
    },
  } satisfies NamedCache<K, V> & { size: number })
}
