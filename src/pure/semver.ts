/** Order of versions. https://semver.org/spec/v2.0.0.html#spec-item-11 (read 2026-11) */

const PATTERN = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?$/i

interface Version {
  numbers: number[]
  /** Identifiers of a pre-release, which comes before its release. */
  pre: string[]
}

/** @returns undefined for what is no version; a leading `v` and a missing patch number are accepted */
function readVersion(text: string): Version | undefined {
  const [, major, minor, patch = '0', pre] = PATTERN.exec(text.trim()) ?? []
  return major === undefined ? undefined : { numbers: [major, minor, patch].map(Number), pre: pre?.split('.') ?? [] }
}

/** @returns whether `one` comes after `other`; undefined when either is no version */
export function isNewer(one: string, other: string): boolean | undefined {
  const [a, b] = [readVersion(one), readVersion(other)]
  if (!a || !b) return undefined
  const by = a.numbers.map((number, at) => number - b.numbers[at]!).find(difference => difference !== 0)
  return (by ?? comparePre(a.pre, b.pre)) > 0
}

function comparePre(one: string[], other: string[]): number {
  if (!one.length || !other.length) return other.length - one.length
  for (const [at, identifier] of one.entries()) {
    if (other[at] === undefined) return 1
    const by = compareIdentifiers(identifier, other[at])
    if (by) return by
  }
  return one.length - other.length
}

/** Numbers come before words, and are compared as numbers. */
function compareIdentifiers(one: string, other: string): number {
  const [a, b] = [numberIn(one), numberIn(other)]
  if (a !== undefined && b !== undefined) return a - b
  if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1
  return one < other ? -1 : Number(one > other)
}

const numberIn = (identifier: string) => (/^\d+$/.test(identifier) ? Number(identifier) : undefined)
