/** Chat APIs of other formats, used as if they were OpenAI's: probes are written once. */

import { isChatUpstream } from '../../formats/format.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import { translatingFormat } from '../../formats/translate/translating-format.ts'
import type { Json } from '../../pure/json.ts'
import { type PassedApi, passedApi, type UpstreamApi } from './provider.ts'

/** @param body a chat that every format can express. @returns an API for this one request */
export function asOpenAi(api: UpstreamApi, body: Json): PassedApi {
  const { format: upstream } = api
  if (upstream.name === openAiChat.name || !isChatUpstream(upstream)) return passedApi(api)
  const request = requestOf(openAiChat, body)
  if (!('messages' in request)) return passedApi(api)
  const format = translatingFormat({ client: openAiChat, upstream, label: { id: '', created: 0, request } })
  return { ...api, format }
}
