/** Apps of Dify: everything is one query, and every answer a stream. */
import { dify as format } from '../../../src/formats/dify/index.ts'
import { answerSchema, type Json, picture, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const ask = (query: string, fields: Json = {}): Json => ({
  inputs: {},
  query,
  response_mode: 'streaming',
  auto_generate_name: false,
  ...fields,
})

const question = 'What is 2 + 2?'
const demand =
  'Answer with one JSON object and nothing else: no explanation, no code fence. It must match this JSON schema.'

const requests: UpstreamWire['requests'] = {
  text: ask(`SYSTEM: \nBe brief.\nUSER: \nHi\nASSISTANT: \nHello.\nUSER: \n${question}\n`, {
    message: question,
    user: 'ann',
  }),
  image: ask('What is this?', {
    files: [
      {
        type: 'image',
        transfer_method: 'local_file',
        content: { name: 'file.png', media_type: 'image/png', data: picture },
      },
    ],
  }),
  schema: ask(`SYSTEM: \n${demand}\n${JSON.stringify(answerSchema)}\nUSER: \n${question}\n`, { message: question }),
  thinking: ask(question),
  stop: ask(question),
}

const ids = { task_id: 't-1', message_id: 'm-1', conversation_id: 'c-1', created_at: 1_700_000_000 }

const message = (answer: string): Json => ({ event: 'message', ...ids, answer })

const stream = (texts: string[], prompt_tokens: number, completion_tokens: number): string =>
  unnamed([
    ...texts.map(message),
    {
      event: 'message_end',
      ...ids,
      metadata: { usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } },
    },
  ])

const streams: UpstreamWire['streams'] = {
  text: stream(['Four', ' 四', '.'], 22, 5),
  image: stream(['A dot.'], 800, 3),
  schema: stream(['{"answer":4', ',"sure":true}'], 50, 9),
  thinking: stream(['<think>', 'Two and', ' two.</th', 'ink>\n\nFour.'], 30, 60),
  stop: stream(['Four'], 20, 1),
}

const error = { code: 'too_many_requests', message: 'Slow down', status: 429 }

export const dify: UpstreamWire = {
  title: 'Dify',
  format,
  model: 'app',
  requests,
  streams,
  errors: { status: 429, body: error, stream: unnamed([message('Fo'), { event: 'error', ...ids, ...error }]) },
  without: { tools: 'An app calls its own tools; functions of a client are refused.' },
  // Gemini's clients name no user, and their schemas are more open.
  unsaid: { gemini: ['user', 'query'] },
}
