/** Regular expressions from users, matched in linear time by RE2. */
import type { RE2Set } from 're2js'

/** Loaded at its first use: most installations have no pattern. */
const re2 = () => require('re2js') as typeof import('re2js')

/** Whether RE2 accepts the pattern and the empty text does not match it. Backreferences and lookaround are not in RE2. */
export function isPattern(source: string): boolean {
  const { RE2JS } = re2()
  try {
    return !RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).test('')
  } catch {
    return false
  }
}

/** Finds any of many patterns in one pass, without regard to case. */
export class RegexSet {
  readonly #set: RE2Set
  readonly #sources: readonly string[]

  constructor(sources: readonly string[]) {
    const { RE2JS, RE2Set } = re2()
    this.#set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE)
    this.#sources = sources
    for (const source of sources) this.#set.add(source)
    this.#set.compile()
  }

  /** @returns the source of a pattern that matches */
  find(text: string): string | undefined {
    const [index] = this.#set.match(text)
    return index === undefined ? undefined : this.#sources[index]
  }
}
