/** SiliconCloud: open models of many makers. */
import type { Json } from '../codecs/codec.ts'
import { baseOf } from './address.ts'
import { asAsked } from './embeddings.ts'
import { failure, renamed } from './fit.ts'
import { amountIn, asking } from './inquiry.ts'
import { listed } from './models.ts'
import { openAiCompatible, plain } from './openai.ts'

const HOME = 'https://api.siliconflow.cn'

const kinds: Record<string, string> = {
  '30001': 'insufficient_quota',
  '20012': 'not_found_error',
  '50505': 'overloaded_error',
}

/** Errors are a number and a sentence. */
function fitAnswer(answer: Json): Json {
  const { code, message } = answer
  const type = kinds[String(code)]
  return type && typeof message === 'string' ? failure(message, type, code) : answer
}

/** Older models list pictures under another name. */
const readPictures = (answer: Json): Json =>
  Array.isArray(answer.images) && !Array.isArray(answer.data) ? renamed(answer, 'images', 'data') : fitAnswer(answer)

export const siliconCloud = openAiCompatible({
  type: 40,
  label: 'SiliconCloud',
  base_url: HOME,
  models: listed(40),
  offers: {
    chat: { fitAnswer },
    completions: { fitAnswer },
    embeddings: { fitAnswer: (answer, asked) => asAsked(fitAnswer(answer), asked) },
    image_generations: {
      fitRequest: body => renamed(renamed(body, 'size', 'image_size'), 'n', 'batch_size'),
      fitAnswer: readPictures,
    },
    speech: plain,
    transcriptions: plain,
    rerank: { fitAnswer },
  },
  balance: asking(
    line => `${baseOf(line, HOME)}/v1/user/info`,
    answer => amountIn(answer, 'data.totalBalance'),
  ),
})
