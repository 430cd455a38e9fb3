/** The wire formats of errors; a route of the API names one. */
import { anthropic } from '../../formats/anthropic/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { gemini } from '../../formats/gemini/index.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import type { Json } from '../../pure/json.ts'

export interface ErrorFormat {
  writeError(error: ApiError): Json
  /** Status of the response, where that is not the error's own. */
  statusOf?(error: ApiError): number
}

/** Anthropic's status of an upstream without room; its clients know no 503. https://docs.claude.com/en/api/errors (read 2026-11) */
const ANTHROPIC_OVERLOADED = 529

interface Failure {
  api_error: ApiError
  overloaded: boolean
}

/** The HTTP status of an error for clients of a format. */
export const statusFor = (format: ErrorFormat, { api_error, overloaded }: Failure): number =>
  overloaded && format === anthropic ? ANTHROPIC_OVERLOADED : (format.statusOf?.(api_error) ?? api_error.status)

export type ErrorFormatFor = (request: Request) => ErrorFormat

export const openAiErrors: ErrorFormatFor = () => openAiChat
export const anthropicErrors: ErrorFormatFor = () => anthropic
export const geminiErrors: ErrorFormatFor = () => gemini

/** Some paths are the same for OpenAI's and Anthropic's clients. */
export const sharedErrors: ErrorFormatFor = request => (isAnthropicClient(request) ? anthropic : openAiChat)

/** Anthropic's clients send the key in a header of their own, or as all others do. */
export const isAnthropicClient = ({ headers }: Request): boolean => headers.has('anthropic-version')
