/** Videos at OpenRouter. https://openrouter.ai/docs/features/multimodal/video-generation (read 2026-11) */
import { objectOf } from '../../formats/json/lenient-json.ts'
import { readError } from '../../formats/openai-chat/api-error.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { statusIn } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, modelInPath, withVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { filled, reasonIn, reportOf } from './words.ts'

/** @param base of channels that name none */
export function openRouterVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig, path = '') => `${withVersion(baseUrlOf(config, base), '/v1')}/videos${path}`
  return {
    capabilities: [
      {
        ...{ models: 'all', pattern: /^/, seconds: { min: 1, max: 60, usual: 5 } },
        resolutions: ['720p', '480p', '1080p', '2k', '4k'],
        ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '9:21'],
        ...{ first_frame: 'optional', last_frame: true, references: 9, sound: true, seed: true },
      },
    ],
    submitUrl: config => at(config),
    write,
    readId: ({ id }) => id,
    ask: (id, config) => ({ url: at(config, `/${modelInPath(id)}`) }),
    readState({ id, status, error, usage }, asked) {
      if (id !== asked) return undefined
      const report = reportOf({ cost_usd: objectOf(usage).cost })
      return { status: statusIn(status), fail_reason: reasonIn(error), video: { file_id: asked }, report }
    },
    readError,
    locate(_, { id, config, variant }) {
      const url = variant === 'video' ? at(config, `/${modelInPath(id)}/content?index=0`) : undefined
      return { url, with_key: true }
    },
  }
}

function write({ model, prompt, seconds, resolution, ratio, sound, seed, ...pictures }: VideoRequest): Json {
  const { first_frame, last_frame, references } = pictures
  const frames = [
    ...(first_frame ? [frame(first_frame, 'first_frame')] : []),
    ...(last_frame ? [frame(last_frame, 'last_frame')] : []),
  ]
  return filled({
    ...{ model, prompt, duration: seconds, resolution, aspect_ratio: ratio, generate_audio: sound, seed },
    frame_images: frames.length ? frames : undefined,
    input_references: references?.map(picture),
  })
}

const picture = (url: string) => ({ type: 'image_url', image_url: { url } })
const frame = (url: string, frame_type: string) => ({ ...picture(url), frame_type })
