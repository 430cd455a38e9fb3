/** Ollama: OpenAI's paths for chats, its own for vectors. */
import type { Json } from '../codecs/codec.ts'
import { baseOf } from './address.ts'
import { asAsked, texts } from './embeddings.ts'
import { asking, namesIn } from './inquiry.ts'
import { listed } from './models.ts'
import { openAiCompatible, plain } from './openai.ts'

const HOME = 'http://localhost:11434'

/** What does not concern the words themselves stands among `options`. */
const settings = ['seed', 'temperature', 'top_k', 'top_p', 'frequency_penalty', 'presence_penalty', 'num_ctx']

function fitRequest({ model, input, dimensions, truncate, keep_alive, ...rest }: Json): Json {
  const options = Object.fromEntries(settings.filter(name => name in rest).map(name => [name, rest[name]]))
  return {
    model,
    input: texts(input),
    ...(dimensions !== undefined && { dimensions }),
    ...(truncate !== undefined && { truncate }),
    ...(keep_alive !== undefined && { keep_alive }),
    ...(Object.keys(options).length && { options }),
  }
}

function fitAnswer(answer: Json, asked: Json): Json {
  const { model, embeddings, prompt_eval_count } = answer
  if (!Array.isArray(embeddings)) return answer
  const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage =
    prompt_eval_count === undefined ? undefined : { prompt_tokens: prompt_eval_count, total_tokens: prompt_eval_count }
  return asAsked({ object: 'list', data, model, ...(usage && { usage }) }, asked)
}

export const ollama = openAiCompatible({
  type: 4,
  label: 'Ollama',
  base_url: HOME,
  key_format: '',
  models: listed(4),
  offers: {
    chat: { fetches_nothing: true },
    completions: plain,
    embeddings: { root: '/api', path: '/embed', fitRequest, fitAnswer },
  },
  listModels: asking(line => `${baseOf(line, HOME).replace(/\/v1$/, '')}/api/tags`, namesIn('models', 'name')),
})
