/** Regular expressions from users, matched in linear time by RE2. */
import { RE2JS, RE2Set } from 're2js'

const { CASE_INSENSITIVE } = RE2JS

/** Whether RE2 accepts the pattern and the empty text does not match it. Backreferences and lookaround are not in RE2. */
export function isPattern(source: string): boolean {
  try {
    return !RE2JS.compile(source, CASE_INSENSITIVE).test('')
  } catch {
    return false
  }
}

/** Finds any of many patterns in one pass, without regard to case. */
export class RegexSet {
  readonly #set = new RE2Set(RE2Set.UNANCHORED, CASE_INSENSITIVE)
  readonly #sources: readonly string[]

  constructor(sources: readonly string[]) {
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
