/** Moonshot's Kimi. */
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './anthropic-compatible.ts'
import { baseOf, under } from './base-url.ts'
import { each, objectsIn, typed, without } from './json-edits.ts'
import { openAiCompatible } from './openai.ts'
import { amountIn, upstreamGet } from './upstream-query.ts'

const HOME = 'https://api.moonshot.cn'

export const moonshot = openAiCompatible({
  type: 25,
  label: 'Moonshot',
  base_url: HOME,
  models: modelsOf(25),
  offers: { chat: { fetches_no_urls: true, rewriteRequest, rewriteResponse, rewriteEvent } },
  anthropic_api: anthropicApi(HOME, '/anthropic', /^kimi-/, { fetches_no_urls: true, rewriteResponse }),
  balance: upstreamGet(
    line => `${under(baseOf(line, HOME), '/v1')}/users/me/balance`,
    answer => amountIn(answer, 'data.available_balance'),
  ),
})

/** It refuses `top_k` and `seed`, a temperature while it thinks, and schemas that name their `$schema`. */
function rewriteRequest(body: Json): Json {
  const { model, thinking } = body
  const thinks = isObject(thinking) ? thinking.type === 'enabled' : String(model).includes('thinking')
  return each(without(body, 'top_k', 'seed', ...(thinks ? ['temperature'] : [])), 'tools', withoutSchemaAddress)
}

function withoutSchemaAddress(tool: Json): Json {
  const { function: called } = tool
  if (!isObject(called) || !isObject(called.parameters) || !('$schema' in called.parameters)) return tool
  return { ...tool, function: { ...called, parameters: without(called.parameters, '$schema') } }
}

/** An account that is empty, not a caller who is too fast. */
function rewriteResponse(answer: Json): Json {
  return typed(answer, { exceeded_current_quota_error: 'insufficient_quota' })
}

/** Older models report their usage inside the last choice. */
function rewriteEvent(event: Json): Json {
  const usage = event.usage ? undefined : objectsIn(event.choices).find(choice => choice.usage)?.usage
  return usage ? { ...event, usage } : rewriteResponse(event)
}
