import type { Event } from './canonical.ts'

/**
 * The events of the first choice, one part after the other: for formats that begin a part only when the one before it
 * is complete. What is told of a later part in the meantime waits.
 */
export class InOrder {
  #current: number | undefined
  readonly #waiting = new Map<number, Event[]>()

  push(event: Event): Event[] {
    if (!('choice' in event)) return [event]
    if (event.choice !== 0) return []
    if (!('part' in event)) return [event]
    if (this.#current === undefined && event.kind === 'open') this.#current = event.part
    if (this.#current !== event.part) return this.#wait(event.part, event)
    if (event.kind !== 'close') return [event]
    this.#current = undefined
    return [event, ...this.#next()]
  }

  #wait(part: number, event: Event): Event[] {
    const events = this.#waiting.get(part)
    if (events) events.push(event)
    else this.#waiting.set(part, [event])
    return []
  }

  /** The part that has waited longest, as far as it is told; the ones after it, where it is complete. */
  #next(): Event[] {
    const [waiting] = this.#waiting
    if (!waiting) return []
    const [part, events] = waiting
    this.#waiting.delete(part)
    if (events.at(-1)?.kind === 'close') return [...events, ...this.#next()]
    this.#current = part
    return events
  }
}
