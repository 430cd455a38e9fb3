/**
 * Reads `usage`: OpenAI's counts under other names, cumulative in a stream.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import type { GenerationUsage } from './wire.ts'

/** @returns the report as OpenAI writes it; `input_tokens` contains cached, new cached and image tokens */
export function asOpenAiUsage(report: unknown): Json | undefined {
  if (!isObject(report)) return undefined
  const counts = objectOf<GenerationUsage>(report)
  const details = { ...objectOf(counts.input_tokens_details), ...objectOf(counts.prompt_tokens_details) }
  const image_tokens = counts.image_tokens ?? details.image_tokens
  return withCacheWrites({
    prompt_tokens: counts.input_tokens,
    completion_tokens: counts.output_tokens,
    prompt_tokens_details: { ...details, ...(image_tokens !== undefined && { image_tokens }) },
    completion_tokens_details: objectOf(counts.output_tokens_details),
  })
}

/** Tokens that an explicit cache takes in. https://help.aliyun.com/zh/model-studio/context-cache (read 2026-11) */
export function withCacheWrites(usage: Json): Json {
  const { cache_creation_input_tokens: cache_write_tokens, ...details } = objectOf(usage.prompt_tokens_details)
  if (!cache_write_tokens) return usage
  return { ...usage, prompt_tokens_details: { ...details, cache_write_tokens } }
}
