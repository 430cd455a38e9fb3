/** Limits the output tokens of an outgoing request. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import { objectOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'

export function limitOutput(body: Json, limit: number): Json {
  const parameter = objectOf(body.parameter)
  const chat = objectOf(parameter.chat)
  return { ...body, parameter: { ...parameter, chat: { ...chat, max_tokens: lowered(chat.max_tokens, limit) } } }
}
