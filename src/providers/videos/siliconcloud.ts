/** Wan at SiliconCloud. https://docs.siliconflow.cn/cn/api-reference/videos/videos_submit (read 2026-11) */
import { objectOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { readError } from '../../formats/openai-chat/api-error.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import { baseUrlOf, withVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { filled, reasonIn } from './words.ts'

/** @param base of channels that name none */
export function siliconCloudVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig, path: string) => `${withVersion(baseUrlOf(config, base), '/v1')}/video${path}`
  return {
    capabilities: [
      {
        ...{ models: 'I2V', pattern: /i2v/i, first_frame: 'required', seconds: [5] },
        ...{ sizes: ['1280x720', '720x1280', '960x960'], seed: true, negative_prompt: true },
      },
      {
        ...{ models: 'others', pattern: /^/, seconds: [5] },
        ...{ sizes: ['1280x720', '720x1280', '960x960'], seed: true, negative_prompt: true },
      },
    ],
    submitUrl: config => at(config, '/submit'),
    write: ({ model, prompt, size: image_size, first_frame: image, seed, negative_prompt }) =>
      filled({ model, prompt, image_size, image, seed, negative_prompt }),
    readId: ({ requestId }) => requestId,
    ask: (requestId, config) => ({ url: at(config, '/status'), body: { requestId } }),
    readState({ status, reason, results }) {
      if (status === undefined) return undefined
      const [made = {}] = objectsOf(objectOf(results).videos)
      return { status: statusIn(status), fail_reason: reasonIn(reason), video: { url: fileUrl(made.url) } }
    },
    readError: (body, status = 0) => readError(objectOf(body).code ? { error: body } : body, status),
  }
}
