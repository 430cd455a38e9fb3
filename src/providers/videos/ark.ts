/** Seedance at Volcengine Ark. https://www.volcengine.com/docs/82379/1520757 (read 2026-11) */
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import { readError } from '../../formats/openai-chat/api-error.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, modelInPath, withVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { reasonIn, reportOf, withOwnFields } from './words.ts'

const frames = {
  ...{ first_frame: 'optional', last_frame: true, seed: true },
  ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'],
  own_fields: ['camera_fixed', 'watermark', 'return_last_frame', 'safety_identifier'],
} as const satisfies Partial<VideoCapabilities>

const capabilities: readonly VideoCapabilities[] = [
  {
    ...{ models: 'seedance-2', pattern: /seedance-2/, ...frames, seconds: { min: 4, max: 15, usual: 5 } },
    ...{ resolutions: ['720p', '480p', '1080p', '4k'], references: 9, video: 'optional', sound: true },
  },
  {
    ...{ models: 'seedance-1-5', pattern: /seedance-1-5/, ...frames, seconds: { min: 4, max: 12, usual: 5 } },
    ...{ resolutions: ['720p', '480p', '1080p'], sound: true },
  },
  {
    ...{ models: 'seedance-1-0-lite-i2v', pattern: /lite-i2v/, ...frames, seconds: { min: 2, max: 12, usual: 5 } },
    ...{ resolutions: ['720p', '480p', '1080p'], references: 4 },
  },
  {
    ...{ models: 'others', pattern: /^/, ...frames, seconds: { min: 2, max: 12, usual: 5 } },
    resolutions: ['720p', '480p', '1080p'],
  },
]

/** @param base of channels that name none */
export function arkVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig, id = '') =>
    `${withVersion(baseUrlOf(config, base), '/api/v3')}/contents/generations/tasks${id && `/${modelInPath(id)}`}`
  return {
    capabilities,
    submitUrl: config => at(config),
    write,
    readId: ({ id }) => id,
    ask: (id, config) => ({ url: at(config, id) }),
    readState({ id, status, content, error, usage }, asked) {
      if (id !== asked) return undefined
      const { video_url, last_frame_url } = objectOf(content)
      const { completion_tokens, total_tokens, tool_usage } = objectOf(usage)
      return {
        ...{ status: statusIn(status), fail_reason: reasonIn(error) },
        video: { url: fileUrl(video_url), last_frame_url: textOf(last_frame_url) },
        report: reportOf({
          tokens: completion_tokens ?? total_tokens,
          extras: { web_search: objectOf(tool_usage).web_search },
        }),
      }
    },
    readError,
    remove: (id, config) => ({ method: 'DELETE', url: at(config, id) }),
  }
}

function write(request: VideoRequest): Json {
  const { model, prompt, seconds: duration, resolution, ratio, seed, sound: generate_audio } = request
  const { first_frame, last_frame, references = [], video } = request
  const content = [
    { type: 'text', text: prompt },
    ...(first_frame ? [picture(first_frame, 'first_frame')] : []),
    ...(last_frame ? [picture(last_frame, 'last_frame')] : []),
    ...references.map(url => picture(url, 'reference_image')),
    ...(video ? [{ type: 'video_url', video_url: { url: video }, role: 'reference_video' }] : []),
  ]
  return withOwnFields(request, { model, content, resolution, ratio, duration, seed, generate_audio })
}

const picture = (url: string, role: string) => ({ type: 'image_url', image_url: { url }, role })
