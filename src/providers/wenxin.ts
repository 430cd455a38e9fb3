/** Baidu Wenxin v1, ended. https://cloud.baidu.com/doc/WENXINWORKSHOP/index.html (read 2026-11) */
import type { ApiError } from '../formats/canonical/chat.ts'
import { entryOf, objectOf, textOf } from '../formats/json/lenient-json.ts'
import { openAiEmbeddings } from '../formats/openai-embeddings/index.ts'
import { readError } from '../formats/wenxin/api-error.ts'
import { wenxin as chats } from '../formats/wenxin/index.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf } from './kit/base-url.ts'
import { inRequestedEncoding, listOf } from './kit/embeddings.ts'
import type { KeyFlaw } from './kit/key-shape.ts'
import { provider } from './kit/provider.ts'
import type { EarnedToken, SideResponse, Steps } from './kit/steps.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { qianfan } from './qianfan.ts'

const BASE_URL = 'https://aip.baidubce.com'
const INPUTS_MAX = 16

export const wenxin = provider({
  type: 15,
  label: 'Baidu Wenxin Qianfan',
  base_url: BASE_URL,
  key_format: 'APIKey|SecretKey',
  ended: { on: '2026-08-31', successor: qianfan.type },
  // A key of one part is one of the successor.
  quirks: { key_hint: 'wenxin', key_parts: [2, 1], probe: { model: 'ERNIE-Speed-8K' } },
  keyFlaw,
  variant: ({ config }) => (isSuccessors(config.key) ? qianfan : undefined),
  variants: [qianfan],
  credential: { earn, renew_seconds: 3600 },
  apis: {
    chat: { format: chats, url: (config, model) => urlOf(config, `chat/${endpointOf(model)}`) },
    embeddings: {
      format: { ...openAiEmbeddings, readError },
      url: (config, model) => urlOf(config, `embeddings/${endpointOf(model)}`),
      inputs_max: () => INPUTS_MAX,
      rewriteRequest: writeEmbeddingRequest,
      rewriteResponse: readEmbeddings,
    },
  },
})

const isSuccessors = (key: string) => key.startsWith('bce-v3/')

function keyFlaw(key: string): KeyFlaw | undefined {
  return key.includes('|') || isSuccessors(key) ? undefined : 'key_parts'
}

/** The last part of the URL by model; the name in small letters for any other. */
const endpoints: Record<string, string> = {
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-Bot': 'completions',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'ERNIE-Lite-8K-0308': 'ernie-lite-8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

const endpointOf = (model: string) => entryOf(endpoints, model) ?? encodeURIComponent(model.toLowerCase())

function urlOf(config: UpstreamConfig, path: string): string {
  const token = encodeURIComponent(config.token ?? '')
  return `${baseUrlOf(config, BASE_URL)}/rpc/2.0/ai_custom/v1/wenxinworkshop/${path}?access_token=${token}`
}

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5 (read 2026-11) */
function* earn(config: UpstreamConfig): Steps<EarnedToken | ApiError> {
  const [client_id = '', client_secret = ''] = config.key.split('|')
  const query = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const headers = { 'content-type': 'application/json' }
  return earned(yield { url: `${baseUrlOf(config, BASE_URL)}/oauth/2.0/token?${query}`, method: 'POST', headers })
}

function earned({ status, body }: SideResponse): EarnedToken | ApiError {
  const { access_token, expires_in, error, error_description } = objectOf(body)
  const seconds = Number(expires_in)
  const token = textOf(access_token)
  if (token && seconds > 0) return { token, seconds }
  const code = textOf(error)
  const message = textOf(error_description) || 'the token request was not answered with a token'
  return { ...{ type: '', param: null }, status: refusals.has(code) ? 401 : statusOf(status), message, code }
}

/** Errors of OAuth that refuse the key. */
const refusals = new Set(['invalid_client', 'unauthorized_client'])

/** Any other failure may pass, and is not the request's. */
const statusOf = (status: number) => (status === 429 ? 429 : 502)

function writeEmbeddingRequest({ input, user }: Json): Json {
  return { input: listOf(input), ...(user !== undefined && { user_id: user }) }
}

function readEmbeddings(body: Json, request: Json): Json {
  if (!Array.isArray(body.data)) return body
  return inRequestedEncoding({ ...body, object: 'list', model: request.model }, request)
}
