/** The wire formats of errors; a route of the API names one. */
import { anthropic } from '../../formats/anthropic/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { gemini } from '../../formats/gemini/index.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import type { Json } from '../../pure/json.ts'

export interface ErrorFormat {
  writeError(error: ApiError): Json
}

export type ErrorFormatFor = (request: Request) => ErrorFormat

export const openAiErrors: ErrorFormatFor = () => openAiChat
export const anthropicErrors: ErrorFormatFor = () => anthropic
export const geminiErrors: ErrorFormatFor = () => gemini

/** The path is the same at OpenAI and Anthropic. */
export const sharedPathErrors: ErrorFormatFor = ({ headers }) =>
  headers.has('anthropic-version') ? anthropic : openAiChat

/** The paths of model lists are the same for OpenAI's and Anthropic's clients. */
export const modelListErrors: ErrorFormatFor = request => (isAnthropicClient(request) ? anthropic : openAiChat)

export const isAnthropicClient = ({ headers }: Request): boolean =>
  headers.has('x-api-key') && headers.has('anthropic-version')
