/** Zhipu's fourth API. Its keys open it as they are. */
import type { Json } from '../codecs/codec.ts'
import { asNumbers } from './embeddings.ts'
import { endings, renamed, typed, withOneLimit } from './fit.ts'
import { listed } from './models.ts'
import { openAiCompatible, plain } from './openai.ts'

export const zhipu = openAiCompatible({
  type: 26,
  label: 'Zhipu GLM-4V',
  base_url: 'https://open.bigmodel.cn',
  key_format: 'id.secret',
  models: listed(26),
  root: '/api/paas/v4',
  offers: {
    chat: { fitRequest, fitAnswer, fitEvent: fitAnswer },
    embeddings: { fitRequest: asNumbers },
    image_generations: plain,
  },
})

const TOP_P_MAX = 0.99

/** Both scales are open at their ends: 1 is too much for one, 0 too little for the other, which then does not sample. */
function fitRequest(asked: Json): Json {
  const { temperature, top_p } = asked
  const body = withOneLimit(asked)
  const fitted = typeof top_p === 'number' && top_p >= 1 ? { ...body, top_p: TOP_P_MAX } : body
  return temperature === 0 ? { ...renamed(fitted, 'temperature', 'do_sample'), do_sample: false } : fitted
}

function fitAnswer(answer: Json): Json {
  return typed(ended(answer), { 1113: 'insufficient_quota' })
}

const ended = endings({
  sensitive: 'content_filter',
  model_context_window_exceeded: 'length',
  network_error: 'stop',
})
