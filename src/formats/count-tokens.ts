/** How many tokens a prompt is, for callers who ask before they call: an estimate, as those before a call may be. */

import type { Json } from '../pure/json.ts'
import { anthropicDialect } from './anthropic/dialect.ts'
import type { ChatRequest } from './canonical/chat.ts'
import { estimate } from './estimate.ts'
import { geminiDialect } from './gemini/dialect.ts'
import { fieldOf } from './gemini/names.ts'
import { type Flaw, isObject } from './json/checks.ts'

/** Anthropic's count_tokens: the same body as for a message, but nothing is to be answered. */
export const countMessageTokens = (body: Json): Json | Flaw =>
  counted(anthropicDialect.readRequest({ ...body, max_tokens: 1 }), input_tokens => ({ input_tokens }))

/** Gemini's countTokens: the contents, or a whole request around them. */
export function countContentTokens(body: Json, model: string): Json | Flaw {
  const { value } = fieldOf(body, 'generateContentRequest')
  const inner = isObject(value) ? value : body
  return counted(geminiDialect.readRequest(inner, { model }), totalTokens => ({ totalTokens }))
}

const counted = (request: ChatRequest | Flaw, tell: (tokens: number) => Json): Json | Flaw =>
  'messages' in request ? tell(estimate(request)) : request
