/**
 * Nearly every event of a stream says the next words of one part, and around them the same JSON again and again: where
 * it does, the words are read and the JSON is not.
 */
import type { StreamEvent } from '../canonical/chat.ts'

/** A JSON text that means itself. */
const plain = /^[^"\\\x00-\x1f]+$/

/** How often an event is taken for the first of many when it is not; some streams never say the same twice. */
const PATIENCE = 8

type Words = StreamEvent & { kind: 'delta' }

export class DeltaFastPath {
  #before = ''
  #after = ''
  #words: Words | undefined
  #patience = PATIENCE

  /** @returns what the event says, where it differs from the one before in nothing but its words. */
  heard(data: string): StreamEvent[] | undefined {
    const words = this.#words
    if (!words || !data.startsWith(this.#before) || !data.endsWith(this.#after)) return undefined
    const text = data.slice(this.#before.length, -this.#after.length)
    if (!plain.test(text)) return undefined
    this.#patience = PATIENCE
    return [{ kind: 'delta', choice: words.choice, part: words.part, delta: { text } }]
  }

  /** @param events what an event said that had to be read; what comes next may be like it, and is unlike any before. */
  learn(data: string, events: StreamEvent[]): StreamEvent[] {
    this.#words = undefined
    const [words] = events
    if (!this.#patience || events.length !== 1 || words?.kind !== 'delta' || !('text' in words.delta)) return events
    const { text } = words.delta
    const at = data.indexOf(`"${text}"`)
    if (!plain.test(text) || data.includes('\\') || at < 0 || data.indexOf(`"${text}"`, at + 1) >= 0) return events
    this.#patience--
    this.#words = words
    this.#before = data.slice(0, at + 1)
    this.#after = data.slice(at + 1 + text.length)
    return events
  }
}
