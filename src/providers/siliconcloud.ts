/** SiliconCloud: open models of many makers. */
import type { Json } from '../codecs/codec.ts'
import { baseOf } from './address.ts'
import { asAsked } from './embeddings.ts'
import { failure, renamed, withOneLimit } from './fit.ts'
import { amountIn, asking } from './inquiry.ts'
import { listed } from './models.ts'
import { openAiCompatible, plainly } from './openai.ts'

const HOME = 'https://api.siliconflow.cn'

export const siliconCloud = openAiCompatible({
  type: 40,
  label: 'SiliconCloud',
  base_url: HOME,
  models: listed(40),
  offers: {
    chat: { fitRequest: withOneLimit, fitAnswer },
    completions: { fitAnswer },
    embeddings: { fitAnswer: readVectors },
    image_generations: { fitRequest: fitPicture, fitAnswer: readPictures },
    rerank: { fitAnswer },
    ...plainly('speech', 'transcriptions'),
  },
  balance: asking(
    line => `${baseOf(line, HOME)}/v1/user/info`,
    answer => amountIn(answer, 'data.totalBalance'),
  ),
})

/** What its numbers mean, where the status does not say it. */
const kinds: Record<string, string> = {
  20012: 'not_found_error',
  30001: 'insufficient_quota',
  50505: 'overloaded_error',
}

/** Errors are a number and a sentence. */
function fitAnswer(answer: Json): Json {
  const { code, message } = answer
  const type = kinds[String(code)]
  return type && typeof message === 'string' ? failure(message, type, code) : answer
}

function readVectors(answer: Json, asked: Json): Json {
  return asAsked(fitAnswer(answer), asked)
}

function fitPicture(body: Json): Json {
  return renamed(renamed(body, 'size', 'image_size'), 'n', 'batch_size')
}

/** Older models list pictures under another name. */
function readPictures(answer: Json): Json {
  return 'images' in answer ? renamed(answer, 'images', 'data') : fitAnswer(answer)
}
