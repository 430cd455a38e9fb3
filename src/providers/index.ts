/** Every channel type. Those without `speaks` can be chosen once their format is spoken here. */
import type { Json } from '../codecs/codec.ts'
import models from './models.json'
import { openAiCompatible, verbatim } from './openai.ts'
import type { Line, Operation, Outgoing, Provider } from './provider.ts'

export type { Line, Operation, Outgoing, Provider } from './provider.ts'
export { isAvailable, keysIn } from './provider.ts'

type Announced = Pick<Provider, 'type' | 'label'> & Partial<Provider>

const listed = (type: number): string[] => (models as Record<string, string[]>)[type] ?? []

/** A channel type that is known by name and not spoken yet. */
const announced = (provider: Announced): Provider => ({
  base_url: '',
  key_format: '',
  many_keys: true,
  stream_usage: false,
  authorize: () => ({}),
  speaks: {},
  models: listed(provider.type),
  ...provider,
})

export const providers: readonly Provider[] = [
  openAiCompatible({ type: 1, label: 'OpenAI', base_url: 'https://api.openai.com', models: listed(1) }),
  announced({ type: 2, label: 'Midjourney Proxy', key_format: 'secret' }),
  announced({ type: 3, label: 'Azure OpenAI', models: listed(1) }),
  announced({ type: 4, label: 'Ollama', base_url: 'http://localhost:11434' }),
  announced({ type: 5, label: 'Midjourney Proxy Plus', key_format: 'secret' }),
  verbatim({ type: 8, label: 'Custom', models: listed(1), stream_usage: false }),
  announced({ type: 11, label: 'Google PaLM2', base_url: 'https://generativelanguage.googleapis.com' }),
  announced({ type: 14, label: 'Anthropic Claude', base_url: 'https://api.anthropic.com', key_format: 'sk-ant-…' }),
  announced({
    type: 15,
    label: 'Baidu Wenxin Qianfan',
    base_url: 'https://aip.baidubce.com',
    key_format: 'APIKey|SecretKey',
  }),
  announced({ type: 16, label: 'Zhipu ChatGLM', base_url: 'https://open.bigmodel.cn', key_format: 'id.secret' }),
  announced({ type: 17, label: 'Alibaba Qwen', base_url: 'https://dashscope.aliyuncs.com', key_format: 'sk-…' }),
  announced({
    type: 18,
    label: 'iFlytek Spark',
    base_url: 'wss://spark-api.xf-yun.com',
    key_format: 'APPID|APISecret|APIKey',
  }),
  announced({ type: 19, label: '360', base_url: 'https://api.360.cn' }),
  announced({ type: 20, label: 'OpenRouter', base_url: 'https://openrouter.ai/api', key_format: 'sk-or-…' }),
  announced({ type: 21, label: 'AI Proxy knowledge base', base_url: 'https://api.aiproxy.io', models: listed(1) }),
  announced({
    type: 22,
    label: 'FastGPT knowledge base',
    base_url: 'https://fastgpt.run/api/openapi',
    key_format: 'APIKey-AppId',
    models: listed(1),
  }),
  announced({
    type: 23,
    label: 'Tencent Hunyuan',
    base_url: 'https://hunyuan.tencentcloudapi.com',
    key_format: 'AppId|SecretId|SecretKey',
  }),
  announced({
    type: 24,
    label: 'Google Gemini',
    base_url: 'https://generativelanguage.googleapis.com',
    key_format: 'AIza…',
  }),
  announced({ type: 25, label: 'Moonshot', base_url: 'https://api.moonshot.cn', key_format: 'sk-…' }),
  announced({ type: 26, label: 'Zhipu GLM-4V', base_url: 'https://open.bigmodel.cn', key_format: 'id.secret' }),
  announced({ type: 31, label: 'Lingyi Wanwu', base_url: 'https://api.lingyiwanwu.com' }),
  announced({ type: 33, label: 'AWS Claude', key_format: 'AccessKey|SecretKey|Region' }),
  announced({ type: 34, label: 'Cohere', base_url: 'https://api.cohere.ai' }),
  announced({ type: 35, label: 'MiniMax', base_url: 'https://api.minimax.chat' }),
  announced({ type: 36, label: 'Suno' }),
  announced({ type: 37, label: 'Dify', base_url: 'https://api.dify.ai', key_format: 'app-…' }),
  announced({ type: 38, label: 'Jina', base_url: 'https://api.jina.ai', key_format: 'jina_…' }),
  announced({ type: 39, label: 'Cloudflare', base_url: 'https://api.cloudflare.com' }),
  announced({ type: 40, label: 'SiliconCloud', base_url: 'https://api.siliconflow.cn', key_format: 'sk-…' }),
  announced({
    type: 41,
    label: 'Vertex AI',
    key_format: 'JSON',
    many_keys: false,
    models: [...listed(14), ...listed(24), ...listed(41)],
  }),
  announced({ type: 42, label: 'Mistral', base_url: 'https://api.mistral.ai' }),
  announced({ type: 43, label: 'DeepSeek', base_url: 'https://api.deepseek.com', key_format: 'sk-…' }),
  announced({ type: 44, label: 'MokaAI M3E', base_url: 'https://api.moka.ai' }),
  announced({ type: 45, label: 'Volcengine Ark/Doubao', base_url: 'https://ark.cn-beijing.volces.com' }),
  announced({ type: 46, label: 'Baidu Qianfan V2', base_url: 'https://qianfan.baidubce.com', key_format: 'bce-v3/…' }),
  announced({ type: 47, label: 'Xinference' }),
  announced({ type: 48, label: 'xAI', base_url: 'https://api.x.ai', key_format: 'xai-…' }),
  announced({ type: 49, label: 'GitHub Models', base_url: 'https://models.github.ai', key_format: 'github_pat_…' }),
]

const byType = new Map(providers.map(provider => [provider.type, provider]))

export const providerOf = (type: number): Provider | undefined => byType.get(type)

/** Of a channel, what matters for one request. */
export type Calling = Line & { type: number; system_prompt?: string; param_override?: Json }

/**
 * A request in the provider's own format as it goes out.
 * @param model the upstream's name for it
 * @returns undefined when this provider cannot do that
 */
export function requestFor(channel: Calling, operation: Operation, model: string, body: Json): Outgoing | undefined {
  const provider = providerOf(channel.type)
  const spoken = provider?.speaks[operation]
  if (!provider || !spoken) return undefined
  const { system_prompt = '', param_override } = channel
  const forwarded = spoken.codec.forward(body, { model, stream_usage: provider.stream_usage, system_prompt })
  return {
    url: spoken.url(channel, model),
    headers: { 'content-type': 'application/json', ...provider.authorize(channel) },
    body: JSON.stringify(param_override ? { ...forwarded, ...param_override, stream: forwarded.stream } : forwarded),
  }
}
