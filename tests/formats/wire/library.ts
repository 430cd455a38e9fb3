import { library as format } from '../../../src/formats/library/index.ts'
import { type Json, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const MODEL = 'gpt-4o'
const question = { model: MODEL, stream: false, query: 'What is 2 + 2?' }
const answer = (text: string): Json => ({ success: true, message: '', errCode: 0, answer: text, documents: [] })

const stream = (...texts: string[]) =>
  unnamed([
    ...texts.map(content => ({ content, finish: false, model: MODEL, documents: null })),
    { content: '', finish: true, model: MODEL, documents: [] },
  ])

const error = { success: false, message: 'Slow down', errCode: 429 }

export const library: UpstreamWire = {
  title: 'AI Proxy library',
  format,
  model: MODEL,
  requests: {
    text: question,
    stop: question,
  },
  answers: {
    text: answer('Four 四.'),
    stop: answer('Four'),
  },
  streams: {
    text: stream('Four', ' 四', '.'),
    stop: stream('Four'),
  },
  errors: {
    status: 200,
    body: error,
    stream: unnamed([{ content: 'Fo', finish: false, model: MODEL, documents: null }, error]),
  },
  without: {
    tools: 'There are no functions.',
    image: 'There is only text.',
    schema: 'There is no such field: a wish for JSON is put into the instructions.',
    thinking: 'The knowledge base shows no reasoning.',
  },
}
