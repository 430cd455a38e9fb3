/** Every maker of videos: how strict it is, and how it speaks. */
import { ali, ark, openRouter, siliconCloud, veo, xai, zhipu } from './clouds.ts'
import { hailuo, hailuo2, jimeng, kling, vidu } from './makers.ts'
import { openAiWire } from './openai.ts'
import { qianfanKling, qianfanVidu } from './qianfan.ts'
import type { VideoWire } from './server.ts'
import { vertexVeo } from './vertex.ts'

/** A maker with two APIs has a row for each; each model has one channel alone. */
export const videoWires: readonly VideoWire[] = [
  ...[1, 55, 59, 60].map(type => openAiWire(type, `sora-2-of-${type}`)),
  ...[
    xai,
    openRouter,
    zhipu,
    siliconCloud,
    kling,
    ark(45),
    ark(54),
    ali,
    veo,
    vertexVeo,
    qianfanVidu,
    qianfanKling,
    vidu,
    hailuo,
    hailuo2,
    jimeng,
  ],
]
