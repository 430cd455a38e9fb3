/**
 * Reads `usage`: `tokens` are all that the model read and wrote, `billed_units` leave out what Cohere itself adds to the
 * prompt. https://docs.cohere.com/reference/chat (read 2026-11)
 */
import { type Usage, usageOf } from '../canonical/chat.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { plausible, share } from '../json/reported-counts.ts'

/** `input_tokens` includes cached tokens. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = objectOf(report)
  const counts = objectsOf([tokens, billed_units]).find(count => count.input_tokens || count.output_tokens)
  if (!counts) return undefined
  const count = (value: unknown, name: string) => plausible(value, name, doubts) ?? 0
  const input = share(count(counts.input_tokens, 'input_tokens'), 'input_tokens', doubts)
  const cache_read = input.take(count(cached_tokens, 'cached_tokens'), 'cached_tokens')
  return usageOf({ cache_read, input: input.rest(), output: count(counts.output_tokens, 'output_tokens') })
}
