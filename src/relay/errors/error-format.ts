/** In which format somebody is told what went wrong: that of the clients who come to this address. */
import { anthropic } from '../../formats/anthropic/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { gemini } from '../../formats/gemini/index.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import type { Json } from '../../pure/json.ts'

export interface ErrorFormat {
  writeError(failure: ApiError): Json
}

const voices: [RegExp, ErrorFormat][] = [
  [/\/v1\/messages(?:\/|$)/, anthropic],
  [/^\/v1beta\/|\/v1\/models\/.+:\w+(?:Contents?|Tokens)$/, gemini],
]

const forModels = /\/v1\/models(?:\/|$)/

/** Anthropic's clients ask for models where others do, and say in their headers who they are. */
export const isAnthropicClient = ({ headers }: Request): boolean =>
  headers.has('x-api-key') && headers.has('anthropic-version')

export function errorFormatFor(request: Request, path: string): ErrorFormat {
  const voice = voices.find(([address]) => address.test(path))?.[1]
  return voice ?? (forModels.test(path) && isAnthropicClient(request) ? anthropic : openAiChat)
}
