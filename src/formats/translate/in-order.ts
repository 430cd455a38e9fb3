import type { StreamEvent } from '../canonical/chat.ts'

/**
 * Tells the events of the first choice, one part after the other: for formats that begin a part only when the one before
 * it is complete. What is told of a later part in the meantime waits.
 */
export class InOrder {
  #current: number | undefined
  readonly #waiting = new Map<number, StreamEvent[]>()

  constructor(private readonly tell: (event: StreamEvent) => string) {}

  push(event: StreamEvent): string {
    if (!('choice' in event)) return this.tell(event)
    if (event.choice !== 0) return ''
    if (!('part' in event)) return this.tell(event)
    if (this.#current === undefined && event.kind === 'open') this.#current = event.part
    if (this.#current !== event.part) return this.#wait(event.part, event)
    if (event.kind !== 'close') return this.tell(event)
    this.#current = undefined
    return this.tell(event) + this.#next()
  }

  #wait(part: number, event: StreamEvent): '' {
    const events = this.#waiting.get(part)
    if (events) events.push(event)
    else this.#waiting.set(part, [event])
    return ''
  }

  /** The part that has waited longest, as far as it is told; the ones after it, where it is complete. */
  #next(): string {
    const [waiting] = this.#waiting
    if (!waiting) return ''
    const [part, events] = waiting
    this.#waiting.delete(part)
    const told = events.map(this.tell).join('')
    if (events.at(-1)?.kind === 'close') return told + this.#next()
    this.#current = part
    return told
  }
}
