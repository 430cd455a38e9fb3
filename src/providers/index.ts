/** Every channel type. Those without `speaks` can be chosen once their format is spoken here. */
import type { ModelSettings, OutgoingRequest } from '../formats/translate/model-settings.ts'
import { modelsOf } from '../models/models.ts'
import { joinHeaders } from '../pure/headers.ts'
import type { Json } from '../pure/json.ts'
import { anthropic } from './anthropic.ts'
import { ark } from './ark.ts'
import { azure } from './azure.ts'
import { isCloudflare, under } from './base-url.ts'
import { openAiBalance } from './billing.ts'
import { deepSeek } from './deepseek.ts'
import { asNumbers } from './embeddings.ts'
import { fastGpt } from './fastgpt.ts'
import { gemini } from './gemini.ts'
import { gitHub } from './github.ts'
import { withOneLimit } from './json-edits.ts'
import { miniMax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { everything, openAiCompatible, verbatim } from './openai.ts'
import { openRouter } from './openrouter.ts'
import type { EncodedBody, Operation, Provider, UpstreamApi, UpstreamConfig, UpstreamRequest } from './provider.ts'
import { qianfan } from './qianfan.ts'
import { siliconCloud } from './siliconcloud.ts'
import { xai } from './xai.ts'
import { xinference } from './xinference.ts'
import { zhipu } from './zhipu.ts'

export { asOpenAi } from './as-openai.ts'
export { pictureAddresses, withPictures } from './image-urls.ts'
export { pickApi } from './pick-api.ts'
export type {
  EncodedBody,
  Operation,
  Provider,
  UpstreamApi,
  UpstreamConfig,
  UpstreamQuery,
  UpstreamRequest,
} from './provider.ts'
export { isAvailable, keysIn, rewriteBody } from './provider.ts'
export type { ModelSettings }

type PlannedProvider = Pick<Provider, 'type' | 'label'> & Partial<Provider>

/** A channel type that is known by name and not spoken yet. */
const planned = (provider: PlannedProvider): Provider => ({
  base_url: '',
  key_format: '',
  many_keys: true,
  stream_usage: false,
  authorize: () => ({}),
  apis: {},
  models: modelsOf(provider.type),
  ...provider,
})

const OPENAI = 'https://api.openai.com'

export const providers: readonly Provider[] = [
  openAiCompatible({
    type: 1,
    label: 'OpenAI',
    base_url: OPENAI,
    models: modelsOf(1),
    knows_developers: true,
    address: (base, path) => (isCloudflare(base) ? base : under(base, '/v1')) + path,
    offers: everything,
    balance: openAiBalance(OPENAI),
  }),
  planned({ type: 2, label: 'Midjourney Proxy', key_format: 'secret' }),
  azure,
  ollama,
  planned({ type: 5, label: 'Midjourney Proxy Plus', key_format: 'secret' }),
  verbatim({ type: 8, label: 'Custom', models: modelsOf(1), stream_usage: false, balance: openAiBalance('') }),
  planned({ type: 11, label: 'Google PaLM2', base_url: 'https://generativelanguage.googleapis.com' }),
  anthropic,
  planned({
    type: 15,
    label: 'Baidu Wenxin Qianfan',
    base_url: 'https://aip.baidubce.com',
    key_format: 'APIKey|SecretKey',
  }),
  planned({ type: 16, label: 'Zhipu ChatGLM', base_url: 'https://open.bigmodel.cn', key_format: 'id.secret' }),
  planned({ type: 17, label: 'Alibaba Qwen', base_url: 'https://dashscope.aliyuncs.com', key_format: 'sk-…' }),
  planned({
    type: 18,
    label: 'iFlytek Spark',
    base_url: 'wss://spark-api.xf-yun.com',
    key_format: 'APPID|APISecret|APIKey',
  }),
  openAiCompatible({
    type: 19,
    label: '360',
    base_url: 'https://api.360.cn',
    key_format: '',
    models: modelsOf(19),
    stream_usage: false,
    offers: { chat: { rewriteRequest: withOneLimit }, embeddings: { rewriteRequest: asNumbers } },
  }),
  openRouter,
  planned({ type: 21, label: 'AI Proxy knowledge base', base_url: 'https://api.aiproxy.io', models: modelsOf(1) }),
  fastGpt,
  planned({
    type: 23,
    label: 'Tencent Hunyuan',
    base_url: 'https://hunyuan.tencentcloudapi.com',
    key_format: 'AppId|SecretId|SecretKey',
  }),
  gemini,
  moonshot,
  zhipu,
  openAiCompatible({
    type: 31,
    label: 'Lingyi Wanwu',
    base_url: 'https://api.lingyiwanwu.com',
    key_format: '',
    models: modelsOf(31),
    stream_usage: false,
    offers: { chat: { rewriteRequest: withOneLimit } },
  }),
  planned({ type: 33, label: 'AWS Claude', key_format: 'AccessKey|SecretKey|Region' }),
  planned({ type: 34, label: 'Cohere', base_url: 'https://api.cohere.ai' }),
  miniMax,
  planned({ type: 36, label: 'Suno' }),
  planned({ type: 37, label: 'Dify', base_url: 'https://api.dify.ai', key_format: 'app-…' }),
  planned({ type: 38, label: 'Jina', base_url: 'https://api.jina.ai', key_format: 'jina_…' }),
  planned({ type: 39, label: 'Cloudflare', base_url: 'https://api.cloudflare.com' }),
  siliconCloud,
  planned({
    type: 41,
    label: 'Vertex AI',
    key_format: 'JSON',
    many_keys: false,
    models: [...modelsOf(14), ...modelsOf(24), ...modelsOf(41)],
  }),
  mistral,
  deepSeek,
  planned({ type: 44, label: 'MokaAI M3E', base_url: 'https://api.moka.ai' }),
  ark,
  qianfan,
  xinference,
  xai,
  gitHub,
]

const byType = new Map(providers.map(provider => [provider.type, provider]))

export const providerOf = (type: number): Provider | undefined => byType.get(type)

/** Of a channel, what matters for one request. */
export interface UpstreamCall extends UpstreamConfig {
  type: number
  system_prompt?: string
  /** The system prompt stands instead of the caller's own. */
  replace_system?: boolean
  param_override?: Json
  /** What models' names and the operator's settings ask for; absent where nothing is to be put in. */
  settings?: ModelSettings
}

/**
 * A request in the provider's own format as it goes out.
 * @param model the upstream's name for it
 * @param pack puts the body on the wire
 * @returns undefined when this provider cannot do that
 */
export function requestFor(
  channel: UpstreamCall,
  operation: Operation,
  model: string,
  body: Json,
  pack: (body: Json) => EncodedBody = asJson,
): UpstreamRequest | undefined {
  const spoken = providerOf(channel.type)?.apis[operation]
  return spoken && buildRequest(spoken, channel, model, body, pack)
}

/** The same where it is known how it is to be said. */
export function buildRequest(
  spoken: UpstreamApi,
  channel: UpstreamCall,
  model: string,
  body: Json,
  pack: (body: Json) => EncodedBody = asJson,
): UpstreamRequest {
  const provider = providerOf(channel.type)!
  const { system_prompt = '', replace_system, param_override, settings } = channel
  const edit = { model, stream_usage: provider.stream_usage, system_prompt, replace_system }
  const forwarded = spoken.format.forward(body, edit)
  const out: OutgoingRequest = { model, body: forwarded }
  const adapted = (settings && spoken.format.applyModelSettings?.(out, settings)) ?? out
  const line = adapted.version ? { ...channel, version: adapted.version } : channel
  const fitted = spoken.rewriteRequest?.(adapted.body, line) ?? adapted.body
  const packed = pack(param_override ? { ...fitted, ...param_override, stream: fitted.stream } : fitted)
  return {
    url: spoken.url(line, adapted.model, body.stream === true),
    headers: joinHeaders(packed.headers, provider.authorize(channel), spoken.headers, adapted.headers),
    body: packed.body,
  }
}

const jsonHeaders = { 'content-type': 'application/json' }
const asJson = (body: Json): EncodedBody => ({ headers: jsonHeaders, body: JSON.stringify(body) })
