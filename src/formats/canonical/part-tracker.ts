/** Opens and closes parts for formats whose streams contain only deltas. */
import { parsedOrUndefined } from '../../pure/json.ts'
import type { Delta, ResponsePart, StreamEvent } from './chat.ts'

interface OpenPart {
  part: number
  opening: ResponsePart
  /** The arguments of a tool call so far. */
  text: string
}

/**
 * A part ends when another begins, a tool call only when its arguments are complete JSON: the arguments of several calls
 * may be interleaved.
 */
export class PartTracker {
  /** The response contains a tool call. */
  called = false
  #next = 0
  readonly #open = new Map<string, OpenPart>()
  /** Keys of tool calls that are complete. */
  readonly #ended = new Set<string>()

  constructor(readonly choice: number) {}

  add(key: string, opening: ResponsePart, deltas: Delta[]): StreamEvent[] {
    const { choice } = this
    const events: StreamEvent[] = []
    const open = this.#open.get(key) ?? this.#begin(key, opening, events)
    for (const delta of deltas) {
      if ('arguments' in delta) open.text += delta.arguments
      events.push({ kind: 'delta', choice, part: open.part, delta })
    }
    return events
  }

  /** Whether a tool call of this key has been closed by another part. */
  hasEnded = (key: string): boolean => this.#ended.has(key)

  /** Adds a part that is complete. */
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

  #begin(key: string, opening: ResponsePart, events: StreamEvent[]): OpenPart {
    events.push(...this.#closeDone())
    const open: OpenPart = { part: this.#next++, opening, text: '' }
    this.#open.set(key, open)
    if (opening.kind === 'tool_call') this.called = true
    events.push({ kind: 'open', choice: this.choice, part: open.part, opening })
    return open
  }

  #closeDone(): StreamEvent[] {
    const done = [...this.#open].filter(([, open]) => !isWaiting(open))
    for (const [key, { opening }] of done) {
      this.#open.delete(key)
      if (opening.kind === 'tool_call') this.#ended.add(key)
    }
    return done.map(([, { part }]) => ({ kind: 'close', choice: this.choice, part }))
  }
}

const isWaiting = ({ opening, text }: OpenPart): boolean =>
  opening.kind === 'tool_call' && parsedOrUndefined(text) === undefined
