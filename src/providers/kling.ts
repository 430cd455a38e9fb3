/** Kling. https://app.klingai.com/global/dev/document-api (read 2026-11) */

import type { ApiError } from '../formats/canonical/chat.ts'
import { isObject } from '../formats/json/checks.ts'
import { objectOf, objectsOf, textOf } from '../formats/json/lenient-json.ts'
import type { VideoCapabilities } from '../formats/videos/capabilities.ts'
import { inputOf, type VideoRequest } from '../formats/videos/request.ts'
import { fileUrl, statusIn } from '../formats/videos/states.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf, modelInPath } from './kit/base-url.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { type VideoUpstream, videoApi } from './kit/video-api.ts'
import { hs256 } from './signing/hs256.ts'
import { filled, reportOf, withOwnFields, withoutPrefix } from './videos/words.ts'

const BASE_URL = 'https://api.klingai.com'

const shapes = {
  ...{ resolutions: ['720p', '1080p'], ratios: ['16:9', '9:16', '1:1'], first_frame: 'optional', last_frame: true },
  ...{ negative_prompt: true },
  own_fields: ['cfg_scale', 'camera_control', 'static_mask', 'dynamic_masks', 'watermark_info', 'external_task_id'],
} as const satisfies Partial<VideoCapabilities>

const omni = { ...shapes, negative_prompt: undefined, references: 7, video: 'optional' } as const

const capabilities: readonly VideoCapabilities[] = [
  {
    ...{ models: 'kling-v3-omni', pattern: /^kling-v3-omni/, ...omni, seconds: { min: 3, max: 15, usual: 5 } },
    sound: true,
  },
  { models: 'kling-video-o1', pattern: /^kling-video-o1/, ...omni, seconds: { min: 3, max: 10, usual: 5 } },
  {
    ...{ models: 'kling-v3', pattern: /^kling-v3/, ...shapes, seconds: { min: 3, max: 15, usual: 5 } },
    sound: true,
  },
  { models: 'kling-v2-6', pattern: /^kling-v2-6/, ...shapes, seconds: [5, 10], sound: true },
  { models: 'others', pattern: /^/, ...shapes, seconds: [5, 10] },
]

type KlingPath = 'text2video' | 'image2video' | 'omni-video'

function pathOf(request: VideoRequest): KlingPath {
  if (/omni|-o1/.test(request.model)) return 'omni-video'
  return inputOf(request) === 'text' ? 'text2video' : 'image2video'
}

/** Keys of another gateway, under a path of its own. */
const isGatewayKey = (key: string) => key.startsWith('sk-')

const at = (config: UpstreamConfig, path: string) =>
  `${baseUrlOf(config, BASE_URL)}${isGatewayKey(config.key) ? '/kling' : ''}/v1/videos/${path}`

/** An id is the path of its task, such as `text2video/1`: there alone it is known. */
const video: VideoUpstream = {
  capabilities,
  submitUrl: (config, _, request) => at(config, pathOf(request)),
  write: request => (pathOf(request) === 'omni-video' ? writeOmni(request) : writeVideo(request)),
  readId({ data }, request) {
    const { task_id } = objectOf(data)
    return textOf(task_id) && `${pathOf(request)}/${task_id}`
  },
  ask: (id, config) => ({ url: at(config, modelInPath(id.includes('/') ? id : `text2video/${id}`)) }),
  readState({ data, final_unit_deduction: _ }, asked) {
    const { task_id, task_status, task_status_msg, task_result } = objectOf(data)
    if (task_status === undefined || !asked.endsWith(`/${task_id}`)) return undefined
    const [made = {}] = objectsOf(objectOf(task_result).videos)
    return {
      ...{ status: statusIn(task_status), fail_reason: textOf(task_status_msg), video: { url: fileUrl(made.url) } },
      report: reportOf({ seconds: made.duration }),
    }
  },
  readError,
  isUnknown: (status, body) => status === 404 || objectOf(body).code === TASK_UNKNOWN,
}

const TASK_UNKNOWN = 1203

export const kling = provider({
  type: 50,
  label: 'Kling',
  base_url: BASE_URL,
  key_format: 'AccessKey|SecretKey',
  presets: [
    { kind: 'mainland', base_url: 'https://api-beijing.klingai.com' },
    { kind: 'international', base_url: 'https://api-singapore.klingai.com' },
  ],
  keyFlaw: key => (isWhole(key) || key.split('|').length === 2 ? undefined : 'key_parts'),
  authorize: config => ({ authorization: `Bearer ${tokenOf(config)}` }),
  apis: { videos: videoApi(video) },
})

const isWhole = (key: string) => isGatewayKey(key) || key.startsWith('api-key-kling-')

const [LIFE_SECONDS, EARLY_SECONDS, MS_PER_SECOND] = [1800, 5, 1000]

/** https://app.klingai.com/global/dev/document-api/apiReference/commonInfo (read 2026-11) */
function tokenOf({ key, at_ms = 0 }: UpstreamConfig): string {
  if (isWhole(key)) return key
  const [iss = '', secret = ''] = key.split('|')
  const now = Math.floor(at_ms / MS_PER_SECOND)
  return hs256({ iss, exp: now + LIFE_SECONDS, nbf: now - EARLY_SECONDS }, secret)
}

const modeOf = ({ resolution }: VideoRequest) => (resolution === '1080p' ? 'pro' : 'std')
const soundOf = ({ sound }: VideoRequest) => (sound === undefined ? undefined : sound ? 'on' : 'off')

function writeVideo(request: VideoRequest): Json {
  const { model, prompt, negative_prompt, seconds, ratio, first_frame, last_frame } = request
  return withOwnFields(request, {
    ...{ model_name: model, prompt, negative_prompt, mode: modeOf(request), duration: String(seconds) },
    ...{ aspect_ratio: first_frame ? undefined : ratio, sound: soundOf(request) },
    ...{ image: withoutPrefix(first_frame), image_tail: withoutPrefix(last_frame) },
  })
}

function writeOmni(request: VideoRequest): Json {
  const { model, prompt, seconds, ratio, first_frame, last_frame, references = [], video: video_url } = request
  const images = [
    ...(first_frame ? [{ image_url: withoutPrefix(first_frame), type: 'first_frame' }] : []),
    ...(last_frame ? [{ image_url: withoutPrefix(last_frame), type: 'end_frame' }] : []),
    ...references.map(picture => ({ image_url: withoutPrefix(picture) })),
  ]
  return withOwnFields(request, {
    ...{ model_name: model, prompt, mode: modeOf(request), duration: String(seconds), sound: soundOf(request) },
    aspect_ratio: first_frame ? undefined : ratio,
    image_list: images.length ? images : undefined,
    video_list: video_url ? [filled({ video_url, refer_type: 'feature' })] : undefined,
  })
}

/** HTTP status by the first figures of a code, where the response has none of its own. */
const statuses: [from: number, to: number, status: number, type: string][] = [
  [1000, 1004, 401, 'authentication_error'],
  [1100, 1101, 403, 'permission_error'],
  [1102, 1102, 403, 'insufficient_quota'],
  [1103, 1103, 403, 'permission_error'],
  [1200, 1299, 400, 'invalid_request_error'],
  [1300, 1301, 400, 'invalid_request_error'],
  [1302, 1304, 429, 'rate_limit_error'],
]

function readError(body: unknown, status = 0): ApiError | undefined {
  const { code, message } = objectOf(body)
  if (status < 400 && !(isObject(body) && typeof code === 'number' && code !== 0)) return undefined
  const [, , known, type] = statuses.find(([from, to]) => Number(code) >= from && Number(code) <= to) ?? []
  return {
    ...{ status: status >= 400 ? status : (known ?? 500), type: type ?? 'server_error' },
    ...{ message: textOf(message) || textOf(body), code: code === undefined ? '' : String(code), param: null },
  }
}
