/** What a translated answer used: as its upstream counts, else as it is counted here. */

import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { type ChatResponse, type StreamEvent, type Usage, usageOf } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { LocalCounts, MeteredUsage, ResponseFacts } from '../format.ts'

type Report = { usage: Usage; doubts: string[] }

/** Nothing reported and nothing produced is the one case that is free. */
export function meter(report: Json | undefined, { prompt, output }: LocalCounts): MeteredUsage {
  if (!report) return { usage: usageOf(output ? { input: prompt, output } : {}), by: 'gateway', doubts: [] }
  const { usage, doubts } = report as Report
  const counted = { input: usage.input, output: usage.output }
  if (!promptTokens(usage)) counted.input = prompt
  if (!completionTokens(usage)) counted.output = output
  return { usage: { ...usage, ...counted }, by: 'upstream', doubts }
}

export class Tally {
  /** Tokens in what was produced, by our own count. */
  produced = 0
  /** What was produced, where it is kept. */
  text = ''
  /** What the upstream has counted so far, in the words that all formats share. */
  report: Report | undefined

  constructor(private readonly keep_text: boolean) {}

  add(event: StreamEvent) {
    switch (event.kind) {
      case 'start':
        // Of the output, only what has been counted at its end.
        if (event.usage) this.report = { usage: { ...event.usage, output: 0 }, doubts: [] }
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
        this.report = { usage: event.usage, doubts: event.doubts }
        return
      case 'close':
      case 'logprobs':
      case 'finish':
      case 'error':
      case 'end':
    }
  }

  #produce(words: string) {
    if (!words) return
    this.produced += Math.max(1, estimateTokens(words))
    if (this.keep_text) this.text += words
  }
}

/** Of an answer that came whole. */
function tallyOf(answer: ChatResponse, keep_text: boolean): Tally {
  const tally = new Tally(keep_text)
  for (const event of replay(answer)) tally.add(event)
  return tally
}

/** What is read of an answer that came whole; its words are hardly ever counted, as most bring their own count. */
export function responseFactsOf(answer: ChatResponse, rewritten?: Json): ResponseFacts {
  return {
    usage_report: answer.usage && { usage: answer.usage, doubts: answer.doubts },
    get output_estimate() {
      return tallyOf(answer, false).produced
    },
    get text() {
      return tallyOf(answer, true).text
    },
    rewritten,
  }
}
