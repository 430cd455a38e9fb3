/**
 * Cloudflare Workers AI: OpenAI's operations, with pictures and recordings at the address of the model.
 * https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/ (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { entryOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { modelsOf } from '../../models/models.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, isCloudflare, modelInPath } from '../kit/base-url.ts'
import { withoutEncoding } from '../kit/embeddings.ts'
import { each, eachMessage, errorBody, withMaxTokens } from '../kit/json-edits.ts'
import { openAiCompatible } from '../kit/openai-compatible.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { fieldOf, namesIn, pagesFrom } from '../kit/upstream-query.ts'
import {
  onlyRecording,
  readCompletion,
  readImage,
  readTranscript,
  runsCompletions,
  unwrapTranscript,
  wrapImage,
  writeCompletionRequest,
  writeImageEdit,
  writeImageRequest,
  writeRecording,
} from './run.ts'

const BASE_URL = 'https://api.cloudflare.com'
const PAGE_MAX = 100

/** Below the account, or below the provider's name at an AI Gateway, whose address names the account itself. */
function rootOf(config: UpstreamConfig): { root: string; isGateway: boolean } {
  const base = baseUrlOf(config, BASE_URL).replace(/\/client\/v4$/, '')
  if (/\/workers-ai$/.test(base)) return { root: base, isGateway: true }
  if (isCloudflare(base)) return { root: `${base}/workers-ai`, isGateway: true }
  return { root: `${base}/client/v4/accounts/${encodeURIComponent(config.other ?? '')}/ai`, isGateway: false }
}

function url(_base: string, path: string, model: string, config: UpstreamConfig): string {
  const { root, isGateway } = rootOf(config)
  if (path !== RUN) return root + path
  return `${root}${isGateway ? '' : RUN}/${modelInPath(model)}`
}

const RUN = '/run'

const declaration = {
  type: 39,
  label: 'Cloudflare',
  base_url: BASE_URL,
  key_format: '',
  quirks: { key_hint: 'cloudflare', other: { meaning: 'account' }, probe: { model: '@cf/meta/llama-3.1-8b-instruct' } },
  models: modelsOf(39),
  presets: [{ kind: 'gateway', base_url: 'https://gateway.ai.cloudflare.com/v1/{account}/{gateway}/workers-ai' }],
  url,
  rewriteError,
  // https://developers.cloudflare.com/api/resources/ai/subresources/models/methods/list/ (read 2026-11)
  *listModels(config: UpstreamConfig) {
    const { root, isGateway } = rootOf(config)
    if (isGateway) return undefined
    let page = 1
    const pageUrl = () => `${root}/models/search?per_page=${PAGE_MAX}&page=${page}`
    return yield* pagesFrom(pageUrl(), namesIn('result', 'name'), body => {
      const isFull = objectsOf(fieldOf(body, 'result')).length >= PAGE_MAX
      page++
      return isFull ? pageUrl() : undefined
    })
  },
} as const

const apis = {
  chat: { path: '/v1/chat/completions', rewriteRequest, rewriteResponse: withTexts, rewriteEvent },
  completions: {
    path: (model: string) => (runsCompletions(model) ? RUN : '/v1/completions'),
    rewriteRequest: (body: Json) => (runsCompletions(body.model) ? writeCompletionRequest(body) : withMaxTokens(body)),
    rewriteResponse: readCompletion,
    rewriteEvent: (event: Json) => readCompletion(rewriteError(event)),
  },
  embeddings: { path: '/v1/embeddings', rewriteRequest: withoutEncoding },
  image_generations: {
    path: RUN,
    rewriteRequest: writeImageRequest,
    wrapFile: wrapImage,
    rewriteResponse: readImage,
  },
  image_edits: {
    path: RUN,
    takes_no_forms: true,
    rewriteRequest: writeImageEdit,
    wrapFile: wrapImage,
    rewriteResponse: readImage,
  },
  transcriptions: {
    path: RUN,
    takes_no_forms: true,
    rewriteRequest: writeRecording,
    onlyFile: onlyRecording,
    rewriteResponse: readTranscript,
    unwrapFile: unwrapTranscript,
  },
}

/** OpenAI's open models alone have the Responses API. https://developers.cloudflare.com/workers-ai/models/gpt-oss-120b/ (read 2026-11) */
const withResponses = openAiCompatible({ ...declaration, apis: { ...apis, responses: { path: '/v1/responses' } } })

export const cloudflare = openAiCompatible({
  ...declaration,
  apis,
  variants: [withResponses],
  variant: ({ model }) => (/\/gpt-oss-/.test(model) ? withResponses : undefined),
})

/** A message without a text is refused: its schema demands one. */
function rewriteRequest(body: Json): Json {
  return each(withMaxTokens(body), 'messages', message =>
    message.content === null || message.content === undefined ? { ...message, content: '' } : message,
  )
}

/** Some models return arguments, and content in JSON mode, as objects. */
function withTexts(body: Json): Json {
  return eachMessage(body, message => {
    const { content } = message
    const called = each(message, 'tool_calls', call =>
      isObject(call.function) && isObject(call.function.arguments)
        ? { ...call, function: { ...call.function, arguments: JSON.stringify(call.function.arguments) } }
        : call,
    )
    return isObject(content) ? { ...called, content: JSON.stringify(content) } : called
  })
}

function rewriteEvent(event: Json): Json {
  return withTexts(rewriteError(event))
}

/** OpenAI's error type by code. https://developers.cloudflare.com/workers-ai/platform/errors/ (read 2026-11) */
const errorTypes: Record<string, string> = {
  10000: 'authentication_error',
  7003: 'not_found_error',
  5004: 'not_found_error',
  5006: 'invalid_request_error',
  5007: 'not_found_error',
  3030: 'invalid_request_error',
  3036: 'rate_limit_error',
  3040: 'rate_limit_error',
}

/** An error is `{ success: false, errors: [{ code, message }] }`, with any status. */
function rewriteError(body: Json): Json {
  const { success, errors } = body
  const [error] = objectsOf(errors)
  if (success === true || (success === undefined && !error)) return body
  const { code, message } = error ?? {}
  return errorBody(
    message ?? 'The upstream reports a failure',
    entryOf(errorTypes, String(code)) ?? 'server_error',
    code,
  )
}
