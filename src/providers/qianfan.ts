/** Baidu's second Qianfan. */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { bearer, openAiCompatible, plainly } from './openai.ts'
import type { UpstreamConfig } from './provider.ts'
import { withDocuments } from './rerank.ts'

export const qianfan = openAiCompatible({
  type: 46,
  label: 'Baidu Qianfan V2',
  base_url: 'https://qianfan.baidubce.com',
  key_format: 'bce-v3/…|appid',
  models: modelsOf(46),
  root: '/v2',
  authorize,
  offers: {
    chat: { rewriteRequest },
    rerank: { rewriteResponse: withDocuments },
    ...plainly('embeddings', 'image_generations', 'image_edits'),
  },
})

/** The second part of a key, where it has one, names an application. */
function authorize(line: UpstreamConfig): Record<string, string> {
  const [key = '', appid] = line.key.split('|')
  return { ...bearer({ ...line, key }), ...(appid && { appid }) }
}

const SEARCHES = '-search'

/** A model's name may ask for the web beside it. */
function rewriteRequest(body: Json): Json {
  const model = String(body.model)
  if (!model.endsWith(SEARCHES)) return body
  const web_search = { enable: true, enable_citation: true, enable_trace: true, enable_status: false }
  return { web_search, ...body, model: model.slice(0, -SEARCHES.length) }
}
