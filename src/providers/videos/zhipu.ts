/** CogVideoX. https://docs.bigmodel.cn/api-reference/模型-api/视频生成异步 (read 2026-11) */
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { readError } from '../../formats/openai-chat/api-error.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import { baseUrlOf, modelInPath, withVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { reasonIn, withOwnFields } from './words.ts'

/** @param base of channels that name none */
export function zhipuVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig, path: string) => withVersion(baseUrlOf(config, base), '/api/paas/v4') + path
  return {
    capabilities: [
      {
        ...{ models: 'cogvideox', pattern: /^cogvideox/i, seconds: [5, 10] },
        sizes: [
          ...['1920x1080', '1080x1920', '1280x720', '720x1280', '1024x1024', '1280x960', '960x1280'],
          ...['2048x1080', '3840x2160'],
        ],
        ...{ first_frame: 'optional', sound: true, own_fields: ['quality', 'fps', 'watermark_enabled'] },
      },
    ],
    submitUrl: config => at(config, '/videos/generations'),
    write: ({ model, prompt, seconds: duration, size, sound: with_audio, first_frame: image_url, metadata }) =>
      withOwnFields({ metadata }, { model, prompt, duration, size, with_audio, image_url }),
    readId: ({ id }) => id,
    ask: (id, config) => ({ url: at(config, `/async-result/${modelInPath(id)}`) }),
    readState({ task_status, video_result, error, message }) {
      if (task_status === undefined) return undefined
      const [made = {}] = objectsOf(video_result)
      const video = { url: fileUrl(made.url), cover_url: fileUrl(made.cover_image_url) }
      return { status: statusIn(task_status), fail_reason: reasonIn(error) || reasonIn(message), video }
    },
    readError,
  }
}
