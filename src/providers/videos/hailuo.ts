/**
 * Hailuo at MiniMax, by two versions of its API. https://platform.minimax.io/docs/api-reference/video-generation-t2v and
 * https://platform.minimax.io/docs/api-reference/video-generation-v2 (read 2026-11)
 */
import type { ApiError } from '../../formats/canonical/chat.ts'
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import { readError as readOpenAiError } from '../../formats/openai-chat/api-error.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, modelInPath, withoutVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { reasonIn, reportOf, withOwnFields } from './words.ts'

const own_fields = ['prompt_optimizer', 'fast_pretreatment', 'aigc_watermark']

const capabilities: readonly VideoCapabilities[] = [
  {
    ...{
      models: 'MiniMax-H3',
      pattern: /^MiniMax-H/,
      seconds: { min: 4, max: 15, usual: 5 },
      resolutions: ['768p', '2k'],
    },
    ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'],
    ...{ first_frame: 'optional', last_frame: true, references: 9, video: 'optional', own_fields: ['aigc_watermark'] },
  },
  {
    ...{ models: 'MiniMax-Hailuo-2.3-Fast', pattern: /Hailuo-2\.3-Fast/, seconds: [6, 10] },
    ...{ resolutions: ['768p', '1080p'], first_frame: 'required', own_fields },
  },
  {
    ...{ models: 'MiniMax-Hailuo-2.3', pattern: /Hailuo-2\.3/, seconds: [6, 10], resolutions: ['768p', '1080p'] },
    ...{ first_frame: 'optional', own_fields },
  },
  {
    ...{ models: 'MiniMax-Hailuo-02', pattern: /Hailuo-02/, seconds: [6, 10], resolutions: ['768p', '512p', '1080p'] },
    ...{ first_frame: 'optional', last_frame: true, own_fields },
  },
  {
    ...{
      models: 'I2V-01',
      pattern: /^I2V-01/,
      seconds: [6],
      resolutions: ['720p'],
      first_frame: 'required',
      own_fields,
    },
  },
  { models: 'S2V-01', pattern: /^S2V-01/, seconds: [6], resolutions: ['720p'], references: 1, own_fields },
  { models: 'T2V-01', pattern: /^T2V-01/, seconds: [6], resolutions: ['720p'], own_fields },
]

const isSecond = (model: string) => model.startsWith('MiniMax-H3')

/** An id of the second version begins with it. */
const V2 = 'v2/'

/** @param base of channels that name none */
export function hailuoVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig, path: string) => withoutVersion(baseUrlOf(config, base)) + path
  return {
    capabilities,
    submitUrl: (config, model) => at(config, isSecond(model) ? '/v2/video_generation' : '/v1/video_generation'),
    write: request => (isSecond(request.model) ? writeSecond(request) : writeFirst(request)),
    readId: ({ task_id }, { model }) => textOf(task_id) && (isSecond(model) ? V2 : '') + task_id,
    ask: (id, config) => ({
      url: id.startsWith(V2)
        ? at(config, `/v2/query/video_generation/${modelInPath(id.slice(V2.length))}`)
        : at(config, `/v1/query/video_generation?task_id=${encodeURIComponent(id)}`),
    }),
    readState: (answer, id) => (id.startsWith(V2) ? readSecond(answer) : readFirst(answer, id)),
    readError,
    *locate({ url, file_id = '' }, { config, variant }) {
      if (variant !== 'video') return { url: undefined }
      if (url) return { url }
      const { body } = yield { url: at(config, `/v1/files/retrieve?file_id=${encodeURIComponent(file_id)}`) }
      return { url: fileUrl(objectOf(objectOf(body).file).download_url) }
    },
  }
}

function writeFirst(request: VideoRequest): Json {
  const { model, prompt, seconds: duration, resolution, first_frame, last_frame, references } = request
  return withOwnFields(request, {
    ...{ model, prompt, duration, resolution: resolution?.toUpperCase() },
    ...{ first_frame_image: first_frame, last_frame_image: last_frame },
    subject_reference: references && [{ type: 'character', image: references }],
  })
}

function writeSecond(request: VideoRequest): Json {
  const { model, prompt, seconds: duration, resolution, ratio, first_frame, last_frame, references = [] } = request
  const picture = (url: string, role: string) => ({ type: 'image_url', image_url: { url }, role })
  const content = [
    { type: 'text', text: prompt },
    ...(first_frame ? [picture(first_frame, 'first_frame')] : []),
    ...(last_frame ? [picture(last_frame, 'last_frame')] : []),
    ...references.map(url => picture(url, 'reference_image')),
    ...(request.video ? [{ type: 'video_url', video_url: { url: request.video } }] : []),
  ]
  return withOwnFields(request, { model, content, resolution: resolution?.toUpperCase(), duration, ratio })
}

function readFirst({ task_id, status, file_id, base_resp }: Json, asked: string) {
  if (status === undefined || status === '' || (task_id !== undefined && String(task_id) !== asked)) return undefined
  const file = file_id ? String(file_id) : undefined
  const { status_msg, status_code } = objectOf(base_resp)
  const fail_reason = status_code ? textOf(status_msg) : ''
  return { status: statusIn(status), fail_reason, video: { file_id: file } }
}

function readSecond({ task }: Json) {
  const { status, content, error, usage, duration } = objectOf(task)
  if (status === undefined) return undefined
  const { url } = objectOf(content)
  const { output_seconds, total_seconds, input_seconds } = objectOf(usage)
  return {
    ...{ status: statusIn(status), fail_reason: reasonIn(error), video: { url: fileUrl(url) } },
    report: reportOf({ seconds: output_seconds ?? duration ?? total_seconds, extras: { input_second: input_seconds } }),
  }
}

const types: Record<string, [status: number, type: string]> = {
  1002: [429, 'rate_limit_error'],
  1004: [401, 'authentication_error'],
  2049: [401, 'authentication_error'],
  1008: [403, 'insufficient_quota'],
  1026: [400, 'invalid_request_error'],
  2013: [400, 'invalid_request_error'],
}

/** Responses of the first version are 200: `base_resp` says whether each is an error. */
function readError(body: unknown, status = 0): ApiError | undefined {
  const { status_code, status_msg } = objectOf(objectOf(body).base_resp)
  if (!status_code) return readOpenAiError(body, status)
  const [known = 500, type = 'server_error'] = types[String(status_code)] ?? []
  return {
    status: status >= 400 ? status : known,
    type,
    message: textOf(status_msg),
    code: String(status_code),
    param: null,
  }
}
