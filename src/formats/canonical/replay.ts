/** Turns a whole response into canonical events, for a client that asked for a stream. */
import type { ChatChoice, ChatResponse, StreamEvent } from './chat.ts'
import { splitPart } from './split-part.ts'

export function* replay(response: ChatResponse): Generator<StreamEvent> {
  const { id, model, created, conversation, choices, usage, doubts } = response
  yield { kind: 'start', id, model, created, conversation }
  for (const [index, choice] of choices.entries()) yield* replayChoice(choice, index)
  if (usage) yield { kind: 'usage', usage, doubts }
  yield { kind: 'end' }
}

function* replayChoice({ parts, logprobs, finish }: ChatChoice, choice: number): Generator<StreamEvent> {
  const last = parts.findLastIndex(({ kind }) => kind === 'text')
  for (const [part, whole] of parts.entries()) {
    const { opening, deltas } = splitPart(whole)
    yield { kind: 'open', choice, part, opening }
    for (const delta of deltas) yield { kind: 'delta', choice, part, delta }
    // Log probabilities belong to the text; some formats write them into its events.
    if (logprobs && part === last) yield { kind: 'logprobs', choice, tokens: logprobs }
    yield { kind: 'close', choice, part }
  }
  yield { kind: 'finish', choice, finish }
}
