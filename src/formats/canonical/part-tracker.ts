import { parsed } from '../json/lenient-json.ts'
import type { Delta, ResponsePart, StreamEvent } from './chat.ts'

interface Open {
  part: number
  opening: ResponsePart
  /** What a call's arguments are so far. */
  text: string
}

/**
 * For formats whose streams say only what is added and to what: opens the parts that this implies, and closes them. A
 * part ends when something else begins; a call only once its arguments are whole, for several may be told in turns.
 */
export class PartTracker {
  /** Whether a tool was called. */
  called = false
  #next = 0
  readonly #open = new Map<string, Open>()

  constructor(readonly choice: number) {}

  add(key: string, opening: ResponsePart, deltas: Delta[]): StreamEvent[] {
    const { choice } = this
    const events: StreamEvent[] = []
    const begun = this.#open.get(key) ?? this.#begin(key, opening, events)
    for (const delta of deltas) {
      if ('arguments' in delta) begun.text += delta.arguments
      events.push({ kind: 'delta', choice, part: begun.part, delta })
    }
    return events
  }

  /** A part that comes in one piece. */
  whole(opening: ResponsePart): StreamEvent[] {
    const events: StreamEvent[] = this.#closeDone()
    const part = this.#next++
    const { choice } = this
    if (opening.kind === 'tool_call') this.called = true
    return [...events, { kind: 'open', choice, part, opening }, { kind: 'close', choice, part }]
  }

  closeAll(): StreamEvent[] {
    const open = [...this.#open.values()]
    this.#open.clear()
    return open.map(({ part }) => ({ kind: 'close', choice: this.choice, part }))
  }

  #begin(key: string, opening: ResponsePart, events: StreamEvent[]): Open {
    events.push(...this.#closeDone())
    const begun: Open = { part: this.#next++, opening, text: '' }
    this.#open.set(key, begun)
    if (opening.kind === 'tool_call') this.called = true
    events.push({ kind: 'open', choice: this.choice, part: begun.part, opening })
    return begun
  }

  #closeDone(): StreamEvent[] {
    const done = [...this.#open].filter(([, open]) => !isWaiting(open))
    for (const [key] of done) this.#open.delete(key)
    return done.map(([, { part }]) => ({ kind: 'close', choice: this.choice, part }))
  }
}

const isWaiting = ({ opening, text }: Open): boolean => opening.kind === 'tool_call' && parsed(text) === undefined
