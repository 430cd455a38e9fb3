/**
 * Reads text deltas of a stream without parsing their JSON: consecutive delta events of one part differ only in the
 * text. https://docs.anthropic.com/en/api/messages-streaming (read 2026-11)
 */
import type { StreamEvent } from '../canonical/chat.ts'

/** The content of a JSON string without escapes. */
const plain = /^[^"\\\x00-\x1f]+$/

/** The fast path is disabled after this many templates without a match; any match resets the count. */
const MISSES_MAX = 8

type TextDelta = StreamEvent & { kind: 'delta' }

export class DeltaFastPath {
  /** The event before and after its text. */
  #before = ''
  #after = ''
  #template: TextDelta | undefined
  #misses_left = MISSES_MAX

  /** @returns the delta when the event differs from the template in its text alone, else undefined */
  match(data: string): StreamEvent[] | undefined {
    const template = this.#template
    if (!template || !data.startsWith(this.#before) || !data.endsWith(this.#after)) return undefined
    const text = data.slice(this.#before.length, -this.#after.length)
    if (!plain.test(text)) return undefined
    this.#misses_left = MISSES_MAX
    return [{ kind: 'delta', choice: template.choice, part: template.part, delta: { text } }]
  }

  /** Takes a parsed event as the next template when it is a single text delta without escapes. @returns `events` */
  learn(data: string, events: StreamEvent[]): StreamEvent[] {
    this.#template = undefined
    const [delta] = events
    if (!this.#misses_left || events.length !== 1 || delta?.kind !== 'delta' || !('text' in delta.delta)) return events
    const { text } = delta.delta
    const at = data.indexOf(`"${text}"`)
    if (!plain.test(text) || data.includes('\\') || at < 0 || data.indexOf(`"${text}"`, at + 1) >= 0) return events
    this.#misses_left--
    this.#template = delta
    this.#before = data.slice(0, at + 1)
    this.#after = data.slice(at + 1 + text.length)
    return events
  }
}
