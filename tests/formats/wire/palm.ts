import { palm as format } from '../../../src/formats/palm/index.ts'
import { type Json, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = { author: '0', content: 'What is 2 + 2?' }
const answer = (content: string): Json => ({ candidates: [{ author: '1', content }], messages: [question] })
const stream = (content: string) => unnamed([answer(content)])

const error = { error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }

export const palm: UpstreamWire = {
  title: 'PaLM 2',
  format,
  model: 'chat-bison-001',
  requests: {
    text: {
      prompt: {
        context: 'Be brief.',
        messages: [{ author: '0', content: 'Hi' }, { author: '1', content: 'Hello.' }, question],
      },
      temperature: 0.5,
      topP: 0.9,
    },
    stop: { prompt: { messages: [question] } },
  },
  answers: {
    text: answer('Four 四.'),
    stop: answer('Four'),
  },
  streams: {
    text: stream('Four 四.'),
    stop: stream('Four'),
  },
  errors: { status: 429, body: error, stream: unnamed([error]) },
  without: {
    tools: 'There are no functions.',
    image: 'There is only text.',
    schema: 'There is no such field: a wish for JSON is put into the instructions.',
    thinking: 'The models do not reason.',
  },
}
