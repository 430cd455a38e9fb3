/**
 * Fuzzy search: the letters of the query occur in order, with any gaps. `cs4` finds claude-sonnet-4-5. Names that
 * contain the query as a whole come first; an empty query finds all.
 */
export function fuzzy<T>(items: T[], query: string, nameOf: (item: T) => string): T[] {
  const letters = query.trim().toLowerCase()
  if (!letters) return items
  const named = items.map(item => ({ item, name: nameOf(item).toLowerCase() }))
  const whole = named.filter(({ name }) => name.includes(letters))
  const scattered = named.filter(({ name }) => !name.includes(letters) && inOrder(name, letters))
  return [...whole, ...scattered].map(({ item }) => item)
}

function inOrder(name: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
