/** xAI: Grok. https://docs.x.ai/docs/api-reference (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import { traitsOf } from '../models/traits.ts'
import type { Json } from '../pure/json.ts'
import { errorBody, renamed, without } from './kit/json-edits.ts'
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { tariffFields } from './kit/tariff-fields.ts'
import { xaiVideos } from './videos/xai.ts'

const BASE_URL = 'https://api.x.ai'

export const xai = openAiCompatible({
  type: 48,
  label: 'xAI',
  base_url: BASE_URL,
  key_format: 'xai-…',
  tariff_fields: { ...tariffFields, search_parameters: { tool: 'live_search' } },
  quirks: { probe: { model: 'grok-4.20-non-reasoning' } },
  apis: {
    // Searches of chats have ended. https://docs.x.ai/docs/guides/live-search (read 2026-11)
    chat: { rewriteRequest, rewriteResponse: withThoughtTokens, rewriteEvent, hosted: () => [] },
    // https://docs.x.ai/docs/guides/tools/overview (read 2026-11)
    responses: { hosted: model => (/^grok-(?:[4-9]|\d\d|build)/.test(model) ? ['web_search', 'code_execution'] : []) },
    image_generations: { rewriteRequest: writeImageRequest },
    image_edits: { takes_no_forms: true, rewriteRequest: writeImageEdit },
    ...standardApis('completions', 'embeddings'),
  },
  videos: xaiVideos(BASE_URL),
  rewriteError,
})

const effortSuffix = /^(grok-3-mini.*)-(high|medium|low)$/
const SEARCH_SUFFIX = '-search'

/** Suffixes of a model's name set an effort, or turn web search on. */
function rewriteRequest(body: Json): Json {
  const name = String(body.model)
  const [, model, reasoning_effort] = effortSuffix.exec(name) ?? []
  if (model) return rewriteRequest({ reasoning_effort, ...body, model })
  if (name.endsWith(SEARCH_SUFFIX))
    return rewriteRequest({ search_parameters: { mode: 'on' }, ...body, model: name.slice(0, -SEARCH_SUFFIX.length) })
  return withinTraits(body, name)
}

/** https://docs.x.ai/docs/guides/reasoning (read 2026-11) */
function withinTraits(body: Json, model: string): Json {
  const { limit, refused, thinking } = traitsOf(model, 'xai')
  const limited = limit === 'max_tokens' ? body : renamed(body, 'max_tokens', limit)
  return without(limited, ...refused, ...(thinking?.efforts ? [] : ['reasoning_effort']))
}

/** An error is `{ code, error }` with a text for `error`; only the text shows that no credits are left. */
function rewriteError(body: Json): Json {
  const { error, code } = body
  if (typeof error !== 'string') return body
  return errorBody(error, /\bcredits?\b/i.test(error) ? 'insufficient_quota' : '', code)
}

function rewriteEvent(event: Json): Json {
  return withThoughtTokens(rewriteError(event))
}

/** `completion_tokens` leaves out the thoughts, which `total_tokens` contains. */
function withThoughtTokens(body: Json): Json {
  const { usage } = body
  if (!isObject(usage)) return body
  const completion_tokens = Number(usage.total_tokens) - Number(usage.prompt_tokens)
  if (!(completion_tokens > Number(usage.completion_tokens))) return body
  return { ...body, usage: { ...usage, completion_tokens } }
}

/** Every image is an object with a URL; there is no mask. */
function writeImageEdit(body: Json): Json {
  const { image, ...others } = writeImageRequest(without(renamed(body, 'image[]', 'image'), 'mask'))
  return { ...others, image: Array.isArray(image) ? image.map(withUrl) : withUrl(image) }
}

const withUrl = (url: unknown) => (typeof url === 'string' ? { url, type: 'image_url' } : url)

/** Size, quality and style are refused. */
function writeImageRequest(body: Json): Json {
  return without(body, 'size', 'quality', 'style')
}
