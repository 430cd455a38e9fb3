/**
 * Perplexity's Agent API, which speaks OpenAI's Responses: models named with their maker, searches as a tool.
 * https://docs.perplexity.ai/docs/agent-api/openai-compatibility (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { writeAnnotation } from '../../formats/openai-responses/citations.ts'
import { openAiResponses } from '../../formats/openai-responses/index.ts'
import { citationsIn, resultsIn } from '../../formats/openai-responses/search-results.ts'
import { type Effort, efforts, nearest } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, withVersion } from '../kit/base-url.ts'
import { each, only, renamed, without } from '../kit/json-edits.ts'
import { bearer } from '../kit/openai-compatible.ts'
import { provider } from '../kit/provider.ts'

const BASE_URL = 'https://api.perplexity.ai'

const responses = {
  format: openAiResponses,
  url: (config: { base_url: string; key: string }) => `${withVersion(baseUrlOf(config, BASE_URL), '/v1')}/responses`,
  rewriteRequest,
  rewriteResponse: readAgentResponse,
  rewriteEvent: (event: Json): Json =>
    isObject(event.response) ? { ...event, response: readAgentResponse(event.response) } : event,
}

export const perplexityAgent = provider({
  type: 27,
  label: 'Perplexity',
  base_url: BASE_URL,
  authorize: bearer,
  apis: { chat: responses, responses },
})

/** Fields of OpenAI's without a counterpart. */
const unknownFields = [
  ...['include', 'truncation', 'user', 'top_logprobs', 'prompt_cache_key', 'prompt_cache_retention', 'text'],
  ...['safety_identifier', 'stream_options', 'max_tool_calls', 'conversation', 'context_management', 'prompt'],
]

function rewriteRequest(body: Json): Json {
  const format = objectOf(objectOf(body.text).format)
  const { reasoning, ...others } = without(each(body, 'tools', withOwnSearch), ...unknownFields)
  return { ...others, ...writeEffort(reasoning), ...(format.type === 'json_schema' && writeSchema(format)) }
}

const ownEfforts: readonly Effort[] = ['low', 'medium', 'high']

function writeEffort(reasoning: unknown): Json {
  const { effort } = objectOf(reasoning)
  if (effort === 'none' || !efforts.includes(effort as Effort)) return {}
  return { reasoning: { effort: nearest(effort as Effort, ownEfforts) } }
}

const writeSchema = (format: Json): Json => ({
  response_format: { type: 'json_schema', json_schema: only(format, 'name', 'schema', 'strict', 'description') },
})

/** https://docs.perplexity.ai/docs/agent-api/tools/web-search (read 2026-11) */
function withOwnSearch(tool: Json): Json {
  if (!textOf(tool.type).startsWith('web_search')) return tool
  const { filters, user_location, ...others } = tool
  return {
    ...others,
    type: 'web_search',
    ...(isObject(filters) && { filters: renamed(filters, 'allowed_domains', 'search_domain_filter') }),
    ...(isObject(user_location) && { user_location: without(user_location, 'type') }),
  }
}

/** A whole response, or that of an event. */
function readAgentResponse(body: Json): Json {
  const results = objectsOf(body.output).flatMap(resultsIn)
  const cited = each(body, 'output', item =>
    item.type === 'message' ? each(item, 'content', part => withAnnotations(part, results)) : item,
  )
  return isObject(body.usage) ? { ...cited, usage: withCacheCounts(body.usage) } : cited
}

function withAnnotations(part: Json, results: Json[]): Json {
  const citations = citationsIn(part, results)
  return citations.length
    ? { ...part, annotations: citations.map(one => writeAnnotation(one, textOf(part.text))) }
    : part
}

function withCacheCounts(usage: Json): Json {
  const { cache_read_input_tokens, cache_creation_input_tokens, ...others } = objectOf(usage.input_tokens_details)
  if (cache_read_input_tokens === undefined && cache_creation_input_tokens === undefined) return usage
  const counts = { cached_tokens: cache_read_input_tokens, cache_write_tokens: cache_creation_input_tokens }
  return { ...usage, input_tokens_details: { ...counts, ...others } }
}
