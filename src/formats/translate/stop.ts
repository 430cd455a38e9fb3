/** Stop sequences that an upstream does not accept: the gateway scans the response and cuts it where one is met. */
import { assemble } from '../canonical/assemble.ts'
import type { ChatRequest, ChatResponse, StreamEvent } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { Flaw } from '../json/checks.ts'

/** Limits on what is scanned at every delta: sequences, and characters of all of them. */
const [SEQUENCES_MAX, CHARACTERS_MAX] = [64, 4096]

/** @returns a flaw when there are more stop sequences than are scanned */
export function stopFlaw({ stop }: ChatRequest): Flaw | undefined {
  const characters = stop.reduce((sum, { length }) => sum + length, 0)
  if (stop.length <= SEQUENCES_MAX && characters <= CHARACTERS_MAX) return undefined
  return { code: 'format.too_many_stops', params: { limit: SEQUENCES_MAX, letters: CHARACTERS_MAX }, param: 'stop' }
}

/** @returns a function that takes the events of one stream and gives those that remain */
export function stopAt(sequences: readonly string[]): (event: StreamEvent) => StreamEvent[] {
  const choices = new Map<number, StopScanner>()
  return event => {
    if (!('choice' in event)) return [event]
    const scanner = choices.get(event.choice) ?? new StopScanner(sequences)
    choices.set(event.choice, scanner)
    return scanner.push(event)
  }
}

export const stoppedAt = (sequences: readonly string[], response: ChatResponse): ChatResponse => ({
  ...assemble([...replay(response)].flatMap(stopAt(sequences))),
  doubts: response.doubts,
})

type ChoiceEvent = Extract<StreamEvent, { choice: number }>

/** Scans the text of one choice. */
class StopScanner {
  #met: string | undefined
  /** The end of the text, as long as it may be the beginning of a sequence. */
  #pending = ''
  /** Open parts, and whether each is a text. */
  readonly #open = new Map<number, boolean>()

  constructor(private readonly sequences: readonly string[]) {}

  push(event: ChoiceEvent): StreamEvent[] {
    if (event.kind === 'finish')
      return [this.#met === undefined ? event : { ...event, finish: { reason: 'stop_sequence', sequence: this.#met } }]
    if (this.#met !== undefined) return []
    switch (event.kind) {
      case 'open':
        this.#open.set(event.part, event.opening.kind === 'text')
        return [event]
      case 'delta':
        return 'text' in event.delta && this.#open.get(event.part) ? this.#scan(event, event.delta.text) : [event]
      case 'close':
        return [...this.#flush(event), event]
      case 'logprobs':
        return [event]
    }
  }

  #scan(event: ChoiceEvent & { kind: 'delta' }, added: string): StreamEvent[] {
    const text = this.#pending + added
    const [met, at] = this.#find(text)
    this.#met = met
    this.#pending = met === undefined ? text.slice(text.length - this.#pendingLength(text)) : ''
    const passed = met === undefined ? text.slice(0, text.length - this.#pending.length) : text.slice(0, at)
    const events: StreamEvent[] = passed ? [{ ...event, delta: { text: passed } }] : []
    return met === undefined ? events : [...events, ...this.#closeAll(event.choice)]
  }

  /** @returns the sequence that is met first */
  #find(text: string): [sequence: string | undefined, at: number] {
    let [met, first]: [string | undefined, number] = [undefined, text.length]
    for (const sequence of this.sequences) {
      const at = sequence ? text.indexOf(sequence) : -1
      if (at >= 0 && at < first) [met, first] = [sequence, at]
    }
    return [met, first]
  }

  #pendingLength(text: string): number {
    const longest = Math.max(0, ...this.sequences.map(({ length }) => length - 1))
    for (let length = Math.min(longest, text.length); length > 0; length--) {
      const end = text.slice(-length)
      if (this.sequences.some(sequence => sequence.startsWith(end))) return length
    }
    return 0
  }

  #flush({ choice, part }: ChoiceEvent & { kind: 'close' }): StreamEvent[] {
    const text = this.#open.get(part) ? this.#pending : ''
    this.#open.delete(part)
    if (!text) return []
    this.#pending = ''
    return [{ kind: 'delta', choice, part, delta: { text } }]
  }

  #closeAll(choice: number): StreamEvent[] {
    const open = [...this.#open.keys()]
    this.#open.clear()
    return open.map(part => ({ kind: 'close', choice, part }))
  }
}
