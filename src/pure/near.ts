/** Names that are similar to a mistyped one. */

/** Share of pairs of letters that two names must have in common, 0 to 1. */
const SIMILARITY_MIN = 0.4

/** The most similar names, the nearest first. */
export function nearest(names: Iterable<string>, query: string, max: number): string[] {
  const letters = query.toLowerCase()
  const scored = [...new Set(names)].map(name => ({ name, similarity: similarityOf(name.toLowerCase(), letters) }))
  const near = scored.filter(({ similarity }) => similarity >= SIMILARITY_MIN)
  near.sort((one, other) => other.similarity - one.similarity || (one.name < other.name ? -1 : 1))
  return near.slice(0, max).map(({ name }) => name)
}

/** Dice's coefficient of the pairs of neighbouring letters. */
function similarityOf(one: string, other: string): number {
  const left = pairsOf(other)
  const total = pairsOf(one).length + left.length
  if (!total) return 0
  const common = pairsOf(one).filter(pair => {
    const index = left.indexOf(pair)
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  })
  return (2 * common.length) / total
}

const pairsOf = (text: string): string[] =>
  Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2))
