/** Ollama: OpenAI's paths for chats, Anthropic's too where it is new enough, its own for vectors. */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './anthropic-compatible.ts'
import { above, baseOf } from './base-url.ts'
import { asAsked, texts } from './embeddings.ts'
import { only, withOneLimit } from './json-edits.ts'
import { openAiCompatible, plain } from './openai.ts'
import { namesIn, upstreamGet } from './upstream-query.ts'

const HOME = 'http://localhost:11434'

export const ollama = openAiCompatible({
  type: 4,
  label: 'Ollama',
  base_url: HOME,
  key_format: '',
  models: modelsOf(4),
  offers: {
    chat: { fetches_no_urls: true, rewriteRequest: withOneLimit },
    completions: plain,
    embeddings: { root: '/api', path: '/embed', rewriteRequest: fitTexts, rewriteResponse: readVectors },
  },
  anthropic_api: anthropicApi(HOME, '', /./, { fetches_no_urls: true }),
  listModels: upstreamGet(line => `${above(baseOf(line, HOME))}/api/tags`, namesIn('models', 'name')),
})

/** What does not concern the words themselves stands among `options`. */
function fitTexts(body: Json): Json {
  const options = only(
    body,
    'seed',
    'temperature',
    'top_k',
    'top_p',
    'frequency_penalty',
    'presence_penalty',
    'num_predict',
    'num_ctx',
  )
  return {
    model: body.model,
    input: texts(body.input),
    ...only(body, 'dimensions', 'truncate', 'keep_alive'),
    ...(Object.keys(options).length && { options }),
  }
}

function readVectors(answer: Json, asked: Json): Json {
  const { model, embeddings, prompt_eval_count: prompt_tokens } = answer
  if (!Array.isArray(embeddings)) return answer
  const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = prompt_tokens === undefined ? undefined : { prompt_tokens, total_tokens: prompt_tokens }
  return asAsked({ object: 'list', data, model, ...(usage && { usage }) }, asked)
}
