/** Completes the events of upstreams that leave some out: clients get one beginning, and an end of all that has begun. */
import type { ResponsePart, StreamEvent } from '../canonical/chat.ts'

type Write = (event: StreamEvent) => string
type PartEvent = StreamEvent & { kind: 'open' | 'close' }

/** @param write gets the events of one stream, complete */
export function wellFormed(write: Write): Write {
  const stream = new WellFormed(write)
  // Writers know which parts are open: deltas, most of a stream, are left to them.
  return event => (event.kind === 'delta' && stream.has_started ? write(event) : stream.push(event))
}

/**
 * Some servers give every call of a response one id; clients pair calls with their results by it.
 * @returns a function that takes the id of a second call away: the client's format makes one
 */
export function uniqueCallIds(): (part: ResponsePart) => ResponsePart {
  const ids = new Set<string>()
  return part => {
    if (part.kind !== 'tool_call' || !part.id) return part
    if (ids.has(part.id)) return { ...part, id: '' }
    ids.add(part.id)
    return part
  }
}

class WellFormed {
  has_started = false
  /** Parts that are open, by choice; undefined for a choice that has finished. */
  readonly #choices = new Map<number, Set<number> | undefined>()

  readonly #named = uniqueCallIds()

  constructor(private readonly write: Write) {}

  push(event: StreamEvent): string {
    if (event.kind === 'error') return this.write(event)
    if (event.kind === 'start') return this.#start(event)
    const begun = this.has_started ? '' : this.#start({ kind: 'start', id: '', model: '' })
    return begun + this.#continue(event)
  }

  #start(event: StreamEvent): string {
    if (this.has_started) return ''
    this.has_started = true
    return this.write(event)
  }

  #continue(event: StreamEvent): string {
    switch (event.kind) {
      case 'open':
      case 'close':
        return this.#hasFinished(event.choice) ? '' : this.#track(event)
      case 'finish':
        return this.#finish(event)
      case 'end':
        return this.#finishAll() + this.write(event)
      case 'logprobs':
        this.#begin(event.choice)
        return this.write(event)
      default:
        return this.write(event)
    }
  }

  #hasFinished = (choice: number): boolean => this.#choices.has(choice) && !this.#choices.get(choice)

  /** @returns the open parts of a choice */
  #begin(choice: number): Set<number> {
    const open = this.#choices.get(choice) ?? new Set()
    if (!this.#choices.has(choice)) this.#choices.set(choice, open)
    return open
  }

  #track(event: PartEvent): string {
    const open = this.#begin(event.choice)
    if (open.has(event.part) === (event.kind === 'open')) return ''
    if (event.kind === 'close') open.delete(event.part)
    else open.add(event.part)
    return this.write(event.kind === 'open' ? { ...event, opening: this.#named(event.opening) } : event)
  }

  #finishAll(): string {
    // Every response has a first choice.
    const choices = new Set([0, ...this.#choices.keys()])
    const finish = { reason: 'stop' } as const
    return [...choices].map(choice => this.#finish({ kind: 'finish', choice, finish })).join('')
  }

  #finish(event: StreamEvent & { kind: 'finish' }): string {
    const { choice } = event
    if (this.#hasFinished(choice)) return ''
    const open = [...(this.#choices.get(choice) ?? [])]
    this.#choices.set(choice, undefined)
    return open.map(part => this.write({ kind: 'close', choice, part })).join('') + this.write(event)
  }
}
