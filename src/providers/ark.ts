/** Volcengine Ark: Doubao, other makers' models, and bots. https://www.volcengine.com/docs/82379 (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import { objectsOf } from '../formats/json/lenient-json.ts'
import type { Json } from '../pure/json.ts'
import { inRequestedEncoding, listOf } from './kit/embeddings.ts'
import { renamed, withErrorType, without, withThinkingOff } from './kit/json-edits.ts'
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { fieldOf } from './kit/upstream-query.ts'
import { arkVideos } from './videos/ark.ts'

const BASE_URL = 'https://ark.cn-beijing.volces.com'

export const ark = openAiCompatible({
  type: 45,
  label: 'Volcengine Ark/Doubao',
  base_url: BASE_URL,
  key_format: '',
  root: '/api/v3',
  presets: [{ kind: 'coding', base_url: 'https://ark.cn-beijing.volces.com/api/coding/v3' }],
  quirks: { probe: { model: 'Doubao-lite-4k' } },
  apis: {
    chat: {
      path: model => (model.startsWith('bot') ? '/bots/chat/completions' : '/chat/completions'),
      rewriteRequest,
      rewriteResponse: withUsage,
      rewriteEvent,
    },
    image_edits: { path: '/images/generations', takes_no_forms: true, rewriteRequest: rewriteImageEdit },
    embeddings: {
      path: model => (isMultimodal(model) ? '/embeddings/multimodal' : '/embeddings'),
      rewriteRequest: rewriteInput,
      rewriteResponse: readEmbeddings,
    },
    ...standardApis('responses', 'image_generations', 'rerank'),
  },
  videos: arkVideos(BASE_URL),
  rewriteError,
})

/** The two output limits exclude each other. */
function rewriteRequest(body: Json): Json {
  // https://www.volcengine.com/docs/82379/1449737 (read 2026-11)
  const told = withThinkingOff(body)
  return told.max_completion_tokens !== undefined ? without(told, 'max_tokens') : told
}

const isMultimodal = (model: unknown) => String(model).includes('vision')

/** The multimodal API makes one vector of all parts, which have types. */
function rewriteInput(body: Json): Json {
  const parts = listOf(body.input)
  if (!isMultimodal(body.model) || parts.length > 1) return body
  return { ...body, input: parts.map(part => (typeof part === 'string' ? { type: 'text', text: part } : part)) }
}

/** The multimodal API returns an object in place of a list. */
function readEmbeddings(body: Json, request: Json): Json {
  const { data } = body
  const listed = isObject(data) ? { ...body, data: [{ object: 'embedding', index: 0, ...data }] } : body
  return inRequestedEncoding(listed, request)
}

/** `image` is one image or a list; there is no mask. */
function rewriteImageEdit(body: Json): Json {
  return without(renamed(body, 'image[]', 'image'), 'mask')
}

/** An account in arrears is known by its code alone. */
function rewriteError(body: Json): Json {
  return withErrorType(body, { AccountOverdueError: 'insufficient_quota' })
}

function rewriteEvent(event: Json): Json {
  return withUsage(rewriteError(event))
}

/** A bot reports the usage of each of its models, and not always the sum. */
function withUsage(body: Json): Json {
  const parts = objectsOf(fieldOf(body, 'bot_usage.model_usage'))
  if (body.usage || !parts.length) return body
  const sum = (name: string) => parts.reduce((total, part) => total + Number(part[name] ?? 0), 0)
  const [prompt_tokens, completion_tokens] = [sum('prompt_tokens'), sum('completion_tokens')]
  return { ...body, usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } }
}
