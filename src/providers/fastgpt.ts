/** FastGPT: an application that was made there answers, whatever model is asked for. */
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { failure, without } from './json-edits.ts'
import { openAiCompatible } from './openai.ts'

export const fastGpt = openAiCompatible({
  type: 22,
  label: 'FastGPT knowledge base',
  base_url: 'https://fastgpt.run/api/openapi',
  key_format: 'APIKey-AppId',
  models: modelsOf(1),
  stream_usage: false,
  offers: { chat: { rewriteResponse, rewriteEvent } },
  fitError,
  listModels: undefined,
})

/** A key that opens nothing has a word of its own, in whatever status it comes. */
function fitError(answer: Json): Json {
  const { statusText, message } = answer
  return statusText === 'unAuthApiKey' ? failure(message, 'authentication_error', 'invalid_api_key') : answer
}

/** Where nothing was counted, every count is 1. */
function rewriteResponse(answer: Json): Json {
  const { usage } = answer
  if (!isObject(usage)) return answer
  const { prompt_tokens, completion_tokens } = usage
  return prompt_tokens === 1 && completion_tokens === 1 ? without(answer, 'usage') : answer
}

/** Of the steps of its flow, only those that answer, or fail, are for callers; they come without their names. */
function rewriteEvent(event: Json): Json | undefined {
  if ('choices' in event) return { ...rewriteResponse(event) }
  return 'error' in event || 'message' in event ? { ...fitError(event) } : undefined
}
