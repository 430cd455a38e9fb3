/**
 * Veo at Vertex AI: the operation is asked for by a POST, and holds the video itself, or where it lies in Cloud Storage.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation (read 2026-11)
 */
import { readError } from '../../formats/gemini/api-error.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import type { Json } from '../../pure/json.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { veoCapabilities, veoFailure, writeVeo } from './veo.ts'
import { filled } from './words.ts'

/** From the third version on, the sound can be chosen here. */
const capabilities: readonly VideoCapabilities[] = veoCapabilities.map(own =>
  own.models === 'veo-2' ? own : { ...own, sound: true },
)

interface VertexUrls {
  submitUrl(config: UpstreamConfig, model: string): string
  askUrl(config: UpstreamConfig, operation: string): string
}

export const vertexVideos = ({ submitUrl, askUrl }: VertexUrls): VideoUpstream => ({
  capabilities,
  submitUrl,
  write,
  readId: ({ name }) => name,
  ask: (id, config) => ({ url: askUrl(config, id), body: { operationName: id } }),
  readState,
  readError,
  fetches_no_urls: true,
  locate: ({ url, needs_key }, { variant }) =>
    variant === 'video' ? { url, with_key: needs_key, is_of_maker: needs_key } : { url: undefined },
})

function write(request: VideoRequest): Json {
  const { instances, parameters } = writeVeo(request)
  return { instances, parameters: filled({ ...objectOf(parameters), generateAudio: request.sound }) }
}

function readState({ name, done, error, response }: Json, asked: string) {
  if (name !== asked) return undefined
  if (done !== true) return { status: 'IN_PROGRESS' } as const
  const told = objectOf(response)
  const [made = {}] = objectsOf(told.videos)
  const failure = veoFailure(error, told)
  return failure ?? ({ status: 'SUCCESS', video: fileIn(made) } as const)
}

const MP4 = 'video/mp4'

function fileIn({ bytesBase64Encoded, gcsUri, mimeType }: Json) {
  const data = textOf(bytesBase64Encoded)
  if (data) return { url: `data:${/^video\/[\w.+-]+$/.test(textOf(mimeType)) ? mimeType : MP4};base64,${data}` }
  const url = storageUrl(textOf(gcsUri))
  return url ? { url, needs_key: true } : {}
}

/** https://cloud.google.com/storage/docs/json_api/v1/objects/get (read 2026-11) @returns undefined for another address */
function storageUrl(uri: string): string | undefined {
  const [, bucket, object] = /^gs:\/\/([\w.-]+)\/(.+)$/.exec(uri) ?? []
  return object && `https://storage.googleapis.com/storage/v1/b/${bucket}/o/${encodeURIComponent(object)}?alt=media`
}
