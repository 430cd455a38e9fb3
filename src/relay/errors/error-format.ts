/** In which format somebody is told what went wrong: that of the clients who come to this address. */
import { anthropicDialect } from '../../formats/anthropic/dialect.ts'
import type { Failure } from '../../formats/canonical/chat.ts'
import { geminiDialect } from '../../formats/gemini/dialect.ts'
import { openAiChatDialect } from '../../formats/openai-chat/dialect.ts'
import type { Json } from '../../pure/json.ts'

export interface Voice {
  writeError(failure: Failure): Json
}

const voices: [RegExp, Voice][] = [
  [/\/v1\/messages(?:\/|$)/, anthropicDialect],
  [/^\/v1beta\/|\/v1\/models\/.+:\w+(?:Contents?|Tokens)$/, geminiDialect],
]

const forModels = /\/v1\/models(?:\/|$)/

/** Anthropic's clients ask for models where others do, and say in their headers who they are. */
export const isAnthropics = ({ headers }: Request): boolean =>
  headers.has('x-api-key') && headers.has('anthropic-version')

export function voiceFor(request: Request, path: string): Voice {
  const voice = voices.find(([address]) => address.test(path))?.[1]
  return voice ?? (forModels.test(path) && isAnthropics(request) ? anthropicDialect : openAiChatDialect)
}
