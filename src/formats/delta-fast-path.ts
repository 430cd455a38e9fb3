/**
 * Reads the text of an event without parsing its JSON. Nearly every event of a stream adds text to the same part as the
 * event before, and differs from it in nothing but that text.
 */
import { parsedOrUndefined } from '../pure/json.ts'
import type { StreamEvent } from './canonical/chat.ts'
import type { TextDelta } from './format.ts'

/** Text that stands unescaped in a JSON string. */
const plain = /^[^"\\\x00-\x1f]+$/

/** The fast path is disabled after so many events in a row that are learned and not followed by one like them. */
const MISSES_MAX = 8

/** OpenAI ends events with random text, so that their length does not reveal that of the output. */
const OBFUSCATION = ',"obfuscation":"'
const obfuscated = /^[^"\\]*"\}$/

export class DeltaFastPath {
  #before = ''
  #after = ''
  #delta: TextDelta | undefined
  #is_obfuscated = false
  #misses = 0

  /**
   * Reads the event between two indexes of `data`.
   * @returns undefined for an event that differs from the one that was learned in more than its text
   */
  read(data: string, from = 0, to = data.length): TextDelta | undefined {
    const delta = this.#delta
    if (!delta || !data.startsWith(this.#before, from)) return undefined
    const start = from + this.#before.length
    const end = (this.#is_obfuscated ? endOf(data, start, to) : to) - this.#after.length
    if (end <= start || !data.startsWith(this.#after, end)) return undefined
    const json = data.slice(start, end)
    const text = plain.test(json) ? json : unescaped(json)
    if (!text) return undefined
    this.#misses = 0
    return { kind: 'delta', choice: delta.choice, part: delta.part, delta: { text } }
  }

  /** @param events of an event that was parsed. @returns the same events */
  learn(data: string, events: StreamEvent[]): StreamEvent[] {
    this.#delta = undefined
    const delta = events.at(-1)
    if (this.#misses === MISSES_MAX || !isTextDelta(delta) || !events.slice(0, -1).every(isBeginning)) return events
    const { text } = delta.delta
    const at = data.indexOf(`"${text}"`)
    if (!plain.test(text) || data.includes('\\') || at < 0 || data.indexOf(`"${text}"`, at + 1) >= 0) return events
    this.#misses++
    this.#delta = delta
    this.#before = data.slice(0, at + 1)
    const end = endOf(data, at, data.length)
    this.#after = data.slice(at + 1 + text.length, end)
    this.#is_obfuscated = end < data.length
    return events
  }
}

const isTextDelta = (event: StreamEvent | undefined): event is TextDelta =>
  event?.kind === 'delta' && 'text' in event.delta

/** What comes with the first text of a response and not with those after it. */
const isBeginning = ({ kind }: StreamEvent) => kind === 'start' || kind === 'open'

/** @returns the index behind which there is only random text, or `to` */
function endOf(data: string, from: number, to: number): number {
  const at = data.lastIndexOf(OBFUSCATION, to)
  const end = at + OBFUSCATION.length
  return at > from && obfuscated.test(data.slice(end, to)) ? end : to
}

function unescaped(json: string): string | undefined {
  const text = json.includes('\\') ? parsedOrUndefined(`"${json}"`) : undefined
  return typeof text === 'string' ? text : undefined
}
