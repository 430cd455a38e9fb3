/** FastGPT: the key names an application, which answers whatever the model. https://doc.fastgpt.in (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { conversationUser } from './kit/conversation-user.ts'
import { errorBody, without } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'

export const fastGpt = openAiCompatible({
  type: 22,
  label: 'FastGPT knowledge base',
  base_url: 'https://fastgpt.run/api/openapi',
  key_format: 'APIKey-AppId',
  models: modelsOf(1),
  stream_usage: false,
  quirks: { probe: { model: 'gpt-4o-mini' } },
  apis: { chat: { rewriteRequest, rewriteResponse, rewriteEvent } },
  rewriteError,
  listModels: undefined,
})

/** Clients choose the ids of conversations, which one key keeps for all: two callers never share one. */
function rewriteRequest(body: Json, config: UpstreamConfig): Json {
  const own = ['chatId', 'customUid'].filter(name => typeof body[name] === 'string' && body[name])
  if (!own.length) return body
  return { ...body, ...Object.fromEntries(own.map(name => [name, conversationUser(config, body[name])])) }
}

/** A refused key is known by `statusText`, under any HTTP status. */
function rewriteError(body: Json): Json {
  const { statusText, message } = body
  return statusText === 'unAuthApiKey' ? errorBody(message, 'authentication_error', 'invalid_api_key') : body
}

/** Counts of 1 mean that FastGPT counted nothing. */
function rewriteResponse(body: Json): Json {
  const { usage } = body
  if (!isObject(usage)) return body
  const { prompt_tokens, completion_tokens } = usage
  return prompt_tokens === 1 && completion_tokens === 1 ? without(body, 'usage') : body
}

/** Drops the steps of the workflow. A new object makes the relay write the event again, without its name. */
function rewriteEvent(event: Json): Json | undefined {
  if ('choices' in event) return { ...rewriteResponse(event) }
  return 'error' in event || 'message' in event ? { ...rewriteError(event) } : undefined
}
