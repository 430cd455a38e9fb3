/** Regular expressions from people: matched in time linear to the text, whatever the pattern. */
import { RE2JS, RE2Set } from 're2js'

const { CASE_INSENSITIVE } = RE2JS

/** Whether it is one, and finds something: not what cannot be matched in linear time, nor what matches even nothing. */
export function isPattern(source: string): boolean {
  try {
    return !RE2JS.compile(source, CASE_INSENSITIVE).test('')
  } catch {
    return false
  }
}

/** Finds any of many patterns in one pass, upper and lower case alike. */
export class RegexSet {
  readonly #set = new RE2Set(RE2Set.UNANCHORED, CASE_INSENSITIVE)
  readonly #sources: readonly string[]

  constructor(sources: readonly string[]) {
    this.#sources = sources
    for (const source of sources) this.#set.add(source)
    this.#set.compile()
  }

  find(text: string): string | undefined {
    const [index] = this.#set.match(text)
    return index === undefined ? undefined : this.#sources[index]
  }
}
