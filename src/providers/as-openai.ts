/** For who speaks one format only: an operation of another format as if it were OpenAI's, for one question. */

import { openAiChat } from '../formats/openai-chat/index.ts'
import { requestOf } from '../formats/translate/passthrough.ts'
import { translating } from '../formats/translate/translating-format.ts'
import type { Json } from '../pure/json.ts'
import type { Spoken } from './provider.ts'

/** @param body a chat that every format can say */
export function inOpenAiWords(spoken: Spoken, body: Json): Spoken {
  const { dialect: caller } = openAiChat
  const { dialect: upstream } = spoken.codec
  if (!caller || !upstream || caller === upstream) return spoken
  const request = requestOf(caller, body)
  if (!('turns' in request)) return spoken
  return { ...spoken, codec: translating({ caller, upstream, label: { id: '', created: 0, request } }, spoken.codec) }
}
