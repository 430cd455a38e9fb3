/** For who speaks one format only: an operation of another format as if it were OpenAI's, for one question. */

import { isChatUpstream } from '../formats/format.ts'
import { openAiChat } from '../formats/openai-chat/index.ts'
import { requestOf } from '../formats/translate/passthrough.ts'
import { translatingFormat } from '../formats/translate/translating-format.ts'
import type { Json } from '../pure/json.ts'
import type { UpstreamApi } from './provider.ts'

/** @param body a chat that every format can say */
export function asOpenAi(spoken: UpstreamApi, body: Json): UpstreamApi {
  const { format: upstream } = spoken
  if (upstream.name === openAiChat.name || !isChatUpstream(upstream)) return spoken
  const request = requestOf(openAiChat, body)
  if (!('messages' in request)) return spoken
  return {
    ...spoken,
    format: translatingFormat({ client: openAiChat, upstream, label: { id: '', created: 0, request } }),
  }
}
