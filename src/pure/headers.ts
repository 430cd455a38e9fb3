/** Headers from several sources as one set: a later one goes before an earlier one, but lists of betas are joined. */
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
