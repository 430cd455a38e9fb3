/** OpenRouter: many providers behind one. */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { baseOf, under } from './base-url.ts'
import { typed } from './json-edits.ts'
import { bearer, openAiCompatible, plainly } from './openai.ts'
import { amountIn, upstreamGet } from './upstream-query.ts'

const HOME = 'https://openrouter.ai/api'

export const openRouter = openAiCompatible({
  type: 20,
  label: 'OpenRouter',
  base_url: HOME,
  key_format: 'sk-or-…',
  models: modelsOf(20),
  knows_developers: true,
  authorize: line => ({ ...bearer(line), 'x-title': 'Tollgate', ...(line.site && { 'http-referer': line.site }) }),
  offers: plainly('chat', 'responses', 'completions', 'embeddings'),
  fitError,
  balance: upstreamGet(line => `${under(baseOf(line, HOME), '/v1')}/credits`, readBalance),
})

/** Its codes are statuses: this one means that nothing is left to spend. */
function fitError(answer: Json): Json {
  return typed(answer, { 402: 'insufficient_quota' })
}

function readBalance(answer: unknown): number | undefined {
  const [bought, used] = [amountIn(answer, 'data.total_credits'), amountIn(answer, 'data.total_usage')]
  return bought === undefined || used === undefined ? undefined : bought - used
}
