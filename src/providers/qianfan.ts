/** Baidu Qianfan V2. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Fm2vrveyu (read 2026-11) */

import type { Json } from '../pure/json.ts'
import { bearer, openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { withDocuments } from './kit/rerank.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { qianfanVideos } from './videos/qianfan.ts'

const BASE_URL = 'https://qianfan.baidubce.com'

export const qianfan = openAiCompatible({
  type: 46,
  label: 'Baidu Qianfan V2',
  base_url: BASE_URL,
  key_format: 'bce-v3/…|appid',
  keyFlaw: key => (key.startsWith('bce-v3/') ? undefined : 'key_parts'),
  root: '/v2',
  authorize,
  quirks: { probe: { model: 'ernie-4.5-turbo-32k' } },
  apis: {
    chat: { rewriteRequest },
    rerank: { rewriteResponse: withDocuments },
    ...standardApis('embeddings', 'image_generations', 'image_edits'),
  },
  videos: qianfanVideos(BASE_URL),
})

/** The optional second part of a key names an application. */
function authorize(config: UpstreamConfig): Record<string, string> {
  const [key = '', appid] = config.key.split('|')
  return { ...bearer({ ...config, key }), ...(appid && { appid }) }
}

const SEARCH_SUFFIX = '-search'

/** The suffix `-search` of a model's name turns web search on. */
function rewriteRequest(body: Json): Json {
  const model = String(body.model)
  if (!model.endsWith(SEARCH_SUFFIX)) return body
  const web_search = { enable: true, enable_citation: true, enable_trace: true, enable_status: false }
  return { web_search, ...body, model: model.slice(0, -SEARCH_SUFFIX.length) }
}
