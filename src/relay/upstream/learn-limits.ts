/** Learns from the headers of a response which limits of its maker are used up. */
import { noteFull, type Target } from '../../domain/routing/index.ts'
import { endOfSpentLimit } from '../errors/retry-hint.ts'

/**
 * One of them stands in each response that reports limits. https://platform.openai.com/docs/guides/rate-limits
 * https://docs.claude.com/en/api/rate-limits (read 2026-11)
 */
const MARKS = [
  'x-ratelimit-remaining-requests',
  'x-ratelimit-remaining-tokens',
  'anthropic-ratelimit-requests-remaining',
  'anthropic-ratelimit-tokens-remaining',
]

export function learnLimits(headers: Headers, target: Pick<Target, 'channel' | 'key' | 'model'>) {
  if (!MARKS.some(name => headers.has(name))) return
  const ms = endOfSpentLimit(headers)
  if (ms !== undefined) noteFull(target, ms)
}
