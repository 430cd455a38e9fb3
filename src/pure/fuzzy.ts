/** Search as people type it: letters in order, however far apart. `cs4` finds claude-sonnet-4-5. */
export function fuzzy<T>(items: T[], wanted: string, nameOf: (item: T) => string): T[] {
  const letters = wanted.trim().toLowerCase()
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
