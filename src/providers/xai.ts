/** xAI's Grok. */
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { failure, renamed, without } from './json-edits.ts'
import { openAiCompatible, plainly } from './openai.ts'

export const xai = openAiCompatible({
  type: 48,
  label: 'xAI',
  base_url: 'https://api.x.ai',
  key_format: 'xai-…',
  models: modelsOf(48),
  offers: {
    chat: { rewriteRequest, rewriteResponse: withThoughts, rewriteEvent },
    image_generations: { rewriteRequest: fitPicture },
    image_edits: { takes_no_forms: true, rewriteRequest: fitPictures },
    ...plainly('responses', 'completions', 'embeddings'),
  },
  fitError,
})

const mini = /^grok-3-mini/
/** They think, and refuse stop sequences and penalties. */
const thinking = /^grok-(?:3-mini|4)(?!.*non-reasoning)/
/** They refuse to be told how hard to think. */
const refusesEffort = /^grok-4(?:-|$)|-(?:non-)?reasoning$/
const effort = /^(grok-3-mini.*)-(high|medium|low)$/
const SEARCHES = '-search'

/** A model's name may say how hard to think, or that the web is to be searched. */
function rewriteRequest(body: Json): Json {
  const model = String(body.model)
  const [, thinker, reasoning_effort] = effort.exec(model) ?? []
  if (thinker) return rewriteRequest({ reasoning_effort, ...body, model: thinker })
  if (model.endsWith(SEARCHES))
    return rewriteRequest({ search_parameters: { mode: 'on' }, ...body, model: model.slice(0, -SEARCHES.length) })
  const limited = mini.test(model) ? renamed(body, 'max_tokens', 'max_completion_tokens') : body
  const free = thinking.test(model) ? without(limited, 'stop', 'presence_penalty', 'frequency_penalty') : limited
  return refusesEffort.test(model) ? without(free, 'reasoning_effort') : free
}

/** An error is a sentence beside a code; one of them means that nothing is left to spend. */
function fitError(answer: Json): Json {
  const { error, code } = answer
  if (typeof error !== 'string') return answer
  return failure(error, /\bcredits?\b/i.test(error) ? 'insufficient_quota' : '', code)
}

function rewriteEvent(event: Json): Json {
  return withThoughts(fitError(event))
}

/** Thoughts are counted in the total, and missing from `completion_tokens`. */
function withThoughts(body: Json): Json {
  const { usage } = body
  if (!isObject(usage)) return body
  const completion_tokens = Number(usage.total_tokens) - Number(usage.prompt_tokens)
  if (!(completion_tokens > Number(usage.completion_tokens))) return body
  return { ...body, usage: { ...usage, completion_tokens } }
}

/** Each picture is an object that holds its address. */
function fitPictures(body: Json): Json {
  const { image, ...others } = fitPicture(without(renamed(body, 'image[]', 'image'), 'mask'))
  return { ...others, image: Array.isArray(image) ? image.map(asAddress) : asAddress(image) }
}

const asAddress = (url: unknown) => (typeof url === 'string' ? { url, type: 'image_url' } : url)

/** Its pictures have one size and one quality. */
function fitPicture(body: Json): Json {
  return without(body, 'size', 'quality', 'style')
}
