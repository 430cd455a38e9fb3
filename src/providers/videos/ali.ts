/** Wan and other makers' videos at DashScope. https://help.aliyun.com/zh/model-studio/text-to-video-api-reference (read 2026-11) */
import { readError as readAliError } from '../../formats/ali/api-error.ts'
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl, type StateWords, statusIn, usualWords } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { aliUrl, asJob } from '../ali/jobs.ts'
import { modelInPath } from '../kit/base-url.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { filled, reasonIn, reportOf } from './words.ts'

const shared = {
  ...{ seed: true, negative_prompt: true, own_fields: ['prompt_extend', 'watermark'] },
} as const satisfies Partial<VideoCapabilities>

const sizes = {
  '480p': ['832x480', '480x832', '624x624'],
  '720p': ['1280x720', '720x1280', '960x960', '1088x832', '832x1088'],
  '1080p': ['1920x1080', '1080x1920', '1440x1440', '1632x1248', '1248x1632'],
}

const horse = { resolutions: ['720p', '1080p'], seconds: { min: 3, max: 15, usual: 5 } } as const
const horseRatios = ['16:9', '9:16', '1:1', '4:3', '3:4'] as const

const capabilities: readonly VideoCapabilities[] = [
  { models: 'happyhorse-t2v', pattern: /^happyhorse-.*t2v/, ...horse, ratios: horseRatios },
  { models: 'happyhorse-i2v', pattern: /^happyhorse-.*i2v/, ...horse, first_frame: 'required' },
  { models: 'happyhorse-r2v', pattern: /^happyhorse-.*r2v/, ...horse, ratios: horseRatios, references: 9 },
  {
    ...{ models: 'happyhorse-video-edit', pattern: /^happyhorse-.*edit/, resolutions: ['720p', '1080p'] },
    ...{ references: 5, video: 'required', own_fields: ['audio_setting'] },
  },
  {
    ...{ models: 'wan2.7', pattern: /^wan2\.7/, ...shared, seconds: { min: 2, max: 15, usual: 5 } },
    ...{ resolutions: ['720p', '1080p'], ratios: horseRatios, first_frame: 'optional', last_frame: true },
  },
  {
    ...{ models: 'wan2.6-t2v', pattern: /^wan2\.6-t2v/, ...shared, seconds: [5, 10, 15] },
    sizes: [...sizes['720p'], ...sizes['1080p']],
  },
  {
    ...{ models: 'wan2.6-i2v', pattern: /^wan2\.6-i2v/, ...shared, seconds: [5, 10, 15] },
    ...{ resolutions: ['720p', '1080p'], first_frame: 'required' },
  },
  {
    ...{ models: 'wan2.5-t2v', pattern: /^wan2\.5-t2v/, ...shared, seconds: [5, 10], sound: true },
    sizes: [...sizes['720p'], ...sizes['480p'], ...sizes['1080p']],
  },
  {
    ...{ models: 'wan2.5-i2v', pattern: /^wan2\.5-i2v/, ...shared, seconds: [5, 10], sound: true },
    ...{ resolutions: ['720p', '480p', '1080p'], first_frame: 'required' },
  },
  {
    ...{ models: 'wan-kf2v', pattern: /^wanx?2.*kf2v/, ...shared, seconds: [5] },
    ...{ resolutions: ['720p', '480p', '1080p'], first_frame: 'required', last_frame: true },
  },
  {
    ...{ models: 'wan-i2v', pattern: /^wanx?2.*i2v/, ...shared, seconds: [5] },
    ...{ resolutions: ['720p', '480p', '1080p'], first_frame: 'required' },
  },
  {
    ...{ models: 'wan-t2v', pattern: /^wanx?2.*t2v/, ...shared, seconds: [5] },
    sizes: [...sizes['720p'], ...sizes['480p'], ...sizes['1080p']],
  },
]

/** An id that is unknown, or older than a day, has this state. */
const words: StateWords = { ...usualWords, suspended: 'QUEUED', unknown: 'FAILURE' }

export const aliVideos: VideoUpstream = {
  capabilities,
  headers: asJob,
  submitUrl: config => aliUrl(config, '/api/v1/services/aigc/video-generation/video-synthesis'),
  write,
  readId: ({ output }) => objectOf(output).task_id,
  ask: (id, config) => ({ url: aliUrl(config, `/api/v1/tasks/${modelInPath(id)}`) }),
  readState({ output, usage }, asked) {
    const { task_id, task_status, video_url, message, code } = objectOf(output)
    if (task_status === undefined || (task_id !== undefined && task_id !== asked)) return undefined
    const { duration, video_duration, output_video_duration } = objectOf(usage)
    return {
      status: statusIn(task_status, words),
      fail_reason:
        reasonIn({ message, code }) || (task_status === 'UNKNOWN' ? 'the upstream does not know the task' : ''),
      video: { url: fileUrl(video_url) },
      report: reportOf({ seconds: output_video_duration ?? duration ?? video_duration }),
    }
  },
  readError: readAliError,
}

function write(request: VideoRequest): Json {
  const { model, prompt, negative_prompt, seconds, resolution, ratio, size, sound, seed, metadata } = request
  const parameters = filled({
    ...metadata,
    ...(size ? { size: size.replace('x', '*') } : { resolution: resolution?.toUpperCase(), ratio }),
    ...{ duration: seconds, audio: sound, seed },
  })
  return { model, input: filled({ prompt, negative_prompt, ...mediaOf(request) }), parameters }
}

/** Newer models take a list, older ones a field for each. */
function mediaOf({ model, first_frame, last_frame, references = [], video }: VideoRequest): Json {
  if (/^(?:happyhorse|wan2\.7)/.test(model)) {
    const media = [
      ...(video ? [{ type: 'video', url: video }] : []),
      ...(first_frame ? [{ type: 'first_frame', url: first_frame }] : []),
      ...(last_frame ? [{ type: 'last_frame', url: last_frame }] : []),
      ...references.map(url => ({ type: 'reference_image', url })),
    ]
    return media.length ? { media } : {}
  }
  if (textOf(model).includes('kf2v')) return { first_frame_url: first_frame, last_frame_url: last_frame }
  return { img_url: first_frame }
}
