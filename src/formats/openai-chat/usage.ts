/**
 * Reads and writes `usage`.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import type { Json } from '../../pure/json.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import type { MeteredFacts, ReportedUsage } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { entryOf, parsedObject } from '../json/lenient-json.ts'
import { plausible, share } from '../json/reported-counts.ts'
import { missingIn, unreported } from '../reported-usage.ts'
import type { OpenAiUsage } from './wire.ts'

/** Reported counts overlap (`prompt_tokens` includes cached and audio tokens); usage buckets do not. */
export function meter({ usage_report: report }: Pick<MeteredFacts, 'usage_report'>): ReportedUsage {
  const doubts: string[] = []
  const count = (value: unknown, name: string) => plausible(value, name, doubts)
  const prompt = count(report?.prompt_tokens, 'prompt_tokens')
  const completion = count(report?.completion_tokens, 'completion_tokens')
  if (!prompt && !completion) return unreported(doubts)

  const input_details = (report?.prompt_tokens_details ?? {}) as Json
  const output_details = (report?.completion_tokens_details ?? {}) as Json
  const input = share(prompt ?? 0, 'prompt', doubts)
  const output = share(completion ?? 0, 'completion', doubts)
  const cached = input_details.cached_tokens ?? report?.prompt_cache_hit_tokens ?? report?.cached_tokens
  const usage = usageOf({
    cache_read: input.take(count(cached, 'cached_tokens'), 'cached_tokens'),
    cache_write_5m: input.take(count(input_details.cache_write_tokens, 'cache_write_tokens'), 'cache_write_tokens'),
    input_audio: input.take(count(input_details.audio_tokens, 'audio_tokens'), 'audio_tokens'),
    input_image: input.take(count(input_details.image_tokens, 'image_tokens'), 'image_tokens'),
    output_audio: output.take(count(output_details.audio_tokens, 'audio_tokens'), 'audio_tokens'),
    output_image: output.take(count(output_details.image_tokens, 'image_tokens'), 'image_tokens'),
    reasoning: Math.min(count(output_details.reasoning_tokens, 'reasoning_tokens') ?? 0, completion ?? 0),
    tools: report ? searchesIn(report, count) : {},
  })
  usage.input = input.rest()
  usage.output = output.rest()
  return { usage, by: 'upstream', doubts, missing: missingIn(prompt, completion) }
}

/** Searches that providers charge apart from tokens. */
function searchesIn(report: Json, count: (value: unknown, name: string) => number | undefined): Usage['tools'] {
  const { num_sources_used, num_search_queries, search_context_size } = report
  // Each source of a live search. https://docs.x.ai/docs/guides/live-search (read 2026-11)
  const live_search = count(num_sources_used, 'num_sources_used')
  if (live_search) return { live_search }
  if (isResearch(report)) {
    const search_query = count(num_search_queries, 'num_search_queries')
    return search_query ? { search_query } : {}
  }
  const fee = hasRequestFee(report) && entryOf(requestFees, search_context_size)
  return fee ? { [fee]: 1 } : {}
}

/** Perplexity charges each request by the depth of its search. https://docs.perplexity.ai/getting-started/pricing (read 2026-11) */
const requestFees: Record<string, string> = {
  low: 'search_request_low',
  medium: 'search_request_medium',
  high: 'search_request_high',
}

/** A deep research is charged by the search, and reads citations. */
const isResearch = ({ cost, citation_tokens }: Json): boolean =>
  Boolean(isObject(cost) ? cost.search_queries_cost : citation_tokens)

const hasRequestFee = ({ cost }: Json): boolean => !isObject(cost) || Boolean(cost.request_cost)

/** @param service_tier stands beside the report. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[], service_tier?: unknown): Usage | undefined {
  if (!isObject(report)) return undefined
  const { usage, by, doubts: own } = meter({ usage_report: report })
  doubts.push(...own)
  if (by !== 'upstream') return undefined
  return typeof service_tier === 'string' ? { ...usage, tariffs: { service_tier } } : usage
}

export function writeUsage(usage: Usage): OpenAiUsage {
  const prompt_tokens = promptTokens(usage)
  const completion_tokens = completionTokens(usage)
  const cache_write_tokens = usage.cache_write_5m + usage.cache_write_1h
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: {
      cached_tokens: usage.cache_read,
      audio_tokens: usage.input_audio,
      cache_write_tokens: cache_write_tokens || undefined,
      image_tokens: usage.input_image || undefined,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.output_audio,
      image_tokens: usage.output_image || undefined,
    },
  }
}

/** The chunk of a stream that has nothing but the usage. https://platform.openai.com/docs/api-reference/chat-streaming (read 2026-11) */
export const usageEvent = {
  isReport(data: string): boolean {
    const { choices, usage } = parsedObject(data)
    return isObject(usage) && !(Array.isArray(choices) && choices.length)
  },
  /** @param first data of the first event, whose other fields are repeated */
  write(first: string, usage: Usage): string {
    const prompt_tokens = promptTokens(usage)
    const completion_tokens = completionTokens(usage)
    const report: OpenAiUsage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
    return `data: ${JSON.stringify({ ...parsedObject(first), choices: [], usage: report })}\n\n`
  },
}

export const LAST_EVENT = 'data: [DONE]\n\n'
