/** MiniMax: OpenAI's chats under another path, forms of its own for the rest. https://platform.minimax.io/docs/api-reference/text-post (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import { entryOf } from '../formats/json/lenient-json.ts'
import { now } from '../process/clock.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './kit/anthropic-compatible.ts'
import { inRequestedEncoding, listOf } from './kit/embeddings.ts'
import { eachChoice, errorBody, only, without } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { hailuoVideos } from './videos/hailuo.ts'

const BASE_URL = 'https://api.minimax.chat'

export const miniMax = openAiCompatible({
  type: 35,
  label: 'MiniMax',
  base_url: BASE_URL,
  key_format: 'eyJ…',
  stream_usage: false,
  presets: [
    { kind: 'mainland', base_url: 'https://api.minimaxi.com' },
    { kind: 'international', base_url: 'https://api.minimax.io' },
  ],
  quirks: { probe: { model: 'MiniMax-M2.5' } },
  apis: {
    chat: { path: '/text/chatcompletion_v2', rewriteResponse: rewriteError, rewriteEvent },
    embeddings: { path: embeddingsPath, rewriteRequest: writeEmbeddingRequest, rewriteResponse: readEmbeddings },
    speech: {
      path: '/t2a_v2',
      rewriteRequest: writeSpeechRequest,
      rewriteResponse: rewriteError,
      unwrapFile: readSpeech,
    },
    image_generations: {
      path: '/image_generation',
      rewriteRequest: writeImageRequest,
      rewriteResponse: readImages,
    },
  },
  videos: hailuoVideos(BASE_URL),
  // https://platform.minimax.io/docs/api-reference/text-chat-anthropic (read 2026-11)
  anthropic_api: anthropicApi(BASE_URL, '/anthropic', /^MiniMax-M\d/, { rewriteResponse: rewriteError }),
  listModels: undefined,
})

/** OpenAI's error type by `status_code`; all others are errors of the server. */
const errorTypes: [RegExp, string][] = [
  [/^(1002|1039|1041|2056)$/, 'rate_limit_error'],
  [/^(1004|2049)$/, 'authentication_error'],
  [/^1008$/, 'insufficient_quota'],
  [/^(1026|1027|1042|2013)$/, 'invalid_request_error'],
]

/** Every response is a 200; `base_resp` at the end of the body says whether it is an error. */
function rewriteError(body: Json): Json {
  const { base_resp } = body
  if (!isObject(base_resp) || !base_resp.status_code) return body
  const code = String(base_resp.status_code)
  const type = errorTypes.find(([pattern]) => pattern.test(code))?.[1] ?? 'server_error'
  return errorBody(base_resp.status_msg, type, code)
}

/** The last event repeats the whole message, which is dropped. */
function rewriteEvent(event: Json): Json {
  const rewritten = rewriteError(event)
  if (rewritten !== event) return rewritten
  const last = eachChoice(event, choice =>
    'message' in choice ? { ...without(choice, 'message'), delta: {} } : choice,
  )
  return last === event ? event : { ...last, object: 'chat.completion.chunk' }
}

/** `other` is the group of the account. */
function embeddingsPath(_model: string, { other }: UpstreamConfig): string {
  return other ? `/embeddings?GroupId=${encodeURIComponent(other)}` : '/embeddings'
}

function writeEmbeddingRequest({ model, input, type = 'db' }: Json): Json {
  return { model, texts: listOf(input), type }
}

function readEmbeddings(body: Json, request: Json): Json {
  const { vectors, total_tokens } = body
  if (!Array.isArray(vectors)) return rewriteError(body)
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: total_tokens, total_tokens }
  return inRequestedEncoding({ object: 'list', data, model: request.model, usage }, request)
}

const mediaTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

const audioFormatOf = ({ response_format }: Json): string =>
  typeof response_format === 'string' && Object.hasOwn(mediaTypes, response_format) ? response_format : 'mp3'

function writeSpeechRequest(body: Json): Json {
  return {
    model: body.model,
    text: body.input,
    voice_setting: { voice_id: body.voice, ...only(body, 'speed') },
    audio_setting: { format: audioFormatOf(body) },
    output_format: 'hex',
  }
}

function readSpeech({ data }: Json, request: Json) {
  if (!isObject(data) || typeof data.audio !== 'string') return undefined
  return { type: mediaTypes[audioFormatOf(request)]!, bytes: Buffer.from(data.audio, 'hex') }
}

const aspectRatios: Record<string, string> = {
  '1024x1024': '1:1',
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
  '1152x864': '4:3',
  '864x1152': '3:4',
  '1344x576': '21:9',
}

function writeImageRequest(body: Json): Json {
  const aspect_ratio = entryOf(aspectRatios, body.size)
  return {
    ...only(body, 'model', 'prompt', 'n'),
    ...(aspect_ratio && { aspect_ratio }),
    response_format: body.response_format === 'b64_json' ? 'base64' : 'url',
    ...only(body, 'aspect_ratio', 'prompt_optimizer', 'aigc_watermark', 'subject_reference', 'seed'),
  }
}

function readImages(body: Json): Json {
  const rewritten = rewriteError(body)
  if (rewritten !== body || !isObject(body.data)) return rewritten
  const { image_urls, image_base64 } = body.data
  const data = Array.isArray(image_urls)
    ? image_urls.map(url => ({ url }))
    : listOf(image_base64 ?? []).map(b64_json => ({ b64_json }))
  return { created: now(), data }
}
