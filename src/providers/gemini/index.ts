/** Google Gemini. https://ai.google.dev/api (read 2026-11) */
import { gemini as content } from '../../formats/gemini/index.ts'
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, withoutVersion } from '../kit/base-url.ts'
import { inRequestedEncoding, listOf } from '../kit/embeddings.ts'
import { provider } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { fieldOf, pagesFrom } from '../kit/upstream-query.ts'
import { videoApi } from '../kit/video-api.ts'
import { veoVideos } from '../videos/veo.ts'
import { contentApis } from './content.ts'

const BASE_URL = 'https://generativelanguage.googleapis.com'
const DEFAULT_VERSION = 'v1beta'
const PAGE_MAX = 1000

const rootOf = (config: UpstreamConfig) =>
  `${withoutVersion(baseUrlOf(config, BASE_URL))}/${config.other || config.version || DEFAULT_VERSION}`

const modelsUrl = (config: UpstreamConfig) => `${rootOf(config)}/models`

const urlOf = (method: string) => (config: UpstreamConfig, model: string) => `${modelsUrl(config)}/${model}:${method}`

export const gemini = provider({
  type: 24,
  label: 'Google Gemini',
  base_url: BASE_URL,
  key_format: 'AIza…',
  // A key that is revoked or leaked is refused with 403. https://ai.google.dev/gemini-api/docs/troubleshooting (read 2026-11)
  quirks: {
    forbidden_is_fatal: true,
    other: { meaning: 'api_version', example: DEFAULT_VERSION },
    probe: { model: 'gemini-flash-lite-latest' },
  },
  own_api: { hosts: /(?:^|\.)generativelanguage\.googleapis\.com$/, fields: ['serviceTier', 'service_tier'] },
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  apis: {
    ...contentApis(urlOf),
    embeddings: {
      format: { ...openAiEmbeddings, owner: 'gemini', readError: content.readError },
      url: urlOf('batchEmbedContents'),
      rewriteRequest: writeEmbeddingRequests,
      rewriteResponse: readEmbeddings,
    },
    videos: videoApi(veoVideos(rootOf)),
  },
  // https://ai.google.dev/api/models (read 2026-11)
  *listModels(config) {
    const url = `${modelsUrl(config)}?pageSize=${PAGE_MAX}`
    return yield* pagesFrom(url, readModels, body => {
      const next = fieldOf(body, 'nextPageToken')
      return next ? `${url}&pageToken=${encodeURIComponent(String(next))}` : undefined
    })
  },
})

/** Methods that the gateway calls; models without one are for tuning or live sessions. */
const methods = new Set<unknown>(['generateContent', 'embedContent', 'predict'])

function readModels(body: unknown): string[] {
  return objectsOf(fieldOf(body, 'models'))
    .filter(({ supportedGenerationMethods: own }) => Array.isArray(own) && own.some(method => methods.has(method)))
    .map(({ name }) => String(name).replace(/^models\//, ''))
}

/** https://ai.google.dev/api/embeddings (read 2026-11) @param body with `wishes`, the own fields of Google's clients by text */
function writeEmbeddingRequests({ model, input, dimensions, wishes }: Json): Json {
  const ownFields = objectsOf(wishes)
  const requests = listOf(input).map((text, index) => ({
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    ...ownFields[index],
    model: `models/${model}`,
    content: { parts: [{ text }] },
  }))
  return { requests }
}

function readEmbeddings(body: Json, request: Json): Json {
  if (!Array.isArray(body.embeddings)) return body
  const data = objectsOf(body.embeddings).map(({ values }, index) => ({
    object: 'embedding',
    index,
    embedding: values,
  }))
  return inRequestedEncoding({ object: 'list', data, model: request.model }, request)
}
