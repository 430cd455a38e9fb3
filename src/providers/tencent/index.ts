/**
 * Tencent Hunyuan, signed with TC3; keys of one part belong to TokenHub, which serves its models now.
 * https://cloud.tencent.com/document/product/1729/101848 (read 2026-11)
 */
import { objectOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import { tencent as format } from '../../formats/tencent/index.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf } from '../kit/base-url.ts'
import { inRequestedEncoding, listOf } from '../kit/embeddings.ts'
import { provider, type UnsignedRequest } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { tc3 } from '../signing/tc3.ts'
import { TOKENHUB_ABROAD_URL, TOKENHUB_URL, tokenHub } from './tokenhub.ts'

const BASE_URL = 'https://hunyuan.tencentcloudapi.com'

export const tencent = provider({
  type: 23,
  label: 'Tencent Hunyuan',
  base_url: BASE_URL,
  key_format: 'AppId|SecretId|SecretKey',
  presets: [
    { kind: 'mainland', base_url: TOKENHUB_URL },
    { kind: 'international', base_url: TOKENHUB_ABROAD_URL },
  ],
  // With one part: a key of TokenHub.
  quirks: { key_hint: 'tencent', key_parts: [3, 1], probe: { model: 'hy3' } },
  keyFlaw: key => (!key.includes('|') || /^\d+\|/.test(key) ? undefined : 'key_parts'),
  sign,
  apis: {
    chat: { format, url, headers: actionHeaders('ChatCompletions') },
    // https://cloud.tencent.com/document/product/1729/102832 (read 2026-11)
    embeddings: {
      format: { ...openAiEmbeddings, readError: format.readError },
      url,
      headers: actionHeaders('GetEmbedding'),
      inputs_max: () => INPUTS_MAX,
      rewriteRequest: writeEmbeddingRequest,
      rewriteResponse: readEmbeddings,
    },
  },
  variants: [tokenHub],
  variant: ({ config }) => (config.key.includes('|') ? undefined : tokenHub),
})

const INPUTS_MAX = 50

function url(config: UpstreamConfig): string {
  return `${baseUrlOf(config, BASE_URL)}/`
}

function actionHeaders(action: string): Record<string, string> {
  return { 'x-tc-action': action, 'x-tc-version': '2023-09-01' }
}

function sign(request: UnsignedRequest, { key, at_ms = 0 }: UpstreamConfig): Record<string, string> {
  const [, secret_id = '', secret_key = ''] = key.split('|')
  return tc3(request, { secret_id, secret_key }, 'hunyuan', at_ms)
}

/** The API has one model. */
function writeEmbeddingRequest({ input }: Json): Json {
  const inputs = listOf(input)
  return inputs.length === 1 ? { Input: inputs[0] } : { InputList: inputs }
}

function readEmbeddings(body: Json, request: Json): Json {
  const { Data, Usage } = objectOf(body.Response)
  if (!Array.isArray(Data)) return body
  const { PromptTokens: prompt_tokens, TotalTokens: total_tokens } = objectOf(Usage)
  const data = objectsOf(Data).map(({ Embedding: embedding, Index: index }) => ({
    object: 'embedding',
    index,
    embedding,
  }))
  const usage = { prompt_tokens, total_tokens }
  return inRequestedEncoding({ object: 'list', data, model: request.model, usage }, request)
}
