/** Zhipu's API v4. https://docs.bigmodel.cn (read 2026-11) */

import type { Json } from '../pure/json.ts'
import { anthropicApi } from './kit/anthropic-compatible.ts'
import { withoutEncoding } from './kit/embeddings.ts'
import {
  renamed,
  withErrorType,
  withFinishReasons,
  withMaxTokens,
  withNamedToolOnly,
  without,
  withThinkingOff,
} from './kit/json-edits.ts'
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { withDocuments } from './kit/rerank.ts'
import { zhipuVideos } from './videos/zhipu.ts'

const BASE_URL = 'https://open.bigmodel.cn'

export const zhipu = openAiCompatible({
  type: 26,
  label: 'Zhipu GLM-4V',
  base_url: BASE_URL,
  key_format: 'id.secret',
  root: '/api/paas/v4',
  presets: [
    { kind: 'coding', base_url: 'https://open.bigmodel.cn/api/coding/paas/v4' },
    { kind: 'international', base_url: 'https://api.z.ai' },
    { kind: 'coding_abroad', base_url: 'https://api.z.ai/api/coding/paas/v4' },
  ],
  quirks: { probe: { model: 'glm-4.5-flash' } },
  apis: {
    chat: { rewriteRequest, rewriteResponse, rewriteEvent },
    embeddings: { rewriteRequest: withoutEncoding },
    rerank: { rewriteResponse: withDocuments },
    ...standardApis('image_generations', 'speech', 'transcriptions'),
  },
  videos: zhipuVideos(BASE_URL),
  rewriteError,
  anthropic_api: anthropicApi(BASE_URL, '/api/anthropic', /^glm-(?:4\.[5-9]|[5-9])/, { rewriteResponse: rewriteError }),
})

const TOP_P_MAX = 0.99

/** `top_p` must be below 1, `temperature` above 0: `do_sample: false` stands for 0. */
function rewriteRequest(body: Json): Json {
  const { temperature, top_p } = body
  // https://docs.bigmodel.cn/cn/guide/capabilities/thinking (read 2026-11)
  const accepted = withAutoChoice(withThinkingOff(withMaxTokens(body)))
  const limited = typeof top_p === 'number' && top_p >= 1 ? { ...accepted, top_p: TOP_P_MAX } : accepted
  return temperature === 0 ? { ...renamed(limited, 'temperature', 'do_sample'), do_sample: false } : limited
}

/** `auto` is the only `tool_choice`: the list of tools expresses the others. */
function withAutoChoice(body: Json): Json {
  const { tool_choice = 'auto' } = body
  if (tool_choice === 'auto') return body
  if (tool_choice === 'none') return without(body, 'tools', 'tool_choice')
  return { ...withNamedToolOnly(body, 'auto'), tool_choice: 'auto' }
}

function rewriteEvent(event: Json): Json {
  return rewriteResponse(rewriteError(event))
}

function rewriteResponse(body: Json): Json {
  return withFinishReasons(body, {
    sensitive: 'content_filter',
    model_context_window_exceeded: 'length',
    network_error: 'stop',
  })
}

/** OpenAI's error type by code. https://docs.z.ai/api-reference/api-code (read 2026-11) */
const errorTypes: Record<string, string> = {
  1113: 'insufficient_quota',
  ...Object.fromEntries([1000, 1001, 1002, 1003, 1004, 1112].map(code => [code, 'authentication_error'])),
}

function rewriteError(body: Json): Json {
  return withErrorType(body, errorTypes)
}
