/** Google's Gemini. */
import { gemini as content } from '../formats/gemini/index.ts'
import { entryOf } from '../formats/json/lenient-json.ts'
import { openAiEmbeddings } from '../formats/openai-embeddings/index.ts'
import { imageGenerations } from '../formats/openai-images/index.ts'
import { openAiSpeech } from '../formats/openai-speech/index.ts'
import { modelsOf } from '../models/models.ts'
import { now } from '../process/clock.ts'
import type { Json } from '../pure/json.ts'
import { above, baseOf } from './base-url.ts'
import { asAsked, texts } from './embeddings.ts'
import { askToDraw, askToSpeak, readDrawn, readSpoken } from './gemini-media.ts'
import { failure, objectsIn } from './json-edits.ts'
import type { Provider, UpstreamConfig } from './provider.ts'
import { fieldOf, pagesFrom } from './upstream-query.ts'

const HOME = 'https://generativelanguage.googleapis.com'
const VERSION = 'v1beta'
const LIST_MAX = 1000

const versionOf = ({ other, version }: UpstreamConfig) => other || version || VERSION

/** What is to be done with a model stands behind its name. */
const doing = (deed: string) => (line: UpstreamConfig, model: string) =>
  `${above(baseOf(line, HOME))}/${versionOf(line)}/models/${model}:${deed}`

/** What callers can have of a model; others are only for tuning or for sockets. */
const useful = new Set<unknown>(['generateContent', 'embedContent', 'predict'])

const readModels = (answer: unknown): string[] =>
  objectsIn(fieldOf(answer, 'models'))
    .filter(({ supportedGenerationMethods: methods }) => Array.isArray(methods) && methods.some(one => useful.has(one)))
    .map(({ name }) => String(name).replace(/^models\//, ''))

export const gemini: Provider = {
  type: 24,
  label: 'Google Gemini',
  base_url: HOME,
  key_format: 'AIza…',
  many_keys: true,
  stream_usage: false,
  models: modelsOf(24),
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  apis: {
    chat: {
      format: content,
      url: (line, model, streamed) =>
        doing(streamed ? 'streamGenerateContent?alt=sse' : 'generateContent')(line, model),
    },
    embeddings: {
      format: { ...openAiEmbeddings, owner: 'gemini', readError: content.readError },
      url: doing('batchEmbedContents'),
      rewriteRequest: fitTexts,
      rewriteResponse: readVectors,
    },
    image_generations: {
      format: { ...imageGenerations, readError: content.readError },
      url: (line, model) => doing(isImagen(model) ? 'predict' : 'generateContent')(line, model),
      rewriteRequest: body => (isImagen(body.model) ? fitPicture(body) : askToDraw(body)),
      rewriteResponse: answer => ('predictions' in answer ? readPictures(answer) : readDrawn(answer)),
    },
    speech: {
      format: { ...openAiSpeech, readError: content.readError },
      url: doing('generateContent'),
      rewriteRequest: askToSpeak,
      unwrapFile: readSpoken,
    },
  },
  *listModels(line) {
    const list = `${above(baseOf(line, HOME))}/${versionOf(line)}/models?pageSize=${LIST_MAX}`
    return yield* pagesFrom(list, readModels, answer => {
      const next = fieldOf(answer, 'nextPageToken')
      return next ? `${list}&pageToken=${encodeURIComponent(String(next))}` : undefined
    })
  },
}

const isImagen = (model: unknown) => String(model).startsWith('imagen')

/** @param body with the `wishes` of Google's own callers, one for each text */
function fitTexts({ model, input, dimensions, wishes }: Json): Json {
  const asked = objectsIn(wishes)
  const requests = texts(input).map((text, index) => ({
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    ...asked[index],
    model: `models/${model}`,
    content: { parts: [{ text }] },
  }))
  return { requests }
}

function readVectors(answer: Json, asked: Json): Json {
  if (!Array.isArray(answer.embeddings)) return answer
  const data = objectsIn(answer.embeddings).map(({ values }, index) => ({
    object: 'embedding',
    index,
    embedding: values,
  }))
  return asAsked({ object: 'list', data, model: asked.model }, asked)
}

const ratios: Record<string, string> = {
  '1024x1792': '9:16',
  '1792x1024': '16:9',
  '1536x1024': '4:3',
  '1024x1536': '3:4',
}

function fitPicture({ prompt, n = 1, size }: Json): Json {
  const aspectRatio = entryOf(ratios, size) ?? '1:1'
  return { instances: [{ prompt }], parameters: { sampleCount: n, aspectRatio, personGeneration: 'allow_adult' } }
}

/** Pictures that were not to be shown are missing; where none is left, the request was refused. */
function readPictures(answer: Json): Json {
  const predictions = objectsIn(answer.predictions)
  const data = predictions.flatMap(({ bytesBase64Encoded: b64_json }) => (b64_json ? [{ b64_json }] : []))
  if (data.length) return { created: now(), data }
  const reason = predictions.find(({ raiFilteredReason }) => raiFilteredReason)?.raiFilteredReason
  return failure(reason ?? 'No picture was made', 'invalid_request_error', 'content_filter')
}
