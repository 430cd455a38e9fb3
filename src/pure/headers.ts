/**
 * Merges header sets; names become lower case. A later set wins, but the lists in `…-beta` headers (`anthropic-beta`,
 * `openai-beta`) are joined without duplicates.
 */
export function joinHeaders(...sets: (Record<string, string> | undefined)[]): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const set of sets) {
    for (const [name, value] of Object.entries(set ?? {})) {
      const key = name.toLowerCase()
      joined[key] = key.endsWith('-beta') && joined[key] ? union(joined[key], value) : value
    }
  }
  return joined
}

const union = (...lists: string[]): string =>
  [...new Set(lists.flatMap(list => list.split(',').map(item => item.trim())))].filter(Boolean).join(',')
