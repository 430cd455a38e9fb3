/** Perplexity: chats that search the web. https://docs.perplexity.ai/api-reference/chat-completions-post (read 2026-11) */
import { isObject } from '../../formats/json/checks.ts'
import { objectOf } from '../../formats/json/lenient-json.ts'
import { type Effort, efforts, nearest } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import { withMaxTokens, without } from '../kit/json-edits.ts'
import { openAiCompatible } from '../kit/openai-compatible.ts'
import { tariffFields } from '../kit/tariff-fields.ts'
import { perplexityAgent } from './agent.ts'
import { readEvent, readWhole } from './answers.ts'
import { withAlternatingRoles } from './messages.ts'

export const perplexity = openAiCompatible({
  type: 27,
  label: 'Perplexity',
  base_url: 'https://api.perplexity.ai',
  key_format: 'pplx-…',
  root: '',
  stream_usage: false,
  quirks: { probe: { model: 'perplexity/sonar' } },
  // Each request searches, and the report names what for; the dearest fee has to have a price.
  tariff_fields: { ...tariffFields, web_search_options: { tool: 'search_request_high' } },
  // The Agent API names models with their maker.
  variant: ({ model }) => (model.includes('/') ? perplexityAgent : undefined),
  variants: [perplexityAgent],
  // Announced to end on 2026-09-27. https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar/overview (read 2026-11)
  apis: { chat: { rewriteRequest, rewriteResponse: readWhole, rewriteEvent: readEvent } },
  listModels: undefined,
})

/** Fields of OpenAI's without a counterpart. */
const unknownFields = [
  ...['user', 'seed', 'logit_bias', 'logprobs', 'top_logprobs', 'parallel_tool_calls', 'modalities', 'verbosity'],
  ...['store', 'metadata', 'prediction', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'],
]

function rewriteRequest(body: Json): Json {
  const known = without(withMaxTokens(body), ...unknownFields, ...(body.n === 1 ? ['n'] : []))
  return withAlternatingRoles(withPricedSearch(withSchema(withEffort(known))))
}

const thinkers = /reasoning|deep-research/
const ownEfforts: readonly Effort[] = ['minimal', 'low', 'medium', 'high']

/** Only models that think know an effort, and they always think. */
function withEffort(body: Json): Json {
  const { reasoning_effort: effort, model } = body
  if (effort === undefined) return body
  if (effort === 'none' || !thinkers.test(String(model))) return without(body, 'reasoning_effort')
  return efforts.includes(effort as Effort)
    ? { ...body, reasoning_effort: nearest(effort as Effort, ownEfforts) }
    : body
}

/** JSON needs a schema. https://docs.perplexity.ai/guides/structured-outputs (read 2026-11) */
function withSchema(body: Json): Json {
  if (objectOf(body.response_format).type !== 'json_object') return body
  return { ...body, response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } }
}

/** A Pro search has a request fee of its own, which no response reports. https://docs.perplexity.ai/getting-started/pricing (read 2026-11) */
function withPricedSearch(body: Json): Json {
  const { web_search_options: search } = body
  return isObject(search) && 'search_type' in search
    ? { ...body, web_search_options: { ...search, search_type: 'fast' } }
    : body
}
