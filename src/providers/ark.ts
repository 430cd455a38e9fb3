/** Volcengine's Ark: Doubao, others' models, and bots that were made there. */
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { asAsked, texts } from './embeddings.ts'
import { objectsIn, renamed, typed, without } from './json-edits.ts'
import { openAiCompatible, plainly } from './openai.ts'
import { fieldOf } from './upstream-query.ts'

export const ark = openAiCompatible({
  type: 45,
  label: 'Volcengine Ark/Doubao',
  base_url: 'https://ark.cn-beijing.volces.com',
  key_format: '',
  models: modelsOf(45),
  root: '/api/v3',
  offers: {
    chat: {
      path: model => (model.startsWith('bot') ? '/bots/chat/completions' : '/chat/completions'),
      rewriteRequest,
      rewriteResponse: withUsage,
      rewriteEvent,
    },
    image_edits: { path: '/images/generations', takes_no_forms: true, rewriteRequest: fitPictures },
    embeddings: {
      path: model => (hasVision(model) ? '/embeddings/multimodal' : '/embeddings'),
      rewriteRequest: fitParts,
      rewriteResponse: readVectors,
    },
    ...plainly('responses', 'image_generations', 'rerank'),
  },
  fitError,
})

/** Of two limits it takes one. */
function rewriteRequest(body: Json): Json {
  return 'max_completion_tokens' in body ? without(body, 'max_tokens') : body
}

const hasVision = (model: unknown) => String(model).includes('vision')

/** A vision model makes one vector of all the parts that it is shown. */
function fitParts(body: Json): Json {
  const parts = texts(body.input)
  if (!hasVision(body.model) || parts.length > 1) return body
  return { ...body, input: parts.map(part => (typeof part === 'string' ? { type: 'text', text: part } : part)) }
}

function readVectors(answer: Json, asked: Json): Json {
  const { data } = answer
  const listed = isObject(data) ? { ...answer, data: [{ object: 'embedding', index: 0, ...data }] } : answer
  return asAsked(listed, asked)
}

/** One picture, or a list of them; nothing hides a part of it. */
function fitPictures(body: Json): Json {
  return without(renamed(body, 'image[]', 'image'), 'mask')
}

/** The one error by which an account in arrears is known. */
function fitError(answer: Json): Json {
  return typed(answer, { AccountOverdueError: 'insufficient_quota' })
}

function rewriteEvent(event: Json): Json {
  return withUsage(fitError(event))
}

/** A bot counts what each of its models used, and not always the sum. */
function withUsage(answer: Json): Json {
  const parts = objectsIn(fieldOf(answer, 'bot_usage.model_usage'))
  if (answer.usage || !parts.length) return answer
  const sum = (name: string) => parts.reduce((total, part) => total + Number(part[name] ?? 0), 0)
  const [prompt_tokens, completion_tokens] = [sum('prompt_tokens'), sum('completion_tokens')]
  return { ...answer, usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } }
}
