/** The wire formats of errors; a route of the API names one. */
import { anthropicDialect } from '../../formats/anthropic/dialect.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { geminiDialect } from '../../formats/gemini/dialect.ts'
import { openAiChatDialect } from '../../formats/openai-chat/dialect.ts'
import type { Json } from '../../pure/json.ts'

export interface ErrorFormat {
  writeError(error: ApiError): Json
}

export type ErrorFormatFor = (request: Request) => ErrorFormat

export const openAiErrors: ErrorFormatFor = () => openAiChatDialect
export const anthropicErrors: ErrorFormatFor = () => anthropicDialect
export const geminiErrors: ErrorFormatFor = () => geminiDialect

/** The paths of model lists are the same for OpenAI's and Anthropic's clients. */
export const modelListErrors: ErrorFormatFor = request =>
  isAnthropicClient(request) ? anthropicDialect : openAiChatDialect

export const isAnthropicClient = ({ headers }: Request): boolean =>
  headers.has('x-api-key') && headers.has('anthropic-version')
