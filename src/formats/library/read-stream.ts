/**
 * Reads the events of a streamed answer as StreamEvents; the last one has `finish` and the documents.
 * https://docs.aiproxy.io/dev/library (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { citationsOf, documentsIn, referencesTo } from './references.ts'
import type { LibraryEvent } from './wire.ts'

export const readStream = (): EventReader => new LibraryReader()

class LibraryReader implements EventReader {
  readonly #parts = new PartTracker(0)
  #length = 0
  #has_started = false
  #has_ended = false

  read(data: string): StreamEvent[] {
    const body = parsedOrUndefined(data)
    if (!isObject(body)) return [{ kind: 'error', failure: unreadable }]
    const failure = readError(body)
    if (failure) return [{ kind: 'error', failure }]
    if (this.#has_ended) return []
    const { content, finish, model, documents } = objectOf<LibraryEvent>(body)
    const started = this.#start(textOf(model))
    return [...started, ...this.#text(textOf(content)), ...(finish === true ? this.#finish(documents) : [])]
  }

  /** Only an event with `finish` completes a stream. */
  end(): StreamEvent[] {
    return []
  }

  #start(model: string): StreamEvent[] {
    if (this.#has_started) return []
    this.#has_started = true
    return [{ kind: 'start', id: '', model }]
  }

  #text(text: string): StreamEvent[] {
    this.#length += text.length
    return text ? this.#add({ text }) : []
  }

  #add(...deltas: Delta[]): StreamEvent[] {
    return this.#parts.add('text', { kind: 'text', text: '' }, deltas)
  }

  #finish(listed: unknown): StreamEvent[] {
    this.#has_ended = true
    const documents = documentsIn(listed)
    const citations = citationsOf(documents, this.#length).map(citation => ({ citation }))
    const references = documents.length ? this.#add({ text: referencesTo(documents) }, ...citations) : []
    return [
      ...references,
      ...this.#parts.closeAll(),
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      { kind: 'end' },
    ]
  }
}
