/**
 * Reads `usage`: `billed_units` are what Cohere charges; `tokens` count what it adds to the prompt and the output too.
 * https://docs.cohere.com/docs/how-does-cohere-pricing-work and https://docs.cohere.com/reference/chat (read 2026-11)
 */
import { type Usage, usageOf } from '../canonical/chat.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { plausible, share } from '../json/reported-counts.ts'
import type { CohereCounts, CohereUsage } from './wire.ts'

/** `input_tokens` includes cached tokens. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = objectOf<CohereUsage>(report)
  const counts = objectsOf<CohereCounts>([billed_units, tokens]).find(
    count => count.input_tokens || count.output_tokens,
  )
  if (!counts) return undefined
  const count = (value: unknown, name: string) => plausible(value, name, doubts) ?? 0
  const billed = count(counts.input_tokens, 'input_tokens')
  const added = Math.max(0, count(objectOf<CohereCounts>(tokens).input_tokens, 'tokens.input_tokens') - billed)
  const input = share(billed, 'input_tokens', doubts)
  // What Cohere adds stands at the start of the prompt, so that it is cached before anything that is billed.
  const cached = Math.max(0, count(cached_tokens, 'cached_tokens') - added)
  const cache_read = input.take(cached, 'cached_tokens')
  return usageOf({ cache_read, input: input.rest(), output: count(counts.output_tokens, 'output_tokens') })
}
