/** Module-level state by name, so that a test can return to the state of a fresh process. */
const resets = new Map<string, () => void>()
/** Numbers of entries of those that count them. */
const sizes = new Map<string, () => number>()

/** Registers how state that is no collection returns to its initial value. @throws when the name is taken. */
export function onReset(name: string, reset: () => void) {
  if (resets.has(name)) throw new Error(`the store ${name} exists already`)
  resets.set(name, reset)
}

/** Registers a collection under a name and returns it; its reset empties it. */
export function store<Collection extends { clear(): void }>(name: string, collection: Collection): Collection {
  onReset(name, () => collection.clear())
  if ('size' in collection) sizes.set(name, () => Number(collection.size))
  return collection
}

export const storeSizes = (): { name: string; entries: number }[] =>
  Array.from(sizes, ([name, size]) => ({ name, entries: size() }))

/** Resets every store, or those with these names. */
export function resetStores(...names: string[]) {
  for (const [name, reset] of resets) if (!names.length || names.includes(name)) reset()
}
