/** For who speaks one format only: an operation of another format as if it were OpenAI's, for one question. */
import type { Json } from '../codecs/json.ts'
import { openAiChat } from '../codecs/openai-chat/index.ts'
import { requestOf } from '../codecs/passing.ts'
import { translating } from '../codecs/translation.ts'
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
