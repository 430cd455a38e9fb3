/** Alibaba's DashScope: Qwen and other makers' models. https://help.aliyun.com/zh/model-studio/ (read 2026-11) */
import { withErrorType } from '../../formats/ali/api-error.ts'
import { ali as generation } from '../../formats/ali/index.ts'
import { withCacheWrites } from '../../formats/ali/usage.ts'
import { anthropic } from '../../formats/anthropic/index.ts'
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { type Effort, efforts, isOff, type Reasoning } from '../../models/effort.ts'
import {
  hasStreamsAlone,
  isMultimodal,
  qwenTemperature,
  qwenThinking,
  qwenTopP,
  searchesWeb,
  thinksInStreamsAlone,
} from '../../models/qwen.ts'
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { ANTHROPIC_VERSION } from '../kit/anthropic-headers.ts'
import { each, eachMessage, withMaxTokens, without } from '../kit/json-edits.ts'
import { bearer, openAiCompatible } from '../kit/openai-compatible.ts'
import { type ApiChoice, type ApiHeaders, type Provider, provider } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { aliVideos } from '../videos/ali.ts'
import { speech, transcriptions } from './audio.ts'
import { ALI_BASE_URL, aliCompatibleRoot, aliPresets, aliRoot } from './hosts.ts'
import { imageEdits, imageGenerations } from './images.ts'
import { aliUrl } from './jobs.ts'
import { embeddings, isNative, nativeEmbeddings, rerank } from './lists.ts'

const declared = {
  type: 17,
  label: 'Alibaba Qwen',
  base_url: ALI_BASE_URL,
  key_format: 'sk-…',
  quirks: {
    settings: ['workspace'],
    other: { meaning: 'plugin', example: '{"pdf_extracter":{}}' },
    probe: { model: 'qwen-flash' },
    // An account in arrears is a 400.
    retries_400: true,
  },
  authorize,
  rewriteError: withErrorType,
  /** Paths of the native API begin with `/api`; others stand below compatible mode. */
  url: (base: string, path: string) => (path.startsWith('/api/') ? aliRoot(base) : aliCompatibleRoot(base)) + path,
} as const

/** A workspace beside the default one of the account. */
function authorize(config: UpstreamConfig): Record<string, string> {
  const workspace = textOf(config.setting?.workspace)
  return { ...bearer(config), ...(workspace && { 'x-dashscope-workspace': workspace }) }
}

/** https://help.aliyun.com/zh/model-studio/compatibility-with-openai-responses-api (read 2026-11) */
const responses = openAiCompatible({
  ...declared,
  apis: { responses: { path: '/api/v2/apps/protocols/compatible-mode/v1/responses', rewriteRequest: withSampling } },
  listModels: undefined,
})
const hasResponses = /^qwen(?:3-max|-plus|-flash|3-coder-(?:plus|flash)|3\.[5-9]|[4-9])/

/** Fields that compatible mode does not know. */
const embeddingsByFields = openAiCompatible({
  ...declared,
  apis: { embeddings: nativeEmbeddings },
  listModels: undefined,
})

/** Searches of the web and plugins exist in the native generation. */
const native = provider({
  ...declared,
  authorize: config => ({ ...authorize(config), ...pluginIn(config) }),
  apis: {
    chat: {
      format: generation,
      url: (config, model) => aliUrl(config, `/api/v1/services/aigc/${serviceOf(model)}/generation`),
      headers: (_, streamed): ApiHeaders => (streamed ? { 'x-dashscope-sse': 'enable' } : {}),
      streams_only: streamsOnly,
    },
  },
})

const serviceOf = (model: string) => (isMultimodal(model) ? 'multimodal-generation' : 'text-generation')

/** A header holds ASCII alone: other letters are escaped. */
function pluginIn({ other = '' }: UpstreamConfig): Record<string, string> {
  const plugin = parsedOrUndefined(other)
  if (!isObject(plugin)) return {}
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { 'x-dashscope-plugin': JSON.stringify(plugin).replace(/[^\x20-\x7e]/g, escaped) }
}

function variant({ operation, model, config, body }: ApiChoice): Provider | undefined {
  const isChat = operation === 'chat' || operation === 'responses'
  if (isChat && (searchesWeb(model) || config.other)) return native
  if (operation === 'responses' && hasResponses.test(model)) return responses
  return operation === 'embeddings' && isNative(body) ? embeddingsByFields : undefined
}

export const ali = openAiCompatible({
  ...declared,
  presets: aliPresets,
  apis: {
    chat: { rewriteRequest, rewriteResponse: withUsage, rewriteEvent, streams_only: streamsOnly },
    completions: { rewriteRequest: withMaxTokens, rewriteEvent: withErrorType },
    embeddings,
    rerank,
    image_generations: imageGenerations,
    image_edits: imageEdits,
    speech,
    transcriptions,
  },
  videos: aliVideos,
  // https://help.aliyun.com/zh/model-studio/anthropic-api-messages (read 2026-11)
  anthropic_api: {
    format: anthropic,
    models: /^qwen(?:-(?:max|plus|flash|turbo|vl-(?:max|plus))|3-(?:max|coder|vl-(?:plus|flash))|3\.[5-9]-|[4-9])/,
    url: config => aliUrl(config, '/apps/anthropic/v1/messages'),
    headers: { 'anthropic-version': ANTHROPIC_VERSION },
    rewriteResponse: withErrorType,
    rewriteEvent: withErrorType,
  },
  variant,
  variants: [responses, native, embeddingsByFields],
})

/** @param request of a client of any format */
function streamsOnly(model: string, request: Json): boolean {
  return hasStreamsAlone(model) || (thinksInStreamsAlone(model) && wantsThoughts(request))
}

function wantsThoughts({ enable_thinking, reasoning_effort, reasoning, thinking, generationConfig }: Json): boolean {
  const { thinkingBudget, includeThoughts } = objectOf(objectOf(generationConfig).thinkingConfig)
  const wish = reasoningIn({ reasoning_effort: reasoning_effort ?? objectOf(reasoning).effort })
  return (
    enable_thinking === true ||
    (wish !== undefined && !isOff(wish)) ||
    objectOf(thinking).type === 'enabled' ||
    includeThoughts === true ||
    (thinkingBudget !== undefined && thinkingBudget !== 0)
  )
}

function reasoningIn({ reasoning_effort }: Json): Reasoning | undefined {
  const effort = efforts.find((word): word is Effort => word === reasoning_effort)
  return effort && { effort }
}

function rewriteRequest(body: Json): Json {
  return withPrefix(withJsonWord(withToolChoice(withThinking(withSampling(withMaxTokens(body))))))
}

/** What is not set stays unset. */
function withSampling(body: Json): Json {
  const { top_p, temperature } = body
  return {
    ...body,
    ...(typeof top_p === 'number' && { top_p: qwenTopP(top_p) }),
    ...(typeof temperature === 'number' && { temperature: qwenTemperature(temperature) }),
  }
}

/** Fields of thinking in place of an effort. Models that think in streams alone must be kept from it elsewhere. */
function withThinking(body: Json): Json {
  const model = String(body.model)
  const rest = without(body, 'reasoning_effort')
  if (thinksInStreamsAlone(model) && body.stream !== true)
    return { ...without(rest, 'thinking_budget'), enable_thinking: false }
  return { ...qwenThinking(model, reasoningIn(body)), ...rest }
}

/** There is no `required`: an only tool is named, of several the model chooses. */
function withToolChoice(body: Json): Json {
  const [tool, ...others] = objectsOf(body.tools)
  if (body.tool_choice !== 'required' || !tool) return body
  const { name } = objectOf(tool.function)
  return { ...body, tool_choice: others.length ? 'auto' : { type: 'function', function: { name } } }
}

/** JSON mode requires the word in the prompt. */
function withJsonWord(body: Json): Json {
  const { response_format, messages } = body
  if (objectOf(response_format).type !== 'json_object') return body
  const contents = objectsOf(messages).map(({ content }) => content)
  if (/json/i.test(JSON.stringify(contents))) return body
  return { ...body, messages: [{ role: 'system', content: 'Answer in JSON.' }, ...objectsOf(messages)] }
}

/** An assistant message at the end is continued. https://help.aliyun.com/zh/model-studio/partial-mode (read 2026-11) */
function withPrefix(body: Json): Json {
  const last = objectsOf(body.messages).length - 1
  return each(body, 'messages', (message, index) =>
    index === last && message.role === 'assistant' && !message.tool_calls ? { partial: true, ...message } : message,
  )
}

function rewriteEvent(event: Json): Json {
  const named = eachMessage(event, delta => each(delta, 'tool_calls', withoutEmptyNames))
  return withUsage(withErrorType(named))
}

/** The first fragment of a tool call names it, later ones repeat its id and name as empty texts. */
function withoutEmptyNames(call: Json): Json {
  const fragment = call.id ? call : without(call, 'id')
  const { function: called } = fragment
  return isObject(called) && !called.name ? { ...fragment, function: without(called, 'name') } : fragment
}

function withUsage(body: Json): Json {
  if (!isObject(body.usage)) return body
  const usage = withCacheWrites(body.usage)
  return usage === body.usage ? body : { ...body, usage }
}
