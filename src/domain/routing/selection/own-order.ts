/**
 * The order in which one conversation tries channels and keys: the same at each call, on every node, without memory. When
 * one of them drops out or comes back, only its own conversations move: weighted rendezvous hashing,
 * https://en.wikipedia.org/wiki/Rendezvous_hashing.
 */

const HASHES = 2 ** 32

interface Share {
  name: string
  /** Share of the conversations, in proportion to the others'. */
  weight: number
}

/** @param conversation whole number of 32 bits */
export function inOwnOrder<T>(members: readonly T[], conversation: number, shareOf: (member: T) => Share): T[] {
  const scored = members.map(member => ({ member, score: scoreOf(shareOf(member), conversation) }))
  return scored.sort((one, other) => other.score - one.score).map(({ member }) => member)
}

function scoreOf({ name, weight }: Share, conversation: number): number {
  const drawn = (Bun.hash.xxHash32(name, conversation) + 1) / (HASHES + 1)
  return weight > 0 ? Math.log(drawn) / weight : Number.NEGATIVE_INFINITY
}
