/**
 * The APIs that Google's models have at every address of theirs: chats, images and speech.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import { gemini as content } from '../../formats/gemini/index.ts'
import { entryOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { imageGenerations } from '../../formats/openai-images/index.ts'
import { openAiSpeech } from '../../formats/openai-speech/index.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { errorBody } from '../kit/json-edits.ts'
import type { UpstreamApi } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { readImages, readSpeech, writeImageRequest, writeSpeechRequest } from './media.ts'

type ContentApis = Record<'chat' | 'image_generations' | 'speech', UpstreamApi>

/** @param urlOf the URL of a model's method */
export const contentApis = (
  urlOf: (method: string) => (config: UpstreamConfig, model: string) => string,
): ContentApis => ({
  chat: {
    format: content,
    // https://ai.google.dev/gemini-api/docs/priority-inference (read 2026-11)
    tariff_header: { name: 'x-gemini-service-tier', fields: ['serviceTier', 'service_tier'] },
    url: (config, model, streamed) =>
      urlOf(streamed ? 'streamGenerateContent?alt=sse' : 'generateContent')(config, model),
  },
  image_generations: {
    format: { ...imageGenerations, readError: content.readError },
    url: (config, model) => urlOf(isImagen(model) ? 'predict' : 'generateContent')(config, model),
    rewriteRequest: body => (isImagen(body.model) ? writeImagenRequest(body) : writeImageRequest(body)),
    rewriteResponse: body => ('predictions' in body ? readPredictions(body) : readImages(body)),
  },
  speech: {
    format: { ...openAiSpeech, readError: content.readError },
    url: urlOf('generateContent'),
    rewriteRequest: writeSpeechRequest,
    unwrapFile: readSpeech,
  },
})

const isImagen = (model: unknown) => String(model).startsWith('imagen')

/** https://ai.google.dev/gemini-api/docs/imagen (read 2026-11) */
const imagenRatios: Record<string, string> = {
  '1024x1792': '9:16',
  '1792x1024': '16:9',
  '1536x1024': '4:3',
  '1024x1536': '3:4',
}

function writeImagenRequest({ prompt, n = 1, size }: Json): Json {
  const aspectRatio = entryOf(imagenRatios, size) ?? '1:1'
  return { instances: [{ prompt }], parameters: { sampleCount: n, aspectRatio, personGeneration: 'allow_adult' } }
}

/** Filtered images are missing; when none is left, the request was refused. */
function readPredictions(body: Json): Json {
  const predictions = objectsOf(body.predictions)
  const data = predictions.flatMap(({ bytesBase64Encoded: b64_json }) => (b64_json ? [{ b64_json }] : []))
  if (data.length) return { created: now(), data }
  const reason = predictions.find(({ raiFilteredReason }) => raiFilteredReason)?.raiFilteredReason
  return errorBody(reason ?? 'No picture was made', 'invalid_request_error', 'content_filter')
}
