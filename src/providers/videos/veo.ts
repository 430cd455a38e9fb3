/** Veo at the Gemini API. https://ai.google.dev/gemini-api/docs/video (read 2026-11) */
import { readError } from '../../formats/gemini/api-error.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { dataOf, sourceOf } from '../../formats/media/data-url.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { modelInPath } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { filled, reasonIn, withOwnFields } from './words.ts'

const shared = {
  ...{ seconds: [8, 4, 6], ratios: ['16:9', '9:16'], first_frame: 'optional' },
  ...{ seed: true, negative_prompt: true, own_fields: ['personGeneration'] },
} as const satisfies Partial<VideoCapabilities>

export const veoCapabilities: readonly VideoCapabilities[] = [
  {
    ...{ models: 'veo-3.1', pattern: /^veo-3\.1/, ...shared, resolutions: ['720p', '1080p', '4k'] },
    ...{ last_frame: true, references: 3 },
  },
  { models: 'veo-3', pattern: /^veo-3/, ...shared, resolutions: ['720p', '1080p'] },
  { models: 'veo-2', pattern: /^veo-/, ...shared, seconds: [8, 5, 6, 7], resolutions: ['720p'], last_frame: true },
]

/** @param rootOf above `/models` */
export const veoVideos = (rootOf: (config: UpstreamConfig) => string): VideoUpstream => ({
  capabilities: veoCapabilities,
  submitUrl: (config, model) => `${rootOf(config)}/models/${modelInPath(model)}:predictLongRunning`,
  write: writeVeo,
  readId: ({ name }) => name,
  ask: (id, config) => ({ url: `${rootOf(config)}/${modelInPath(id)}` }),
  readState,
  readError,
  fetches_no_urls: true,
})

/** The same at every address of Google's. */
export function writeVeo(request: VideoRequest): Json {
  const { prompt, first_frame, last_frame, references, seconds, ratio, resolution, seed, negative_prompt } = request
  const instance = filled({
    prompt,
    image: pictureOf(first_frame),
    lastFrame: pictureOf(last_frame),
    referenceImages: references?.map(picture => ({ image: pictureOf(picture), referenceType: 'asset' })),
  })
  const parameters = withOwnFields(request, {
    ...{ sampleCount: 1, durationSeconds: seconds, aspectRatio: ratio, resolution },
    ...{ negativePrompt: negative_prompt, seed },
  })
  return { instances: [instance], parameters }
}

/** Pictures are inline: addresses have been fetched. */
function pictureOf(picture: string | undefined): Json | undefined {
  const inline = picture === undefined ? undefined : dataOf(sourceOf(picture))
  return inline && { bytesBase64Encoded: inline.data, mimeType: inline.media_type }
}

function readState({ name, done, error, response }: Json, asked: string) {
  if (name !== asked) return undefined
  if (done !== true) return { status: 'IN_PROGRESS' } as const
  const told = objectOf(objectOf(response).generateVideoResponse ?? response)
  const [made] = objectsOf(told.generatedVideos ?? told.generatedSamples)
  const url = fileUrl(objectOf(made?.video).uri)
  const failure = veoFailure(error, told)
  if (failure) return failure
  return { status: 'SUCCESS', video: { url, needs_key: true } } as const
}

/** An operation whose videos were all filtered has failed. @returns undefined for one that has not */
export function veoFailure(error: unknown, { raiMediaFilteredReasons }: Record<string, unknown>) {
  const filtered = Array.isArray(raiMediaFilteredReasons) ? textOf(raiMediaFilteredReasons[0]) : ''
  if (!error && !filtered) return undefined
  return { status: 'FAILURE', fail_reason: reasonIn(error) || filtered } as const
}
