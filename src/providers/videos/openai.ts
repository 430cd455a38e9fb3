/**
 * Videos as OpenAI made them, at resellers and other gateways.
 * https://platform.openai.com/docs/api-reference/videos (read 2026-11)
 */
import { numberOf, objectOf } from '../../formats/json/lenient-json.ts'
import { readError } from '../../formats/openai-chat/api-error.ts'
import type { VideoCapabilities } from '../../formats/videos/capabilities.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, modelInPath, withVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { filled, reasonIn, reportOf } from './words.ts'

const sora = { seconds: [4, 8, 12], first_frame: 'optional' } as const satisfies Partial<VideoCapabilities>
const small = ['720x1280', '1280x720']

/** Fields of makers behind another gateway that change no price. */
const own_fields = [
  ...['watermark', 'camera_fixed', 'camera_control', 'cfg_scale', 'prompt_extend', 'prompt_optimizer', 'style'],
  ...['movement_amplitude', 'static_mask', 'dynamic_masks', 'personGeneration', 'user', 'user_id', 'safety_identifier'],
]

const capabilities: readonly VideoCapabilities[] = [
  {
    ...{ models: 'sora-2-pro', pattern: /^sora-2-pro/, ...sora, sizes: [...small, '1024x1792', '1792x1024'] },
  },
  { models: 'sora-2', pattern: /^sora/, ...sora, sizes: small },
  {
    ...{ models: 'others', pattern: /^/, seconds: { min: 1, max: 60, usual: 5 } },
    resolutions: ['720p', '480p', '360p', '540p', '768p', '1024p', '1080p', '2k', '4k'],
    ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '17:9'],
    ...{ first_frame: 'optional', last_frame: true, references: 9, video: 'optional', sound: true },
    ...{ seed: true, negative_prompt: true, own_fields },
  },
]

const rootOf = (config: UpstreamConfig, base: string) => `${withVersion(baseUrlOf(config, base), '/v1')}/videos`

/** @param base of channels that name none */
export const openAiVideos = (base = ''): VideoUpstream => ({
  capabilities,
  submitUrl: (config, _, { remixed_id }) =>
    remixed_id ? `${rootOf(config, base)}/${modelInPath(remixed_id)}/remix` : rootOf(config, base),
  write,
  readId: ({ id, task_id }) => id ?? task_id,
  ask: (id, config) => ({ url: `${rootOf(config, base)}/${modelInPath(id)}` }),
  readState,
  readError,
  locate(_, { id, config, variant }) {
    const query = variant === 'video' ? '' : `?variant=${variant}`
    return { url: `${rootOf(config, base)}/${modelInPath(id)}/content${query}`, with_key: true }
  },
  remove: (id, config) => ({ method: 'DELETE', url: `${rootOf(config, base)}/${modelInPath(id)}` }),
  remixes: true,
})

function write(request: VideoRequest): Json {
  const { model, prompt, seconds, size, resolution, ratio, metadata, remixed_id } = request
  if (remixed_id) return { prompt }
  const { first_frame, last_frame, references, video, sound, seed, negative_prompt } = request
  const isSora = model.startsWith('sora')
  return filled({
    ...{ model, prompt, seconds: String(seconds), size },
    ...(!isSora && { resolution, aspect_ratio: ratio, generate_audio: sound, seed, negative_prompt }),
    input_reference: first_frame && { image_url: first_frame },
    ...{ last_frame, reference_images: references, video_url: video, metadata },
  })
}

function readState({ id, task_id, status, progress, error, seconds, url, metadata, ...body }: Json, asked: string) {
  if (![id, task_id].includes(asked)) return undefined
  const own = fileUrl(url) ?? fileUrl(body.video_url) ?? fileUrl(objectOf(metadata).url)
  return {
    status: statusIn(status),
    progress: numberOf(progress),
    fail_reason: reasonIn(error),
    // The file is to be had under the id, whether or not an address is named.
    video: { file_id: asked, url: own },
    report: reportOf({ seconds }),
  }
}
