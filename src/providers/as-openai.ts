/** Chat APIs of other formats, used as if they were OpenAI's: probes are written once. */

import { openAiChat } from '../formats/openai-chat/index.ts'
import { requestOf } from '../formats/translate/passthrough.ts'
import { translatingFormat } from '../formats/translate/translating-format.ts'
import type { Json } from '../pure/json.ts'
import type { UpstreamApi } from './provider.ts'

/** @param body a chat that every format can express. @returns an API for this one request */
export function asOpenAi(api: UpstreamApi, body: Json): UpstreamApi {
  const { dialect: caller } = openAiChat
  const { dialect: upstream } = api.format
  if (!caller || !upstream || caller === upstream) return api
  const request = requestOf(caller, body)
  if (!('messages' in request)) return api
  const format = translatingFormat({ caller, upstream, label: { id: '', created: 0, request } }, api.format)
  return { ...api, format }
}
