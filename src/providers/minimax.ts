/** MiniMax: OpenAI's chats at a path of its own, and its own manner for everything else. */
import { isObject } from '../formats/json/checks.ts'
import { entryOf } from '../formats/json/lenient-json.ts'
import { modelsOf } from '../models/models.ts'
import { now } from '../process/clock.ts'
import type { Json } from '../pure/json.ts'
import { anthropicApi } from './anthropic-compatible.ts'
import { asAsked, texts } from './embeddings.ts'
import { eachChoice, failure, only, without } from './json-edits.ts'
import { openAiCompatible } from './openai.ts'
import type { UpstreamConfig } from './provider.ts'

const HOME = 'https://api.minimax.chat'

export const miniMax = openAiCompatible({
  type: 35,
  label: 'MiniMax',
  base_url: HOME,
  key_format: 'eyJ…',
  models: modelsOf(35),
  stream_usage: false,
  offers: {
    chat: { path: '/text/chatcompletion_v2', rewriteResponse, rewriteEvent },
    embeddings: { path: vectorsPath, rewriteRequest: fitTexts, rewriteResponse: readVectors },
    speech: { path: '/t2a_v2', rewriteRequest: fitSpeech, rewriteResponse, unwrapFile: readSpeech },
    image_generations: { path: '/image_generation', rewriteRequest: fitPicture, rewriteResponse: readPictures },
  },
  anthropic_api: anthropicApi(HOME, '/anthropic', /^MiniMax-M\d/, { rewriteResponse }),
  listModels: undefined,
})

/** What its error codes mean; all others are failures of its server. */
const kinds: [RegExp, string][] = [
  [/^(1002|1039|1041|2056)$/, 'rate_limit_error'],
  [/^(1004|2049)$/, 'authentication_error'],
  [/^1008$/, 'insufficient_quota'],
  [/^(1026|1027|1042|2013)$/, 'invalid_request_error'],
]

/** It answers 200 to everything, and says at the end of the body whether it meant it. */
function rewriteResponse(answer: Json): Json {
  const { base_resp } = answer
  if (!isObject(base_resp) || !base_resp.status_code) return answer
  const code = String(base_resp.status_code)
  const type = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'server_error'
  return failure(base_resp.status_msg, type, code)
}

/** The last event repeats the whole message. */
function rewriteEvent(event: Json): Json {
  const fitted = rewriteResponse(event)
  if (fitted !== event) return fitted
  const ended = eachChoice(event, choice =>
    'message' in choice ? { ...without(choice, 'message'), delta: {} } : choice,
  )
  return ended === event ? event : { ...ended, object: 'chat.completion.chunk' }
}

function vectorsPath(_model: string, { other }: UpstreamConfig): string {
  return other ? `/embeddings?GroupId=${encodeURIComponent(other)}` : '/embeddings'
}

function fitTexts({ model, input, type = 'db' }: Json): Json {
  return { model, texts: texts(input), type }
}

function readVectors(answer: Json, asked: Json): Json {
  const { vectors, total_tokens } = answer
  if (!Array.isArray(vectors)) return rewriteResponse(answer)
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: total_tokens, total_tokens }
  return asAsked({ object: 'list', data, model: asked.model, usage }, asked)
}

const soundTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

const soundOf = ({ response_format }: Json): string =>
  typeof response_format === 'string' && Object.hasOwn(soundTypes, response_format) ? response_format : 'mp3'

function fitSpeech(body: Json): Json {
  return {
    model: body.model,
    text: body.input,
    voice_setting: { voice_id: body.voice, ...only(body, 'speed') },
    audio_setting: { format: soundOf(body) },
    output_format: 'hex',
  }
}

function readSpeech({ data }: Json, asked: Json) {
  if (!isObject(data) || typeof data.audio !== 'string') return undefined
  return { type: soundTypes[soundOf(asked)]!, bytes: Buffer.from(data.audio, 'hex') }
}

const ratios: Record<string, string> = {
  '1024x1024': '1:1',
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
  '1152x864': '4:3',
  '864x1152': '3:4',
  '1344x576': '21:9',
}

function fitPicture(body: Json): Json {
  const aspect_ratio = entryOf(ratios, body.size)
  return {
    ...only(body, 'model', 'prompt', 'n'),
    ...(aspect_ratio && { aspect_ratio }),
    response_format: body.response_format === 'b64_json' ? 'base64' : 'url',
    ...only(body, 'aspect_ratio', 'prompt_optimizer', 'aigc_watermark', 'subject_reference', 'seed'),
  }
}

function readPictures(answer: Json): Json {
  const fitted = rewriteResponse(answer)
  if (fitted !== answer || !isObject(answer.data)) return fitted
  const { image_urls, image_base64 } = answer.data
  const data = Array.isArray(image_urls)
    ? image_urls.map(url => ({ url }))
    : texts(image_base64 ?? []).map(b64_json => ({ b64_json }))
  return { created: now(), data }
}
