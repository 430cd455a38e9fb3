/** DeepSeek. https://api-docs.deepseek.com/api/create-chat-completion (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import { objectsOf } from '../formats/json/lenient-json.ts'
import { traitsOf } from '../models/traits.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './kit/anthropic-compatible.ts'
import { baseUrlOf, withoutVersion } from './kit/base-url.ts'
import { each, errorBody, withMaxTokens, without, withThinkingOff } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import { withSchemaAsText } from './kit/schema-as-text.ts'
import { amountIn, fieldOf, upstreamGet } from './kit/upstream-query.ts'

const BASE_URL = 'https://api.deepseek.com'

export const deepSeek = openAiCompatible({
  type: 43,
  label: 'DeepSeek',
  base_url: BASE_URL,
  quirks: { probe: { model: 'deepseek-chat' } },
  apis: {
    chat: { rewriteRequest, rewriteResponse: failUnfinished, rewriteEvent: failUnfinished },
    // https://api-docs.deepseek.com/guides/fim_completion (read 2026-11)
    completions: { root: '/beta', rewriteResponse: failUnfinished, rewriteEvent: failUnfinished },
  },
  rewriteError,
  // https://api-docs.deepseek.com/guides/anthropic_api (read 2026-11)
  anthropic_api: anthropicApi(BASE_URL, '/anthropic', /^deepseek-/, { rewriteResponse: rewriteError }),
  balance_currency: 'CNY',
  balance: upstreamGet(config => `${withoutVersion(baseUrlOf(config, BASE_URL))}/user/balance`, readBalance),
})

function rewriteRequest(body: Json): Json {
  return withSchemaAsText(withThoughts(withThinkingOff(withMaxTokens(body))))
}

/**
 * While the model thinks, an assistant message with tool calls must have a `reasoning_content`, even an empty one: since
 * V4 in every turn, before that after the last question alone, and none before it. A model that thinks refuses
 * `logprobs`. https://api-docs.deepseek.com/guides/thinking_mode (read 2026-11)
 */
function withThoughts(body: Json): Json {
  const { messages, model, thinking } = body
  const lastQuestion = objectsOf(messages).findLastIndex(({ role }) => role === 'user')
  const { by_default, replayed } = traitsOf(String(model), 'deepseek').thinking ?? {}
  const thinks = isObject(thinking) ? thinking.type === 'enabled' : by_default
  const accepted = thinks ? without(body, 'logprobs', 'top_logprobs') : body
  return each(accepted, 'messages', (message, index) => {
    if (message.role !== 'assistant') return message
    if (index < lastQuestion && !replayed) return without(message, 'reasoning_content')
    if (!thinks || !message.tool_calls || message.reasoning_content !== undefined) return message
    return { ...message, reasoning_content: '' }
  })
}

const OUT_OF_RESOURCES = 'insufficient_system_resource'

/** A response with this finish reason is cut off and becomes an error. */
function failUnfinished(body: Json): Json {
  const isUnfinished = objectsOf(body.choices).some(({ finish_reason }) => finish_reason === OUT_OF_RESOURCES)
  return isUnfinished ? errorBody('The model ran out of resources', 'overloaded_error', OUT_OF_RESOURCES) : body
}

/** Only the message names an empty balance. https://api-docs.deepseek.com/quick_start/error_codes (read 2026-11) */
function rewriteError(body: Json): Json {
  const { error } = body
  const isEmpty = isObject(error) && error.message === 'Insufficient Balance'
  return isEmpty ? { error: { ...error, type: 'insufficient_quota' } } : body
}

/** One balance per currency; CNY counts when there is one. https://api-docs.deepseek.com/api/get-user-balance (read 2026-11) */
function readBalance(body: unknown): number | undefined {
  const balances = objectsOf(fieldOf(body, 'balance_infos'))
  return amountIn(balances.find(({ currency }) => currency === 'CNY') ?? balances[0], 'total_balance')
}
