/**
 * Reads `usage`. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html (read 2026-11)
 */
import { promptTokens } from '../../billing/usage.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { plausible } from '../json/reported-counts.ts'
import type { ConverseUsage } from './wire.ts'

type CacheDetail = NonNullable<ConverseUsage['cacheDetails']>[number]

/** `inputTokens` excludes cache reads and writes. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  if (!isObject(report)) return undefined
  const counts = objectOf<ConverseUsage>(report)
  const count = (value: unknown, name: string) => plausible(value, name, doubts) ?? 0
  const written = count(counts.cacheWriteInputTokens, 'cacheWriteInputTokens')
  const details = objectsOf<CacheDetail>(counts.cacheDetails).filter(({ ttl }) => ttl === '1h')
  const hours = details.reduce((sum, { inputTokens }) => sum + count(inputTokens, 'cacheDetails'), 0)
  const hour = Math.min(hours, written)
  const usage = usageOf({
    input: count(counts.inputTokens, 'inputTokens'),
    cache_read: count(counts.cacheReadInputTokens, 'cacheReadInputTokens'),
    cache_write_5m: written - hour,
    cache_write_1h: hour,
    output: count(counts.outputTokens, 'outputTokens'),
  })
  return promptTokens(usage) || usage.output ? usage : undefined
}
