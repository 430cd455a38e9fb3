/** OpenAI, and whoever speaks its chat format. */
import type { Json } from '../codecs/codec.ts'
import { openAiChat } from '../codecs/openai-chat/index.ts'
import type { Line, Provider } from './provider.ts'

type Declared = Pick<Provider, 'type' | 'label' | 'models'> & Partial<Provider>

/** A provider at OpenAI's paths. */
export const openAiCompatible = (declared: Declared): Provider => ({
  base_url: '',
  key_format: 'sk-…',
  many_keys: true,
  stream_usage: true,
  authorize: bearer,
  speaks: { chat: { codec: openAiChat, url: line => pathUnder(baseOf(line, declared), '/chat/completions') } },
  listModels: { url: line => pathUnder(baseOf(line, declared), '/models'), read: idsIn },
  ...declared,
})

/** A provider whose channels give the whole address, `{model}` in it standing for the model. */
export const verbatim = (declared: Declared): Provider =>
  openAiCompatible({
    speaks: {
      chat: { codec: openAiChat, url: (line, model) => line.base_url.replaceAll('{model}', encodeURI(model)) },
    },
    listModels: { url: line => line.base_url.replace(/\/chat\/completions$/, '/models'), read: idsIn },
    ...declared,
  })

function bearer({ key, openai_organization }: Line): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (openai_organization) headers['openai-organization'] = openai_organization
  return headers
}

const baseOf = (line: Line, declared: Declared) => (line.base_url || declared.base_url || '').replace(/\/+$/, '')

const cloudflareGateway = 'https://gateway.ai.cloudflare.com'

/** Bases that already name a version, and Cloudflare's gateway, want no `/v1`. */
function pathUnder(base: string, path: string): string {
  const named = /\/v\d+[a-z]*$/.test(base) || base.startsWith(cloudflareGateway)
  return named ? base + path : `${base}/v1${path}`
}

const idsIn = (body: Json): string[] =>
  Array.isArray(body.data) ? body.data.map(item => (item as Json | null)?.id).filter(id => typeof id === 'string') : []
