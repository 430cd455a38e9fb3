/**
 * Merges header sets; names become lower case. A later set wins, but the lists in `…-beta` headers (`anthropic-beta`,
 * `openai-beta`) are joined without duplicates.
 */
export function joinHeaders(...sets: (Record<string, string> | undefined)[]): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const set of sets) {
    for (const name in set) {
      const key = name.toLowerCase()
      const value = set[name]!
      joined[key] = joined[key] && key.endsWith('-beta') ? union(joined[key], value) : value
    }
  }
  return joined
}

const union = (...lists: string[]): string =>
  [...new Set(lists.flatMap(list => list.split(',').map(item => item.trim())))].filter(Boolean).join(',')
