/** Videos of Grok Imagine. https://docs.x.ai/docs/guides/video-generations (read 2026-11) */

import { isObject } from '../../formats/json/checks.ts'
import { objectOf } from '../../formats/json/lenient-json.ts'
import { readError } from '../../formats/openai-chat/api-error.ts'
import { fileUrl, statusIn } from '../../formats/videos/states.ts'
import { baseUrlOf, modelInPath, withVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import type { VideoUpstream } from '../kit/video-api.ts'
import { reasonIn, reportOf, withOwnFields } from './words.ts'

const TICKS_PER_USD = 10_000_000_000

/** @param base of channels that name none */
export function xaiVideos(base: string): VideoUpstream {
  const at = (config: UpstreamConfig, path: string) => `${withVersion(baseUrlOf(config, base), '/v1')}/videos${path}`
  return {
    capabilities: [
      {
        ...{ models: 'grok-imagine-video', pattern: /^grok-imagine-video/, seconds: { min: 1, max: 15, usual: 8 } },
        resolutions: ['480p', '720p'],
        ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'],
        ...{ first_frame: 'optional', video: 'optional', keeps_length: true },
      },
    ],
    submitUrl: (config, _, { video }) => at(config, video ? '/edits' : '/generations'),
    write({
      model,
      prompt,
      seconds: duration,
      resolution,
      ratio: aspect_ratio,
      first_frame,
      video: video_url,
      ...rest
    }) {
      if (video_url) return { model, prompt, video_url }
      const image = first_frame && { url: first_frame }
      return withOwnFields(rest, { model, prompt, duration, resolution, aspect_ratio, image })
    },
    readId: ({ request_id }) => request_id,
    ask: (id, config) => ({ url: at(config, `/${modelInPath(id)}`) }),
    readState({ status, video, error, usage, request_id }, id) {
      if (status === undefined || (request_id !== undefined && request_id !== id)) return undefined
      const { url, duration } = objectOf(video)
      const { cost_in_usd_ticks } = objectOf(usage)
      const cost_usd = typeof cost_in_usd_ticks === 'number' ? cost_in_usd_ticks / TICKS_PER_USD : undefined
      return {
        ...{ status: statusIn(status), fail_reason: reasonIn(error) },
        ...{ video: { url: fileUrl(url) }, report: reportOf({ seconds: duration, cost_usd }) },
      }
    },
    // An error is a code and a text.
    readError: (body, status) =>
      readError(
        isObject(body) && typeof body.error === 'string' ? { error: { ...body, message: body.error } } : body,
        status,
      ),
  }
}
