/** What a translated answer used: as its upstream counts, else as it is counted here. */
import { tokensIn } from '../pure/tokens.ts'
import { completionTokens, promptTokens } from '../pure/usage.ts'
import { type Answer, type Event, type Usage, usageOf } from './canonical.ts'
import type { Metered } from './codec.ts'
import { replay } from './replay.ts'

export class Tally {
  /** Tokens in what was produced, by our own count. */
  produced = 0
  /** What was produced, where it is kept. */
  text = ''
  #usage: Usage | undefined
  #doubts: string[] = []

  constructor(private readonly keep_text: boolean) {}

  add(event: Event) {
    switch (event.kind) {
      case 'start':
        this.#usage = event.usage
        return
      case 'open':
        if (event.opening.kind === 'tool_call') this.#produce(event.opening.name)
        return
      case 'delta':
        if ('text' in event.delta) this.#produce(event.delta.text)
        else if ('arguments' in event.delta) this.#produce(event.delta.arguments)
        else if ('transcript' in event.delta) this.#produce(event.delta.transcript)
        return
      case 'usage':
        this.#usage = event.usage
        this.#doubts = event.doubts
        return
      case 'close':
      case 'logprobs':
      case 'finish':
      case 'error':
      case 'end':
    }
  }

  /** Nothing reported and nothing produced is the one case that is free. */
  meter(prompt: number): Metered {
    const doubts = this.#doubts
    const usage = this.#usage
    if (!usage)
      return { usage: usageOf(this.produced ? { input: prompt, output: this.produced } : {}), by: 'gateway', doubts }
    const input = promptTokens(usage) ? usage.input : prompt
    const output = completionTokens(usage) ? usage.output : this.produced
    return { usage: { ...usage, input, output }, by: 'upstream', doubts }
  }

  #produce(words: string) {
    if (!words) return
    this.produced += Math.max(1, tokensIn(words))
    if (this.keep_text) this.text += words
  }
}

/** Of an answer that came whole. */
export function tallyOf(answer: Answer, keep_text: boolean): Tally {
  const tally = new Tally(keep_text)
  for (const event of replay(answer)) tally.add(event)
  return tally
}
