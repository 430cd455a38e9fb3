/** MokaAI: embeddings of its M3E models. https://huggingface.co/moka-ai/m3e-base (read 2026-11) */
import type { Json } from '../pure/json.ts'
import { baseUrlOf } from './kit/base-url.ts'
import { listOf, withoutEncoding } from './kit/embeddings.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'

const BASE_URL = 'https://api.moka.ai'

export const moka = openAiCompatible({
  type: 44,
  label: 'MokaAI M3E',
  base_url: BASE_URL,
  key_format: '',
  quirks: { probe: { kind: 'embeddings', model: 'm3e-base' }, other: { meaning: 'api_version' } },
  // Paths have no version, unless the channel names one.
  url: (_, path, __, config) => [baseUrlOf(config, BASE_URL), config.other].filter(Boolean).join('/') + path,
  apis: {
    embeddings: { rewriteRequest: writeEmbeddingRequest },
  },
  listModels: undefined,
})

/** The input is always a list. */
function writeEmbeddingRequest(body: Json): Json {
  return { ...withoutEncoding(body), input: listOf(body.input) }
}
