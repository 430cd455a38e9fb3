/** A stream of events as one list in JSON: how Google's API streams to those who do not ask for events. */

import type { BodySource } from '../../stream/body-stream.ts'
import { asBuffer, dataOf, eventsIn, toBytes } from '../../stream/sse.ts'

export class JsonArrayStream implements BodySource {
  #begun = false
  #over = false

  constructor(private readonly show: BodySource) {}

  async next(): Promise<Uint8Array | undefined> {
    if (this.#over) return undefined
    const events = await this.show.next()
    if (events) return toBytes([...eventsIn(asBuffer(events as Uint8Array<ArrayBuffer>))].map(this.#item).join(''))
    this.#over = true
    return toBytes(this.#begun ? ']' : '[]')
  }

  cancelled = () => this.show.cancelled()

  /** A comment is room between the items. */
  #item = (event: string): string => {
    const data = dataOf(event)
    if (data === undefined) return '\n'
    const before = this.#begun ? ',\n' : '['
    this.#begun = true
    return before + data
  }
}
