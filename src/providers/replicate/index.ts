/**
 * Replicate: predictions of pictures and texts, by the name of a model or its version.
 * https://replicate.com/docs/reference/http (read 2026-11)
 */
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { imageEdits, imageGenerations } from '../../formats/openai-images/index.ts'
import { readError } from '../../formats/replicate/api-error.ts'
import { replicate as predictions } from '../../formats/replicate/index.ts'
import { versionIn } from '../../formats/replicate/write-request.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, modelInPath, withVersion } from '../kit/base-url.ts'
import { bearer } from '../kit/openai-compatible.ts'
import { provider } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { fieldOf, pagesFrom } from '../kit/upstream-query.ts'
import { readPictures, writeImageEdit, writeImageRequest } from './images.ts'
import { endOf, uploadFiles, withDownloads } from './jobs.ts'

const BASE_URL = 'https://api.replicate.com'

const rootOf = (config: UpstreamConfig) => withVersion(baseUrlOf(config, BASE_URL), '/v1')

const url = (config: UpstreamConfig, model: string): string =>
  versionIn(model) ? `${rootOf(config)}/predictions` : `${rootOf(config)}/models/${modelInPath(model)}/predictions`

/** The response waits up to 60 s for the end; a stream begins at once. */
const headers = (_model: string, streamed: boolean): Record<string, string> => (streamed ? {} : { prefer: 'wait' })

const images = {
  url,
  headers,
  before: (body: Json, config: UpstreamConfig) => uploadFiles(body, rootOf(config)),
  *after(body: unknown, config: UpstreamConfig, { response_format }: Json) {
    const ended = yield* endOf(body, rootOf(config))
    return response_format === 'b64_json' ? yield* withDownloads(ended) : ended
  },
  rewriteResponse: readPictures,
}

export const replicate = provider({
  type: 56,
  label: 'Replicate',
  base_url: BASE_URL,
  key_format: 'r8_…',
  quirks: { probe: { model: 'meta/meta-llama-3-8b-instruct' } },
  authorize: bearer,
  apis: {
    chat: {
      format: predictions,
      url,
      headers,
      framing: 'raw_sse',
      streamFrom: ({ urls }) => streamIn(urls),
      before: (body, config) => uploadFiles(body, rootOf(config)),
      after: (body, config) => endOf(body, rootOf(config)),
    },
    image_generations: {
      ...images,
      format: { ...imageGenerations, readError },
      rewriteRequest: writeImageRequest,
    },
    image_edits: {
      ...images,
      format: { ...imageEdits, readError },
      takes_no_forms: true,
      rewriteRequest: writeImageEdit,
    },
  },
  /** The address of the next page names a cursor, which alone is used: the key goes to the channel's own host. */
  *listModels(config) {
    const first = `${rootOf(config)}/models`
    return yield* pagesFrom(first, namesIn, body => {
      const cursor = URL.parse(String(fieldOf(body, 'next')))?.searchParams.get('cursor')
      return cursor ? `${first}?cursor=${encodeURIComponent(cursor)}` : undefined
    })
  },
})

function streamIn(urls: unknown): string | undefined {
  const stream = fieldOf(urls, 'stream')
  return typeof stream === 'string' && /^https?:\/\//.test(stream) ? stream : undefined
}

function namesIn(body: unknown): string[] | undefined {
  const results = fieldOf(body, 'results')
  return Array.isArray(results) ? objectsOf(results).map(({ owner, name }) => `${owner}/${name}`) : undefined
}
