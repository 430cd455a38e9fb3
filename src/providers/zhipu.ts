/** Zhipu's fourth API. Its keys open it as they are. */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './anthropic-compatible.ts'
import { asNumbers } from './embeddings.ts'
import { endings, renamed, typed, withOneLimit, withOneTool, without } from './json-edits.ts'
import { openAiCompatible, plainly } from './openai.ts'
import { withDocuments } from './rerank.ts'

const HOME = 'https://open.bigmodel.cn'

export const zhipu = openAiCompatible({
  type: 26,
  label: 'Zhipu GLM-4V',
  base_url: HOME,
  key_format: 'id.secret',
  models: modelsOf(26),
  root: '/api/paas/v4',
  offers: {
    chat: { rewriteRequest, rewriteResponse: ended, rewriteEvent },
    embeddings: { rewriteRequest: asNumbers },
    rerank: { rewriteResponse: withDocuments },
    ...plainly('image_generations', 'speech', 'transcriptions'),
  },
  fitError,
  anthropic_api: anthropicApi(HOME, '/api/anthropic', /^glm-(?:4\.[5-9]|[5-9])/, { rewriteResponse: fitError }),
})

const TOP_P_MAX = 0.99

/** `top_p` must stay below 1 and `temperature` above 0, in whose place stands that it is not to sample. */
function rewriteRequest(asked: Json): Json {
  const { temperature, top_p } = asked
  const body = withAutoChoice(withOneLimit(asked))
  const fitted = typeof top_p === 'number' && top_p >= 1 ? { ...body, top_p: TOP_P_MAX } : body
  return temperature === 0 ? { ...renamed(fitted, 'temperature', 'do_sample'), do_sample: false } : fitted
}

/** It knows no `tool_choice` but `auto`: the others are said by which tools are offered. */
function withAutoChoice(body: Json): Json {
  const { tool_choice = 'auto' } = body
  if (tool_choice === 'auto') return body
  if (tool_choice === 'none') return without(body, 'tools', 'tool_choice')
  return { ...withOneTool(body, 'auto'), tool_choice: 'auto' }
}

function rewriteEvent(event: Json): Json {
  return ended(fitError(event))
}

const NO_KEY = 'authentication_error'
const NO_MONEY = 'insufficient_quota'

/** Its errors are numbers, whatever the status: of keys, and of accounts that are locked or in arrears. */
function fitError(answer: Json): Json {
  return typed(answer, {
    1000: NO_KEY,
    1001: NO_KEY,
    1002: NO_KEY,
    1003: NO_KEY,
    1004: NO_KEY,
    1112: NO_KEY,
    1113: NO_MONEY,
  })
}

function ended(body: Json): Json {
  return endings(body, { sensitive: 'content_filter', model_context_window_exceeded: 'length', network_error: 'stop' })
}
