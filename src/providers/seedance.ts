/** Seedance at Volcengine Ark, as a type of its own. https://www.volcengine.com/docs/82379/1520757 (read 2026-11) */
import { bearer } from './kit/openai-compatible.ts'
import { provider } from './kit/provider.ts'
import { videoApi } from './kit/video-api.ts'
import { arkVideos } from './videos/ark.ts'

const BASE_URL = 'https://ark.cn-beijing.volces.com'

export const seedance = provider({
  type: 54,
  label: 'Doubao videos',
  base_url: BASE_URL,
  authorize: bearer,
  apis: { videos: videoApi(arkVideos(BASE_URL)) },
})
