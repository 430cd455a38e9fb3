/** Module-level state by name, so that a test can return to the state of a fresh process. */
const resets = new Map<string, () => void>()

/** Registers how state that is no collection returns to its initial value. @throws when the name is taken. */
export function onReset(name: string, reset: () => void) {
  if (resets.has(name)) throw new Error(`the store ${name} exists already`)
  resets.set(name, reset)
}

/** Registers a collection under a name and returns it; its reset empties it. */
export function store<Collection extends { clear(): void }>(name: string, collection: Collection): Collection {
  onReset(name, () => collection.clear())
  return collection
}

/** Resets every store, or those with these names. */
export function resetStores(...names: string[]) {
  for (const [name, reset] of resets) if (!names.length || names.includes(name)) reset()
}
