/** Writes a stream of events as one JSON array: Gemini's stream for clients that do not ask for `alt=sse`. */

import type { BodySource } from '../../stream/body-stream.ts'
import { asBuffer, dataOf, eventsIn, toBytes } from '../../stream/sse.ts'

export class JsonArrayStream implements BodySource {
  #begun = false
  #over = false

  constructor(private readonly source: BodySource) {}

  async next(): Promise<Uint8Array | undefined> {
    if (this.#over) return undefined
    const events = await this.source.next()
    if (events) return toBytes([...eventsIn(asBuffer(events as Uint8Array<ArrayBuffer>))].map(this.#item).join(''))
    this.#over = true
    return toBytes(this.#begun ? ']' : '[]')
  }

  cancelled = () => this.source.cancelled()

  /** A comment becomes a line feed between items. */
  #item = (event: string): string => {
    const data = dataOf(event)
    if (data === undefined) return '\n'
    const separator = this.#begun ? ',\n' : '['
    this.#begun = true
    return separator + data
  }
}
