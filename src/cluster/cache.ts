/** What was loaded once and is kept until a write says otherwise. */

const CACHE_ENTRIES_MAX = 50_000

export interface Cache<K, V> {
  get(key: K): Promise<V>
  /** What is held now, without loading. */
  peek(key: K): V | undefined
  forget(key: K): void
  clear(): void
}

/** A load that was under way when its key was forgotten is handed to its waiters but not kept. */
export function cache<K, V>(load: (key: K) => Promise<V>): Cache<K, V> {
  const kept = new Map<K, V>()
  const loading = new Map<K, Promise<V>>()

  async function loadOnce(key: K): Promise<V> {
    const mine = load(key)
    loading.set(key, mine)
    try {
      const value = await mine
      if (loading.get(key) === mine) keep(key, value)
      return value
    } finally {
      if (loading.get(key) === mine) loading.delete(key)
    }
  }

  function keep(key: K, value: V) {
    if (kept.size >= CACHE_ENTRIES_MAX) kept.delete(kept.keys().next().value as K)
    kept.set(key, value)
  }

  return {
    get: key => (kept.has(key) ? Promise.resolve(kept.get(key) as V) : (loading.get(key) ?? loadOnce(key))),
    peek: key => kept.get(key),
    forget(key) {
      kept.delete(key)
      loading.delete(key)
    },
    clear() {
      kept.clear()
      loading.clear()
    },
  }
}
