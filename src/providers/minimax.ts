/** MiniMax: OpenAI's chats at a path of its own, and its own manner for everything else. */
import { isObject } from '../codecs/checks.ts'
import type { Json } from '../codecs/codec.ts'
import { asAsked, texts } from './embeddings.ts'
import { eachChoice, failure, without } from './fit.ts'
import { listed } from './models.ts'
import { openAiCompatible } from './openai.ts'

/** What its numbers mean; all others are its own troubles. */
const kinds: [RegExp, string][] = [
  [/^(1002|1039|1041|2056)$/, 'rate_limit_error'],
  [/^(1004|2049)$/, 'authentication_error'],
  [/^1008$/, 'insufficient_quota'],
  [/^(1026|1027|1042|2013)$/, 'invalid_request_error'],
]

/** It answers 200 to everything, and says at the end of the body whether it meant it. */
function fitAnswer(answer: Json): Json {
  const { base_resp } = answer
  if (!isObject(base_resp) || !base_resp.status_code) return answer
  const code = String(base_resp.status_code)
  const type = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'server_error'
  return failure(base_resp.status_msg, type, code)
}

/** The last event repeats the whole message. */
function fitEvent(event: Json): Json {
  const fitted = fitAnswer(event)
  if (!Array.isArray(event.choices) || fitted !== event) return fitted
  const ended = eachChoice(event, choice =>
    'message' in choice ? { ...without(choice, 'message'), delta: {} } : choice,
  )
  return ended === event ? event : { ...ended, object: 'chat.completion.chunk' }
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

function fitPicture({ model, prompt, n, size, response_format, ...rest }: Json): Json {
  const known = Object.fromEntries(pictureFields.filter(name => name in rest).map(name => [name, rest[name]]))
  return {
    model,
    prompt,
    ...(n !== undefined && { n }),
    ...(ratios[String(size)] && { aspect_ratio: ratios[String(size)] }),
    response_format: response_format === 'b64_json' ? 'base64' : 'url',
    ...known,
  }
}

const pictureFields = ['aspect_ratio', 'prompt_optimizer', 'aigc_watermark', 'subject_reference', 'seed']

function readPictures(answer: Json): Json {
  const { data } = answer
  const fitted = fitAnswer(answer)
  if (fitted !== answer || !isObject(data)) return fitted
  const { image_urls, image_base64 } = data
  return {
    created: Number(answer.created ?? 0),
    data: Array.isArray(image_urls)
      ? image_urls.map(url => ({ url }))
      : texts(image_base64 ?? []).map(b64_json => ({ b64_json })),
  }
}

const fitTexts = ({ model, input, type = 'db' }: Json): Json => ({ model, texts: texts(input), type })

function readVectors(answer: Json, asked: Json): Json {
  const { vectors, total_tokens } = answer
  const fitted = fitAnswer(answer)
  if (fitted !== answer || !Array.isArray(vectors)) return fitted
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  return asAsked(
    { object: 'list', data, model: asked.model, usage: { prompt_tokens: total_tokens, total_tokens } },
    asked,
  )
}

const soundTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

const soundOf = ({ response_format }: Json): string =>
  String(response_format) in soundTypes ? String(response_format) : 'mp3'

const fitSpeech = (body: Json): Json => ({
  model: body.model,
  text: body.input,
  voice_setting: { voice_id: body.voice, ...(body.speed !== undefined && { speed: body.speed }) },
  audio_setting: { format: soundOf(body) },
  output_format: 'hex',
})

const fitFile = ({ data }: Json, asked: Json) =>
  isObject(data) && typeof data.audio === 'string'
    ? { type: soundTypes[soundOf(asked)]!, bytes: Buffer.from(data.audio, 'hex') }
    : undefined

export const miniMax = openAiCompatible({
  type: 35,
  label: 'MiniMax',
  base_url: 'https://api.minimax.chat',
  key_format: 'eyJ…',
  models: listed(35),
  stream_usage: false,
  offers: {
    chat: { path: '/text/chatcompletion_v2', fitAnswer, fitEvent },
    embeddings: {
      path: (_, { other }) => (other ? `/embeddings?GroupId=${encodeURIComponent(other)}` : '/embeddings'),
      fitRequest: fitTexts,
      fitAnswer: readVectors,
    },
    speech: { path: '/t2a_v2', fitRequest: fitSpeech, fitAnswer, fitFile },
    image_generations: { path: '/image_generation', fitRequest: fitPicture, fitAnswer: readPictures },
  },
  listModels: undefined,
})
