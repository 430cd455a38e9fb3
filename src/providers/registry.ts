/** Every channel type, by its number. */
import { ai360 } from './360.ts'
import { anthropic } from './anthropic.ts'
import { ark } from './ark.ts'
import { azure } from './azure.ts'
import { custom } from './custom.ts'
import { deepSeek } from './deepseek.ts'
import { fastGpt } from './fastgpt.ts'
import { gemini } from './gemini.ts'
import { gitHub } from './github.ts'
import { lingyi } from './lingyi.ts'
import { miniMax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openAi } from './openai.ts'
import { openRouter } from './openrouter.ts'
import { planned } from './planned.ts'
import type { Provider } from './provider.ts'
import { qianfan } from './qianfan.ts'
import { siliconCloud } from './siliconcloud.ts'
import { xai } from './xai.ts'
import { xinference } from './xinference.ts'
import { zhipu } from './zhipu.ts'

const available = [
  openAi,
  azure,
  ollama,
  custom,
  anthropic,
  ai360,
  openRouter,
  fastGpt,
  gemini,
  moonshot,
  zhipu,
  lingyi,
  miniMax,
  siliconCloud,
  mistral,
  deepSeek,
  ark,
  qianfan,
  xinference,
  xai,
  gitHub,
]

export const providers: readonly Provider[] = [...available, ...planned].sort((a, b) => a.type - b.type)

const byType = new Map(providers.map(provider => [provider.type, provider]))

export const providerOf = (type: number): Provider | undefined => byType.get(type)
