/** Token counts of prompts, for clients that ask before a call. They are estimates. */

import type { Json } from '../pure/json.ts'
import { anthropic } from './anthropic/index.ts'
import type { ChatClientFormat } from './format.ts'
import { gemini } from './gemini/index.ts'
import { fieldOf } from './gemini/names.ts'
import { type Flaw, isObject } from './json/checks.ts'

/** Anthropic count_tokens: the body of a message without `max_tokens`. https://docs.anthropic.com/en/api/messages-count-tokens (read 2026-11) */
export const countMessageTokens = (body: Json): Json | Flaw =>
  counted(anthropic, { ...body, max_tokens: 1 }, input_tokens => ({ input_tokens }))

/** Gemini countTokens: the contents, or a whole request that contains them. https://ai.google.dev/api/tokens (read 2026-11) */
export function countContentTokens(body: Json, model: string): Json | Flaw {
  const { value } = fieldOf(body, 'generateContentRequest')
  const inner = isObject(value) ? value : body
  return counted(gemini, { ...inner, model }, totalTokens => ({ totalTokens }))
}

function counted(format: ChatClientFormat, body: Json, write: (tokens: number) => Json): Json | Flaw {
  const request = format.readRequest(body, { model: String(body.model) })
  return 'messages' in request ? write(format.promptTokens(body, () => request)) : request
}
