/** Language models at Replicate: one prompt, pieces of text. */
import { replicate as format } from '../../../src/formats/replicate/index.ts'
import { answerSchema, type Json, picture, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = 'What is 2 + 2?'
const demand =
  'Answer with one JSON object and nothing else: no explanation, no code fence. It must match this JSON schema.'

const ask = (prompt: string, inputs: Json = {}): Json => ({ input: { prompt, max_tokens: 100, ...inputs } })

const requests: UpstreamWire['requests'] = {
  text: ask(`User: Hi\n\nAssistant: Hello.\n\nUser: ${question}\n\nAssistant:`, {
    system_prompt: 'Be brief.',
    temperature: 0.5,
    top_p: 0.9,
  }),
  image: ask('What is this?', { image: `data:image/png;base64,${picture}` }),
  schema: ask(question, { system_prompt: `${demand}\n${JSON.stringify(answerSchema)}` }),
  stop: ask(question),
}

const answer = (output: string[], input_token_count: number, output_token_count: number): Json => ({
  id: 'p1',
  model: 'meta/llama',
  status: 'succeeded',
  output,
  error: null,
  created_at: '2023-11-14T22:13:20.000Z',
  metrics: { predict_time: 1, input_token_count, output_token_count },
})

const answers: UpstreamWire['answers'] = {
  text: answer(['Four', ' 四.'], 22, 5),
  image: answer(['A dot.'], 800, 3),
  schema: answer(['{"answer":4', ',"sure":true}'], 50, 9),
  stop: answer(['Four'], 20, 1),
}

const output = (data: string): Json => ({ event: 'output', id: '1:0', data })

/** As JSON, which the framing of the API is read as. The counts stand where the stream is written from a whole prediction. */
const stream = (texts: string[], input_token_count: number, output_token_count: number): string =>
  unnamed([
    ...texts.map(output),
    { event: 'done', data: '{}', metrics: { predict_time: 1, input_token_count, output_token_count } },
  ])

const streams: UpstreamWire['streams'] = {
  text: stream(['Four', ' 四', '.'], 22, 5),
  image: stream(['A dot.'], 800, 3),
  schema: stream(['{"answer":4', ',"sure":true}'], 50, 9),
  stop: stream(['Four'], 20, 1),
}

const error = { title: 'Too many requests', detail: 'Slow down', status: 429 }

export const replicate: UpstreamWire = {
  title: 'Replicate',
  format,
  model: 'meta/llama',
  requests,
  answers,
  streams,
  errors: {
    status: 429,
    body: error,
    stream: unnamed([output('Fo'), { event: 'error', data: JSON.stringify(error) }]),
  },
  without: {
    tools: 'Models call no functions; functions of a client are refused.',
    thinking: 'Models write their thoughts into the text, and have no effort.',
  },
  // Schemas of Gemini's clients are more open.
  unsaid: { gemini: ['system_prompt'] },
}
