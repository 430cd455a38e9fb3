/**
 * Videos of Vidu and Kling at Baidu Qianfan, under its own names for them.
 * https://cloud.baidu.com/doc/qianfan-api/s/Emwbl4e6q https://cloud.baidu.com/doc/qianfan-api/s/Jmwbl4dg3 (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { readError as readOpenAiError } from '../../formats/openai-chat/api-error.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, withoutVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { filled, reasonIn, reportOf, withOwnFields, withoutPrefix } from './words.ts'

const vidu = {
  ...{ resolutions: ['720p', '540p', '1080p'], ratios: ['16:9', '9:16', '1:1', '4:3', '3:4'] },
  ...{ first_frame: 'optional', last_frame: true, seed: true, own_fields: ['bgm', 'movement_amplitude', 'watermark'] },
} as const satisfies Partial<VideoCapabilities>

const kling = {
  ...{ resolutions: ['720p', '1080p'], ratios: ['16:9', '9:16', '1:1'], first_frame: 'optional' },
  ...{ negative_prompt: true, own_fields: ['cfg_scale'] },
} as const satisfies Partial<VideoCapabilities>

const capabilities: readonly VideoCapabilities[] = [
  {
    ...{ models: 'VQ4', pattern: /^VQ4/, ...vidu, seconds: { min: 3, max: 16, usual: 5 }, sound: true },
    resolutions: ['720p', '540p', '1080p', '2k', '4k'],
  },
  { models: 'VQ3', pattern: /^VQ3/, ...vidu, seconds: { min: 1, max: 16, usual: 5 }, sound: true },
  { models: 'VQ2', pattern: /^VQ2/, ...vidu, seconds: { min: 1, max: 10, usual: 5 } },
  {
    ...{ models: 'KO1, K3O', pattern: /^(?:KO1|K3O)/, ...kling, negative_prompt: undefined },
    ...{ seconds: { min: 3, max: 10, usual: 5 }, last_frame: true, video: 'optional' },
  },
  {
    models: 'K3.0',
    pattern: /^K3\.0/,
    ...kling,
    seconds: { min: 3, max: 15, usual: 5 },
    last_frame: true,
    sound: true,
  },
  { models: 'K2.6', pattern: /^K2\.6/, ...kling, seconds: [5, 10], last_frame: true, sound: true },
  { models: 'K1–K2.5', pattern: /^K[12]/, ...kling, seconds: [5, 10], last_frame: true },
]

/** @param base of channels that name none */
export function qianfanVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig) =>
    `${withoutVersion(baseUrlOf(config, base))}/beta/video/generations/qianfan-video`
  return {
    capabilities,
    submitUrl: config => at(config),
    write,
    readId: ({ task_id, data, id }) => objectOf(data).task_id ?? task_id ?? id,
    ask: (id, config) => ({ url: `${at(config)}?task_id=${encodeURIComponent(id)}` }),
    readState: (answer, id) =>
      isObject(answer.data) ? readKling(answer.data, id, answer.usage) : readVidu(answer, id),
    readError,
    isUnknown: (status, body) => status === 404 || objectOf(body).code === TASK_UNKNOWN,
  }
}

/** Of Kling. */
const TASK_UNKNOWN = 1203

const isKling = (model: string) => model.startsWith('K')

function write(request: VideoRequest): Json {
  const { model } = request
  const parameters = isKling(model) ? klingParameters(request) : viduParameters(request)
  return { model, type: typeOf(request), model_parameters: withOwnFields(request, parameters) }
}

function typeOf({ model, first_frame, last_frame }: VideoRequest): string {
  if (isOmni(model)) return 'omni-video'
  if (last_frame && !isKling(model)) return 'start-end2video'
  return first_frame ? 'img2video' : 'text2video'
}

const isOmni = (model: string) => /^(?:KO1|K3O)/.test(model)

function viduParameters({
  prompt,
  seconds: duration,
  resolution,
  ratio,
  seed,
  sound: audio,
  ...request
}: VideoRequest) {
  const { first_frame, last_frame } = request
  const images = [first_frame, last_frame].filter(picture => picture !== undefined)
  return {
    ...{ prompt, duration, resolution: written(resolution), seed, audio },
    ...(images.length ? { images } : { aspect_ratio: ratio }),
  }
}

/** The larger resolutions are written in capitals. */
const written = (resolution: string | undefined) => (resolution?.endsWith('k') ? resolution.toUpperCase() : resolution)

function klingParameters(request: VideoRequest): Json {
  const { model, prompt, negative_prompt, seconds, resolution, ratio, first_frame, last_frame, sound, video } = request
  const shared = {
    ...{ prompt, negative_prompt, mode: resolution === '1080p' ? 'pro' : 'std', duration: String(seconds) },
    ...{ aspect_ratio: first_frame ? undefined : ratio, sound: sound === undefined ? undefined : sound ? 'on' : 'off' },
  }
  if (!isOmni(model)) return { ...shared, image: withoutPrefix(first_frame), image_tail: withoutPrefix(last_frame) }
  const images = [
    ...(first_frame ? [{ image_url: withoutPrefix(first_frame), type: 'first_frame' }] : []),
    ...(last_frame ? [{ image_url: withoutPrefix(last_frame), type: 'end_frame' }] : []),
  ]
  return {
    ...shared,
    image_list: images.length ? images : undefined,
    video_list: video ? [filled({ video_url: video, refer_type: 'feature' })] : undefined,
  }
}

/** Answers about Kling's models have the form of Kling's own. */
function readKling({ task_id, task_status, task_status_msg, task_result }: Json, asked: string, usage: unknown) {
  if (task_status === undefined || task_id !== asked) return undefined
  const [made = {}] = objectsOf(objectOf(task_result).videos)
  return {
    ...{ status: statusIn(task_status), fail_reason: textOf(task_status_msg), video: { url: fileUrl(made.url) } },
    report: reportOf({ seconds: made.duration ?? objectOf(usage).duration }),
  }
}

function readVidu({ id, status, err_code, err_msg, creations, usage }: Json, asked: string) {
  if (status === undefined || (id !== undefined && id !== asked)) return undefined
  const [made = {}] = objectsOf(creations)
  return {
    ...{ status: statusIn(status), fail_reason: reasonIn(err_msg) || textOf(err_code) },
    video: { url: fileUrl(made.url), cover_url: fileUrl(made.cover_url) },
    report: reportOf({ seconds: objectOf(usage).duration }),
  }
}

/** Kling's errors have a code in a response of status 200, others are as OpenAI writes them. */
function readError(body: unknown, status = 0) {
  const { code, message, error } = objectOf(body)
  if (isObject(error) || typeof code !== 'number') return readOpenAiError(body, status)
  if (status < 400 && code === 0) return undefined
  return {
    ...{ status: status >= 400 ? status : code >= 1200 && code < 1302 ? 400 : 500, type: 'upstream_error' },
    ...{ message: textOf(message), code: String(code), param: null },
  }
}
