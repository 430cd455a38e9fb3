/** Stop sequences that an upstream does not take: the answer is read for them, and ends where one is met. */

import { isReasoningModel } from '../../models/traits.ts'
import { assemble } from '../canonical/assemble.ts'
import type { ChatRequest, ChatResponse, FormatName, StreamEvent } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { Flaw } from '../json/checks.ts'

/** More are refused. */
const [OPENAI_MOST, GEMINI_MOST] = [4, 5]

/** To look for more at every word would cost more than the words. */
const [MOST, LETTERS_MOST] = [64, 4096]

export function stopFlaw({ stop }: ChatRequest): Flaw | undefined {
  const letters = stop.reduce((sum, { length }) => sum + length, 0)
  if (stop.length <= MOST && letters <= LETTERS_MOST) return undefined
  return { code: 'format.too_many_stops', params: { limit: MOST, letters: LETTERS_MOST }, param: 'stop' }
}

/** Those that an upstream looks for itself. */
export function stopsTaken(stop: string[], format: FormatName, model: string): string[] {
  switch (format) {
    case 'openai-chat':
      return isReasoningModel(model) ? [] : stop.slice(0, OPENAI_MOST)
    case 'openai-responses':
      return []
    case 'anthropic':
      return stop.filter(sequence => sequence.trim())
    case 'gemini':
      return stop.slice(0, GEMINI_MOST)
  }
}

/** Goes through the events of one stream. */
export function stopAt(sequences: readonly string[]): (event: StreamEvent) => StreamEvent[] {
  const choices = new Map<number, Watch>()
  return event => {
    if (!('choice' in event)) return [event]
    const watch = choices.get(event.choice) ?? new Watch(sequences)
    choices.set(event.choice, watch)
    return watch.push(event)
  }
}

export const stoppedAt = (sequences: readonly string[], answer: ChatResponse): ChatResponse => ({
  ...assemble([...replay(answer)].flatMap(stopAt(sequences))),
  doubts: answer.doubts,
})

type OfChoice = Extract<StreamEvent, { choice: number }>

class Watch {
  #met: string | undefined
  /** The end of what was said, as long as it may be the beginning of a sequence. */
  #held = ''
  /** Whether each open part is a text. */
  readonly #open = new Map<number, boolean>()

  constructor(private readonly sequences: readonly string[]) {}

  push(event: OfChoice): StreamEvent[] {
    if (event.kind === 'finish')
      return [this.#met === undefined ? event : { ...event, finish: { reason: 'stop_sequence', sequence: this.#met } }]
    if (this.#met !== undefined) return []
    switch (event.kind) {
      case 'open':
        this.#open.set(event.part, event.opening.kind === 'text')
        return [event]
      case 'delta':
        return 'text' in event.delta && this.#open.get(event.part) ? this.#say(event, event.delta.text) : [event]
      case 'close':
        return [...this.#flush(event), event]
      case 'logprobs':
        return [event]
    }
  }

  #say(event: OfChoice & { kind: 'delta' }, text: string): StreamEvent[] {
    const said = this.#held + text
    const [met, at] = this.#find(said)
    this.#met = met
    this.#held = met === undefined ? said.slice(said.length - this.#kept(said)) : ''
    const told = met === undefined ? said.slice(0, said.length - this.#held.length) : said.slice(0, at)
    const events: StreamEvent[] = told ? [{ ...event, delta: { text: told } }] : []
    return met === undefined ? events : [...events, ...this.#closeAll(event.choice)]
  }

  /** The sequence that is met first. */
  #find(said: string): [sequence: string | undefined, at: number] {
    let [met, first]: [string | undefined, number] = [undefined, said.length]
    for (const sequence of this.sequences) {
      const at = sequence ? said.indexOf(sequence) : -1
      if (at >= 0 && at < first) [met, first] = [sequence, at]
    }
    return [met, first]
  }

  #kept(said: string): number {
    const longest = Math.max(0, ...this.sequences.map(({ length }) => length - 1))
    for (let kept = Math.min(longest, said.length); kept > 0; kept--) {
      const end = said.slice(-kept)
      if (this.sequences.some(sequence => sequence.startsWith(end))) return kept
    }
    return 0
  }

  #flush({ choice, part }: OfChoice & { kind: 'close' }): StreamEvent[] {
    const text = this.#open.get(part) ? this.#held : ''
    this.#open.delete(part)
    if (!text) return []
    this.#held = ''
    return [{ kind: 'delta', choice, part, delta: { text } }]
  }

  #closeAll(choice: number): StreamEvent[] {
    const open = [...this.#open.keys()]
    this.#open.clear()
    return open.map(part => ({ kind: 'close', choice, part }))
  }
}
