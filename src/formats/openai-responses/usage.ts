/**
 * Reads and writes `usage`: the counts of chat completions under other names.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import type { Usage } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { readUsage as readChatUsage } from '../openai-chat/usage.ts'
import type { ResponsesUsage } from './wire.ts'

/** @param service_tier stands beside the report */
export const readUsage = (report: unknown, doubts: string[], service_tier?: unknown): Usage | undefined =>
  isObject(report)
    ? readChatUsage(
        {
          prompt_tokens: report.input_tokens,
          completion_tokens: report.output_tokens,
          prompt_tokens_details: report.input_tokens_details,
          completion_tokens_details: report.output_tokens_details,
        },
        doubts,
        service_tier,
      )
    : undefined

export function writeUsage(usage: Usage): ResponsesUsage {
  const input_tokens = promptTokens(usage)
  const output_tokens = completionTokens(usage)
  const cache_write_tokens = usage.cache_write_5m + usage.cache_write_1h
  return {
    input_tokens,
    input_tokens_details: {
      cached_tokens: usage.cache_read,
      cache_write_tokens: cache_write_tokens || undefined,
      audio_tokens: usage.input_audio || undefined,
      image_tokens: usage.input_image || undefined,
    },
    output_tokens,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.output_audio || undefined,
      image_tokens: usage.output_image || undefined,
    },
    total_tokens: input_tokens + output_tokens,
  }
}
