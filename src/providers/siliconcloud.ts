/** SiliconCloud: open models of many makers. */

import { entryOf } from '../formats/json/lenient-json.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { baseOf, under } from './base-url.ts'
import { failure, only, renamed, withOneLimit } from './json-edits.ts'
import { openAiCompatible, plainly } from './openai.ts'
import { amountIn, upstreamGet } from './upstream-query.ts'

const HOME = 'https://api.siliconflow.cn'

export const siliconCloud = openAiCompatible({
  type: 40,
  label: 'SiliconCloud',
  base_url: HOME,
  models: modelsOf(40),
  offers: {
    chat: { rewriteRequest: withOneLimit },
    completions: { rewriteRequest: withAMessage },
    image_generations: { rewriteRequest: fitPicture, rewriteResponse: readPictures },
    rerank: { rewriteResponse: readRanks },
    ...plainly('embeddings', 'speech', 'transcriptions'),
  },
  fitError,
  balance: upstreamGet(
    line => `${under(baseOf(line, HOME), '/v1')}/user/info`,
    answer => amountIn(answer, 'data.totalBalance'),
  ),
})

/** What its numbers mean, where the status does not say it. */
const kinds: Record<string, string> = {
  20012: 'not_found_error',
  30001: 'insufficient_quota',
  50505: 'overloaded_error',
}

/** Errors are a number and a sentence. */
function fitError(answer: Json): Json {
  const { code, message } = answer
  const type = entryOf(kinds, code)
  return type && typeof message === 'string' ? failure(message, type, code) : answer
}

/** Fill-in-the-middle wants `messages` beside it, even an empty one. */
function withAMessage(body: Json): Json {
  return 'suffix' in body || 'prefix' in body ? { messages: [{ role: 'user', content: '' }], ...body } : body
}

function fitPicture(body: Json): Json {
  return renamed(renamed(body, 'size', 'image_size'), 'n', 'batch_size')
}

/** Older models list pictures under another name. */
function readPictures(answer: Json): Json {
  return renamed(answer, 'images', 'data')
}

/** Newer models count on the top of an answer. */
function readRanks(answer: Json): Json {
  return 'meta' in answer ? answer : { ...answer, meta: only(answer, 'tokens') }
}
