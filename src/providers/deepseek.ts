/** DeepSeek: strict about thoughts, which come back to it where it still needs them and nowhere else. */
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './anthropic-compatible.ts'
import { above, baseOf } from './base-url.ts'
import { each, failure, objectsIn, withOneLimit, without } from './json-edits.ts'
import { openAiCompatible } from './openai.ts'
import { amountIn, fieldOf, upstreamGet } from './upstream-query.ts'

const HOME = 'https://api.deepseek.com'

export const deepSeek = openAiCompatible({
  type: 43,
  label: 'DeepSeek',
  base_url: HOME,
  models: modelsOf(43),
  offers: {
    chat: { rewriteRequest, rewriteResponse: finished, rewriteEvent: finished },
    completions: { root: '/beta', rewriteResponse: finished, rewriteEvent: finished },
  },
  fitError,
  anthropic_api: anthropicApi(HOME, '/anthropic', /^deepseek-/, { rewriteResponse: fitError }),
  balance: upstreamGet(line => `${above(baseOf(line, HOME))}/user/balance`, readBalance),
})

function rewriteRequest(body: Json): Json {
  return withSchemaInWords(withThoughts(withOneLimit(body)))
}

/**
 * Thoughts from before the last question are refused; after it, a message that calls tools must have them, even empty
 * ones. Models that think refuse `logprobs`.
 */
function withThoughts(body: Json): Json {
  const { messages, model, thinking } = body
  const since = objectsIn(messages).findLastIndex(({ role }) => role === 'user')
  const thinks = String(model).includes('reasoner') || (isObject(thinking) && thinking.type === 'enabled')
  const free = thinks ? without(body, 'logprobs', 'top_logprobs') : body
  return each(free, 'messages', (message, at) => {
    if (message.role !== 'assistant') return message
    if (at < since) return without(message, 'reasoning_content')
    if (!thinks || !message.tool_calls || 'reasoning_content' in message) return message
    return { ...message, reasoning_content: '' }
  })
}

/** It writes JSON and takes no schema: the schema is told in words. */
function withSchemaInWords(body: Json): Json {
  const { response_format, messages } = body
  if (!isObject(response_format) || response_format.type !== 'json_schema' || !Array.isArray(messages)) return body
  const schema = JSON.stringify(fieldOf(response_format, 'json_schema.schema') ?? {})
  const content = `Answer in JSON that conforms to this JSON schema:\n${schema}`
  return { ...body, response_format: { type: 'json_object' }, messages: [{ role: 'system', content }, ...messages] }
}

const GAVE_UP = 'insufficient_system_resource'

/** An answer that ends so was not finished. */
function finished(answer: Json): Json {
  const gaveUp = objectsIn(answer.choices).some(({ finish_reason }) => finish_reason === GAVE_UP)
  return gaveUp ? failure('The model ran out of resources', 'overloaded_error', GAVE_UP) : answer
}

/** That an account is empty is told by the message alone. */
function fitError(answer: Json): Json {
  const { error } = answer
  const isEmpty = isObject(error) && error.message === 'Insufficient Balance'
  return isEmpty ? { error: { ...error, type: 'insufficient_quota' } } : answer
}

/** There is a purse for each currency; where one holds its own country's, that one counts. */
function readBalance(answer: unknown): number | undefined {
  const purses = objectsIn(fieldOf(answer, 'balance_infos'))
  return amountIn(purses.find(({ currency }) => currency === 'CNY') ?? purses[0], 'total_balance')
}
