/** Jimeng, by Volcengine's visual service. https://www.volcengine.com/docs/85621/1792704 (read 2026-11) */
import type { ApiError } from '../formats/canonical/chat.ts'
import { isObject } from '../formats/json/checks.ts'
import { objectOf, textOf } from '../formats/json/lenient-json.ts'
import type { VideoCapabilities } from '../formats/videos/capabilities.ts'
import { isDataUrl, picturesOf, type VideoRequest } from '../formats/videos/request.ts'
import { fileUrl, type StateWords, statusIn, usualWords } from '../formats/videos/states.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf } from './kit/base-url.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { type VideoUpstream, videoApi } from './kit/video-api.ts'
import { volcengine } from './signing/volcengine.ts'
import { filled, withoutPrefix } from './videos/words.ts'

const BASE_URL = 'https://visual.volcengineapi.com'
const SUBMIT = 'CVSync2AsyncSubmitTask'
const GET_RESULT = 'CVSync2AsyncGetResult'

const shared = {
  ...{ seconds: [5, 10], ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'], first_frame: 'optional', seed: true },
} as const satisfies Partial<VideoCapabilities>

const capabilities: readonly VideoCapabilities[] = [
  { models: 'jimeng_v30_pro', pattern: /pro/, ...shared },
  { models: 'jimeng_v30', pattern: /^/, ...shared, last_frame: true },
]

const at = (config: UpstreamConfig, action: string) =>
  `${baseUrlOf(config, BASE_URL)}/?Action=${action}&Version=2022-08-31`

const words: StateWords = { ...usualWords, not_found: 'FAILURE' }

/** An id is the name of the model at its end, and the task: both are asked for. */
const video: VideoUpstream = {
  capabilities,
  submitUrl: config => at(config, SUBMIT),
  write,
  readId: ({ data }, request) => {
    const { task_id } = objectOf(data)
    return textOf(task_id) && `${keyOf(request)}/${task_id}`
  },
  ask(id, config) {
    const [req_key, task_id] = id.includes('/') ? id.split('/') : ['jimeng_t2v_v30', id]
    return { url: at(config, GET_RESULT), body: { req_key, task_id } }
  },
  readState({ data }) {
    const { status, video_url } = objectOf(data)
    if (status === undefined) return undefined
    const fail_reason = status === 'not_found' || status === 'expired' ? 'the upstream does not know the task' : ''
    return { status: statusIn(status, words), fail_reason, video: { url: fileUrl(video_url) } }
  },
  readError,
}

/** Name of the model by its pictures; a name of the maker's own stays. */
function keyOf({ model, ...request }: VideoRequest): string {
  if (model.startsWith('jimeng_') && !/^jimeng_v30/.test(model)) return model
  if (model.includes('pro')) return 'jimeng_ti2v_v30_pro'
  const pictures = picturesOf(request).length
  return ['jimeng_t2v_v30', 'jimeng_i2v_first_v30', 'jimeng_i2v_first_tail_v30'][pictures]!
}

const FRAMES: Record<number, number> = { 5: 121, 10: 241 }

function write(request: VideoRequest): Json {
  const { prompt, seconds, ratio, seed } = request
  const pictures = picturesOf(request)
  const isInline = pictures.some(isDataUrl)
  return filled({
    ...{ req_key: keyOf(request), prompt, seed, frames: FRAMES[seconds ?? 5] },
    aspect_ratio: pictures.length ? undefined : ratio,
    image_urls: pictures.length && !isInline ? pictures : undefined,
    binary_data_base64: isInline ? pictures.map(withoutPrefix) : undefined,
  })
}

const OK = 10_000

const statuses: Record<string, [status: number, type: string]> = {
  50400: [403, 'permission_error'],
  50411: [400, 'invalid_request_error'],
  50412: [400, 'invalid_request_error'],
  50413: [400, 'invalid_request_error'],
  50429: [429, 'rate_limit_error'],
  50430: [429, 'rate_limit_error'],
}

function readError(body: unknown, status = 0): ApiError | undefined {
  const { code, message } = objectOf(body)
  if (status < 400 && !(isObject(body) && code !== undefined && code !== OK)) return undefined
  const [known = 500, type = 'server_error'] = statuses[String(code)] ?? []
  return {
    ...{ status: status >= 400 ? status : known, type, message: textOf(message) || textOf(body) },
    ...{ code: code === undefined ? '' : String(code), param: null },
  }
}

export const jimeng = provider({
  type: 51,
  label: 'Jimeng',
  base_url: BASE_URL,
  key_format: 'AccessKey|SecretKey',
  quirks: { key_parts: [2] },
  sign(request, { key, at_ms = 0 }) {
    const [access_key = '', secret_key = ''] = key.split('|')
    return volcengine(request, { access_key, secret_key, region: 'cn-north-1', service: 'cv' }, at_ms)
  },
  apis: { videos: videoApi(video) },
})
