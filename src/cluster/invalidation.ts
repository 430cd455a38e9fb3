/** The invalidation bus: every domain write to something cached is announced here by the cache's name. */

/** Called with the written key, or with nothing when all keys may have changed. */
type Listener = (key?: unknown) => void

const listeners = new Map<string, Set<Listener>>()

export function onInvalidation(name: string, listener: Listener) {
  const known = listeners.get(name) ?? new Set()
  listeners.set(name, known.add(listener))
}

/** Call after the commit of a write to what is cached under this name and key. */
export const invalidate = (name: string, key: unknown) => announce(name, key)

/** Call after the commit of a write that may concern any key of this name. */
export const invalidateAll = (name: string) => announce(name)

function announce(name: string, key?: unknown) {
  for (const listener of listeners.get(name) ?? []) listener(key)
}
