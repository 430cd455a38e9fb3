/** SiliconCloud: open models of many makers. https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions (read 2026-11) */

import { entryOf } from '../formats/json/lenient-json.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf, withVersion } from './kit/base-url.ts'
import { errorBody, only, renamed, withMaxTokens } from './kit/json-edits.ts'
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { amountIn, upstreamGet } from './kit/upstream-query.ts'
import { siliconCloudVideos } from './videos/siliconcloud.ts'

const BASE_URL = 'https://api.siliconflow.cn'

export const siliconCloud = openAiCompatible({
  type: 40,
  label: 'SiliconCloud',
  base_url: BASE_URL,
  quirks: { probe: { model: 'THUDM/glm-4-9b-chat' } },
  apis: {
    chat: { rewriteRequest: withMaxTokens },
    completions: { rewriteRequest: withMessages },
    image_generations: { rewriteRequest: writeImageRequest, rewriteResponse: readImages },
    rerank: { rewriteResponse: readRerank },
    ...standardApis('embeddings', 'speech', 'transcriptions'),
  },
  videos: siliconCloudVideos(BASE_URL),
  rewriteError,
  balance_currency: 'CNY',
  balance: upstreamGet(
    config => `${withVersion(baseUrlOf(config, BASE_URL), '/v1')}/user/info`,
    body => amountIn(body, 'data.totalBalance'),
  ),
})

/** OpenAI's error type by code, for codes that the HTTP status does not explain. */
const errorTypes: Record<string, string> = {
  20012: 'not_found_error',
  30001: 'insufficient_quota',
  50505: 'overloaded_error',
}

/** An error is `{ code, message }`. */
function rewriteError(body: Json): Json {
  const { code, message } = body
  const type = entryOf(errorTypes, code)
  return type && typeof message === 'string' ? errorBody(message, type, code) : body
}

/** Fill-in-the-middle needs `messages`, even an empty one. */
function withMessages(body: Json): Json {
  return 'suffix' in body || 'prefix' in body ? { messages: [{ role: 'user', content: '' }], ...body } : body
}

function writeImageRequest(body: Json): Json {
  return renamed(renamed(body, 'size', 'image_size'), 'n', 'batch_size')
}

/** Older models list their images under `images`. */
function readImages(body: Json): Json {
  return renamed(body, 'images', 'data')
}

/** Newer models report `tokens` outside `meta`. */
function readRerank(body: Json): Json {
  return 'meta' in body ? body : { ...body, meta: only(body, 'tokens') }
}
