/** Vidu. https://docs.platform.vidu.com (read 2026-11) */
import type { ApiError } from '../formats/canonical/chat.ts'
import { objectOf, objectsOf, textOf } from '../formats/json/lenient-json.ts'
import type { VideoCapabilities } from '../formats/videos/capabilities.ts'
import { picturesOf, type VideoRequest } from '../formats/videos/request.ts'
import { fileUrl, statusIn } from '../formats/videos/states.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf, modelInPath } from './kit/base-url.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { type VideoUpstream, videoApi } from './kit/video-api.ts'
import { withOwnFields } from './videos/words.ts'

const BASE_URL = 'https://api.vidu.cn'

const shared = {
  ...{ ratios: ['16:9', '9:16', '1:1', '4:3', '3:4'], first_frame: 'optional', last_frame: true, references: 7 },
  ...{ seed: true, own_fields: ['movement_amplitude', 'payload', 'watermark', 'style'] },
} as const satisfies Partial<VideoCapabilities>

const capabilities: readonly VideoCapabilities[] = [
  {
    ...{ models: 'viduq3', pattern: /^viduq3/, ...shared, seconds: { min: 1, max: 16, usual: 5 } },
    resolutions: ['720p', '540p', '1080p'],
  },
  {
    ...{ models: 'viduq2', pattern: /^viduq2/, ...shared, seconds: { min: 1, max: 10, usual: 5 } },
    resolutions: ['720p', '540p', '1080p'],
  },
  { models: 'viduq1', pattern: /^viduq1/, ...shared, seconds: [5], resolutions: ['1080p'] },
  { models: 'vidu2.0', pattern: /^/, ...shared, seconds: [4, 8], resolutions: ['720p', '360p', '1080p'] },
]

const at = (config: UpstreamConfig, path: string) => `${baseUrlOf(config, BASE_URL)}/ent/v2/${path}`

function pathOf({ first_frame, last_frame, references }: VideoRequest): string {
  if (references?.length) return 'reference2video'
  if (last_frame) return 'start-end2video'
  return first_frame ? 'img2video' : 'text2video'
}

const video: VideoUpstream = {
  capabilities,
  submitUrl: (config, _, request) => at(config, pathOf(request)),
  write,
  readId: ({ task_id }) => task_id,
  ask: (id, config) => ({ url: at(config, `tasks/${modelInPath(id)}/creations`) }),
  readState({ state, err_code, creations }) {
    if (state === undefined) return undefined
    const [made = {}] = objectsOf(creations)
    return {
      ...{ status: statusIn(state), fail_reason: textOf(err_code) },
      video: { url: fileUrl(made.url), cover_url: fileUrl(made.cover_url) },
    }
  },
  readError,
}

function write(request: VideoRequest): Json {
  const { model, prompt, seconds: duration, resolution, ratio, seed } = request
  const pictures = picturesOf(request)
  const isFramed = request.first_frame !== undefined
  return withOwnFields(request, {
    ...{ model, prompt, duration, resolution, seed, aspect_ratio: isFramed ? undefined : ratio },
    images: pictures.length ? pictures : undefined,
  })
}

function readError(body: unknown, status = 0): ApiError | undefined {
  if (status < 400) return undefined
  const { code, reason, message } = objectOf(body)
  const type = status === 429 ? 'rate_limit_error' : status === 401 ? 'authentication_error' : 'upstream_error'
  return {
    status,
    type,
    message: textOf(message) || textOf(reason),
    code: textOf(reason) || String(code ?? ''),
    param: null,
  }
}

export const vidu = provider({
  type: 52,
  label: 'Vidu',
  base_url: BASE_URL,
  key_format: 'vda_…',
  presets: [{ kind: 'international', base_url: 'https://api.vidu.com' }],
  authorize: ({ key }) => ({ authorization: `Token ${key}` }),
  apis: { videos: videoApi(video) },
})
