/** Estimates the prompt of a large body in steps: other calls run between them. */
import type { Countable } from '../../formats/format.ts'
import { nextTurn } from '../../process/next-turn.ts'
import { TokenCounter } from '../../pure/estimate-tokens.ts'

/** Characters of one step: less than a millisecond. */
const STEP = 65_536
/** A text takes as long as so many characters. */
const PER_TEXT = 32

export async function estimateInSteps({ texts, tokens }: Countable): Promise<number> {
  const counter = new TokenCounter()
  let done = 0
  for (const text of texts) {
    for (let from = 0; from < text.length; from += STEP) {
      const piece = text.slice(from, from + STEP)
      counter.add(piece)
      done += piece.length + PER_TEXT
      if (done < STEP) continue
      await nextTurn()
      done = 0
    }
    counter.end()
  }
  return tokens + counter.tokens
}
