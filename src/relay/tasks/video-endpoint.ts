/** How videos are submitted, in any client's format. */
import type { VideoClientFormat } from '../../formats/videos/index.ts'
import type { TaskEndpoint } from './submit.ts'
import { planVideo } from './video-plan.ts'

/** A path at which videos are submitted in a client's format. */
export const videoEndpoint = (format: VideoClientFormat): TaskEndpoint => ({
  ...{ platform: 'video', operation: 'videos', action: 'video', format, form: 'inlined' },
  plan: planVideo,
})
