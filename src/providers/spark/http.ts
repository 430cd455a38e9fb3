/**
 * iFlytek Spark over HTTP: for keys of one part, and for calls with tools.
 * https://www.xfyun.cn/doc/spark/HTTP调用文档.html (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { sparkError } from '../../formats/spark/api-error.ts'
import { sparkOverHttp } from '../../formats/spark/index.ts'
import type { Json } from '../../pure/json.ts'
import { eachMessage, errorBody, only, withMaxTokens, without, withSystemRole } from '../kit/json-edits.ts'
import { bearer } from '../kit/openai-compatible.ts'
import { provider } from '../kit/provider.ts'
import { withSchemaAsText } from '../kit/schema-as-text.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { httpUrl, sparkVersionOf, withSystemAsUser } from './versions.ts'

export const sparkHttp = provider({
  type: 18,
  label: 'iFlytek Spark',
  key_format: 'APPID|APISecret|APIKey',
  quirks: { key_parts: [3, 1] },
  authorize,
  apis: {
    chat: { format: sparkOverHttp, url: httpUrl, rewriteRequest, rewriteResponse, rewriteEvent: rewriteResponse },
  },
})

/** A key of three parts authenticates as `APIKey:APISecret`. */
function authorize(config: UpstreamConfig): Record<string, string> {
  const [first = '', api_secret, api_key] = config.key.split('|')
  return bearer({ ...config, key: api_key ? `${api_key}:${api_secret}` : first })
}

const knownFields = [
  ...['model', 'messages', 'user', 'stream', 'temperature', 'top_p', 'top_k', 'max_tokens'],
  ...['presence_penalty', 'frequency_penalty', 'tools', 'tool_choice', 'response_format', 'thinking'],
]

const TEMPERATURE_MIN = 0.01

function rewriteRequest(body: Json, config: UpstreamConfig): Json {
  const { domain, takes_system, http_version } = sparkVersionOf(String(body.model), config)
  const accepted = only(withSchemaAsText(withMaxTokens(withSystemRole(withSearch(body)))), ...knownFields)
  const { messages, temperature, tools } = accepted
  return {
    ...accepted,
    model: domain,
    messages: takes_system ? messages : withSystemAsUser(objectsOf(messages)),
    ...(typeof temperature === 'number' && { temperature: Math.min(Math.max(temperature, TEMPERATURE_MIN), 1) }),
    // Otherwise the calls of a response are one object.
    ...(tools !== undefined && !http_version && { tool_calls_switch: true }),
  }
}

/** Web search is a tool. */
function withSearch(body: Json): Json {
  if (!isObject(body.web_search_options)) return body
  const search = { type: 'web_search', web_search: { enable: true } }
  return { ...without(body, 'web_search_options'), tools: [...objectsOf(body.tools), search] }
}

/** Code, message and `sid` stand beside the fields of every response. */
function rewriteResponse(body: Json): Json {
  const { code, message, sid } = body
  if (code) {
    const error = sparkError(code, message)
    return errorBody(error.message, error.type, error.code)
  }
  if (!('choices' in body)) return body
  return { id: sid, ...eachMessage(without(body, 'code', 'message', 'sid'), withCallList) }
}

function withCallList(message: Json): Json {
  const { tool_calls } = message
  return isObject(tool_calls) ? { ...message, tool_calls: [{ index: 0, ...tool_calls }] } : message
}
