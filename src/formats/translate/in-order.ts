/** Events of the first choice, one part after the other. */
import type { StreamEvent } from '../canonical/chat.ts'

/**
 * For formats that begin a part only when the part before is complete. Events of a later part wait until then, and
 * events of other choices are dropped.
 */
export class InOrder {
  #current: number | undefined
  readonly #waiting = new Map<number, StreamEvent[]>()

  constructor(private readonly write: (event: StreamEvent) => string) {}

  push(event: StreamEvent): string {
    if (!('choice' in event)) return this.write(event)
    if (event.choice !== 0) return ''
    if (!('part' in event)) return this.write(event)
    if (this.#current === undefined && event.kind === 'open') this.#current = event.part
    if (this.#current !== event.part) return this.#wait(event.part, event)
    if (event.kind !== 'close') return this.write(event)
    this.#current = undefined
    return this.write(event) + this.#next()
  }

  #wait(part: number, event: StreamEvent): '' {
    const events = this.#waiting.get(part)
    if (events) events.push(event)
    // Nothing follows the end of a part.
    else if (event.kind === 'open') this.#waiting.set(part, [event])
    return ''
  }

  /** Writes the part that has waited longest, and the parts after it if it is complete. */
  #next(): string {
    const [waiting] = this.#waiting
    if (!waiting) return ''
    const [part, events] = waiting
    this.#waiting.delete(part)
    const written = events.map(this.write).join('')
    if (events.at(-1)?.kind === 'close') return written + this.#next()
    this.#current = part
    return written
  }
}
