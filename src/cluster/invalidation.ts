/** The invalidation bus of this process: what is cached under a name and key is forgotten. Writers use `announce`. */

/** What rows are cached by: an id, a hash, or an object of a few fields. */
export type CacheKey = number | string | Readonly<Record<string, unknown>>

/** Called with the written key, or with nothing when all keys may have changed. */
type Listener = (key?: unknown) => void

const listeners = new Map<string, Set<Listener>>()

export function onInvalidation(name: string, listener: Listener) {
  const known = listeners.get(name) ?? new Set()
  listeners.set(name, known.add(listener))
}

/** @param key absent when any key of this name may have changed */
export function invalidate(name: string, key?: CacheKey) {
  for (const listener of listeners.get(name) ?? []) listener(key)
}

/** After a time in which changes were missed. */
export function invalidateEverything() {
  for (const name of listeners.keys()) invalidate(name)
}
