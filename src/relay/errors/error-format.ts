/** In which format somebody is told what went wrong: that of the clients who come to this address. */
import { anthropicDialect } from '../../formats/anthropic/dialect.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { geminiDialect } from '../../formats/gemini/dialect.ts'
import { openAiChatDialect } from '../../formats/openai-chat/dialect.ts'
import type { Json } from '../../pure/json.ts'

export interface ErrorFormat {
  writeError(failure: ApiError): Json
}

const voices: [RegExp, ErrorFormat][] = [
  [/\/v1\/messages(?:\/|$)/, anthropicDialect],
  [/^\/v1beta\/|\/v1\/models\/.+:\w+(?:Contents?|Tokens)$/, geminiDialect],
]

const forModels = /\/v1\/models(?:\/|$)/

/** Anthropic's clients ask for models where others do, and say in their headers who they are. */
export const isAnthropicClient = ({ headers }: Request): boolean =>
  headers.has('x-api-key') && headers.has('anthropic-version')

export function errorFormatFor(request: Request, path: string): ErrorFormat {
  const voice = voices.find(([address]) => address.test(path))?.[1]
  return voice ?? (forModels.test(path) && isAnthropicClient(request) ? anthropicDialect : openAiChatDialect)
}
