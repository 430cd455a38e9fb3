/**
 * Ollama: OpenAI's and Anthropic's APIs for chats, its own for embeddings.
 * https://github.com/ollama/ollama/blob/main/docs/api.md (read 2026-11)
 */

import type { Json } from '../pure/json.ts'
import { anthropicApi } from './kit/anthropic-compatible.ts'
import { baseUrlOf, withoutVersion } from './kit/base-url.ts'
import { inRequestedEncoding, listOf } from './kit/embeddings.ts'
import { only, withMaxTokens } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import { namesIn, upstreamGet } from './kit/upstream-query.ts'

const BASE_URL = 'http://localhost:11434'

export const ollama = openAiCompatible({
  type: 4,
  label: 'Ollama',
  base_url: BASE_URL,
  key_format: '',
  quirks: { optional_key: true, probe: { model: 'llama3-7b' } },
  apis: {
    chat: { fetches_no_urls: true, rewriteRequest: withMaxTokens },
    completions: {},
    embeddings: {
      root: '/api',
      path: '/embed',
      rewriteRequest: writeEmbeddingRequest,
      rewriteResponse: readEmbeddings,
    },
  },
  anthropic_api: anthropicApi(BASE_URL, '', /./, { fetches_no_urls: true }),
  listModels: upstreamGet(
    config => `${withoutVersion(baseUrlOf(config, BASE_URL))}/api/tags`,
    namesIn('models', 'name'),
  ),
})

const modelOptions = [
  'seed',
  'temperature',
  'top_k',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'num_predict',
  'num_ctx',
]

function writeEmbeddingRequest(body: Json): Json {
  const options = only(body, ...modelOptions)
  return {
    model: body.model,
    input: listOf(body.input),
    ...only(body, 'dimensions', 'truncate', 'keep_alive'),
    ...(Object.keys(options).length && { options }),
  }
}

function readEmbeddings(body: Json, request: Json): Json {
  const { model, embeddings, prompt_eval_count: prompt_tokens } = body
  if (!Array.isArray(embeddings)) return body
  const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = prompt_tokens === undefined ? undefined : { prompt_tokens, total_tokens: prompt_tokens }
  return inRequestedEncoding({ object: 'list', data, model, ...(usage && { usage }) }, request)
}
