/** Moonshot AI: Kimi. https://platform.moonshot.cn/docs/api/chat (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import { objectsOf } from '../formats/json/lenient-json.ts'
import { efforts, nearest } from '../models/effort.ts'
import { type ThinkingTraits, traitsOf } from '../models/traits.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './kit/anthropic-compatible.ts'
import { baseUrlOf, withVersion } from './kit/base-url.ts'
import { each, withErrorType, without, withThinkingOff } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { amountIn, upstreamGet } from './kit/upstream-query.ts'

const BASE_URL = 'https://api.moonshot.cn'
/** The plan for coding has both APIs under one path. https://www.kimi.com/coding/docs/ (read 2026-11) */
const CODING_URL = 'https://api.kimi.com/coding'
const messages = anthropicApi(BASE_URL, '/anthropic', /^kimi-/, { fetches_no_urls: true, rewriteResponse })

export const moonshot = openAiCompatible({
  type: 25,
  label: 'Moonshot',
  base_url: BASE_URL,
  presets: [
    { kind: 'international', base_url: 'https://api.moonshot.ai' },
    { kind: 'coding', base_url: CODING_URL },
  ],
  quirks: { probe: { model: 'moonshot-v1-8k' } },
  apis: { chat: { fetches_no_urls: true, rewriteRequest, rewriteResponse, rewriteEvent } },
  anthropic_api: {
    ...messages,
    url: (config, ...call) =>
      isCoding(config) ? `${withVersion(baseUrlOf(config), '/v1')}/messages` : messages.url(config, ...call),
  },
  balance_currency: 'CNY',
  balance: upstreamGet(
    config => `${withVersion(baseUrlOf(config, BASE_URL), '/v1')}/users/me/balance`,
    body => amountIn(body, 'data.available_balance'),
  ),
})

const isCoding = ({ base_url }: UpstreamConfig) => base_url.startsWith(CODING_URL)

/** Refused: `top_k`, `seed`, a `temperature` while the model thinks, any sampling since K2.5, and `$schema` in the parameters of a tool. */
function rewriteRequest(body: Json): Json {
  const { thinking: traits, refused } = traitsOf(String(body.model), 'moonshot')
  const told = withEffort(body, traits)
  const { thinking } = told
  const thinks = isObject(thinking) ? thinking.type === 'enabled' : traits?.by_default
  return each(without(told, 'top_k', 'seed', ...refused, ...(thinks ? ['temperature'] : [])), 'tools', withoutSchemaUrl)
}

/** Since K3 models have efforts, and always think; before, thinking is turned on or off. */
function withEffort(body: Json, { efforts: accepted, can_stop }: ThinkingTraits = {}): Json {
  const effort = efforts.find(word => word === body.reasoning_effort)
  if (!effort) return body
  if (accepted) return { ...body, reasoning_effort: nearest(effort, accepted) }
  return without(can_stop === false ? body : withThinkingOff(body), 'reasoning_effort')
}

function withoutSchemaUrl(tool: Json): Json {
  const { function: called } = tool
  if (!isObject(called) || !isObject(called.parameters) || !('$schema' in called.parameters)) return tool
  return { ...tool, function: { ...called, parameters: without(called.parameters, '$schema') } }
}

/** An empty balance is a 429, as too many requests are. */
function rewriteResponse(body: Json): Json {
  return withErrorType(body, { exceeded_current_quota_error: 'insufficient_quota' })
}

/** Older models report the usage of a stream inside the last choice. */
function rewriteEvent(event: Json): Json {
  const usage = event.usage ? undefined : objectsOf(event.choices).find(choice => choice.usage)?.usage
  return usage ? { ...event, usage } : rewriteResponse(event)
}
