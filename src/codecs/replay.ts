/** An answer that came whole, told as a stream: for callers who asked for one where the upstream had none. */
import type { Answer, Choice, Event } from './canonical.ts'

export function* replay({ id, model, created, choices, usage, doubts }: Answer): Generator<Event> {
  yield { kind: 'start', id, model, created }
  for (const [index, choice] of choices.entries()) yield* replayChoice(choice, index)
  if (usage) yield { kind: 'usage', usage, doubts }
  yield { kind: 'end' }
}

function* replayChoice({ parts, logprobs, finish }: Choice, choice: number): Generator<Event> {
  for (const [part, opening] of parts.entries()) {
    yield { kind: 'open', choice, part, opening }
    yield { kind: 'close', choice, part }
  }
  if (logprobs) yield { kind: 'logprobs', choice, tokens: logprobs }
  yield { kind: 'finish', choice, finish }
}
