/**
 * Reads `usage`. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html (read 2026-11)
 */
import { promptTokens } from '../../billing/usage.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectsOf } from '../json/lenient-json.ts'
import { plausible } from '../json/reported-counts.ts'

/** `inputTokens` excludes cache reads and writes. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  if (!isObject(report)) return undefined
  const count = (value: unknown, name: string) => plausible(value, name, doubts) ?? 0
  const written = count(report.cacheWriteInputTokens, 'cacheWriteInputTokens')
  const details = objectsOf(report.cacheDetails).filter(({ ttl }) => ttl === '1h')
  const hours = details.reduce((sum, { inputTokens }) => sum + count(inputTokens, 'cacheDetails'), 0)
  const hour = Math.min(hours, written)
  const usage = usageOf({
    input: count(report.inputTokens, 'inputTokens'),
    cache_read: count(report.cacheReadInputTokens, 'cacheReadInputTokens'),
    cache_write_5m: written - hour,
    cache_write_1h: hour,
    output: count(report.outputTokens, 'outputTokens'),
  })
  return promptTokens(usage) || usage.output ? usage : undefined
}
