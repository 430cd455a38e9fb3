/** OpenRouter. https://openrouter.ai/docs/api-reference/overview (read 2026-11) */

import type { Json } from '../pure/json.ts'
import { baseUrlOf, withVersion } from './kit/base-url.ts'
import { withErrorType } from './kit/json-edits.ts'
import { bearer, openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { amountIn, upstreamGet } from './kit/upstream-query.ts'
import { openRouterVideos } from './videos/openrouter.ts'

const BASE_URL = 'https://openrouter.ai/api'

export const openRouter = openAiCompatible({
  type: 20,
  label: 'OpenRouter',
  base_url: BASE_URL,
  key_format: 'sk-or-…',
  developer_role: true,
  authorize: config => ({
    ...bearer(config),
    'x-title': 'Tollgate',
    ...(config.site && { 'http-referer': config.site }),
  }),
  apis: standardApis('chat', 'responses', 'completions', 'embeddings'),
  videos: openRouterVideos(BASE_URL),
  rewriteError,
  balance: upstreamGet(config => `${withVersion(baseUrlOf(config, BASE_URL), '/v1')}/credits`, readBalance),
})

/** Error codes are HTTP statuses. https://openrouter.ai/docs/api-reference/errors (read 2026-11) */
function rewriteError(body: Json): Json {
  return withErrorType(body, { 402: 'insufficient_quota' })
}

function readBalance(body: unknown): number | undefined {
  const [bought, used] = [amountIn(body, 'data.total_credits'), amountIn(body, 'data.total_usage')]
  return bought === undefined || used === undefined ? undefined : bought - used
}
