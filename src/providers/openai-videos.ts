/** Resellers of videos behind the API that OpenAI had for them. https://platform.openai.com/docs/api-reference/videos (read 2026-11) */
import { bearer } from './kit/openai-compatible.ts'
import { provider } from './kit/provider.ts'
import { videoApi } from './kit/video-api.ts'
import { openAiVideos } from './videos/openai.ts'

export const openAiVideo = provider({
  type: 55,
  label: 'OpenAI-compatible videos',
  key_format: 'sk-…',
  authorize: bearer,
  apis: { videos: videoApi(openAiVideos()) },
})
