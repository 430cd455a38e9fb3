import { spark as format } from '../../../src/formats/spark/index.ts'
import { answerSchema, type Json, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = { role: 'user', content: 'What is 2 + 2?' }

const request = (text: Json[], chat: Json = {}, header: Json = {}): Json => ({
  header,
  parameter: { chat: { domain: 'm', ...chat } },
  payload: { message: { text } },
})

const instruction =
  'Answer with one JSON object and nothing else: no explanation, no code fence. It must match this JSON schema.'

const requests: UpstreamWire['requests'] = {
  text: request(
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      question,
    ],
    { temperature: 0.5, max_tokens: 100 },
    { uid: 'ann' },
  ),
  schema: request([{ role: 'system', content: `${instruction}\n${JSON.stringify(answerSchema)}` }, question], {
    max_tokens: 100,
  }),
  thinking: request([question], { max_tokens: 40_000 }),
  stop: request([question], { max_tokens: 100 }),
}

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  text: { question_tokens: 1, prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
})

const frame = (status: number, fields: Json, used?: Json): Json => ({
  header: { code: 0, message: 'Success', sid: 'cht000b1', status },
  payload: {
    choices: { status, seq: status, text: [{ role: 'assistant', index: 0, content: '', ...fields }] },
    ...(used && { usage: used }),
  },
})

const answers: UpstreamWire['answers'] = {
  text: frame(2, { content: 'Four 四.' }, usage(22, 5)),
  schema: frame(2, { content: '{"answer":4,"sure":true}' }, usage(50, 9)),
  thinking: frame(2, { reasoning_content: 'Two and two.', content: 'Four.' }, usage(30, 60)),
  stop: frame(2, { content: 'Four' }, usage(20, 1)),
}

const streams: UpstreamWire['streams'] = {
  text: unnamed([
    frame(0, { content: 'Four' }),
    frame(1, { content: ' 四' }),
    frame(2, { content: '.' }, usage(22, 5)),
  ]),
  schema: unnamed([frame(0, { content: '{"answer":4' }), frame(2, { content: ',"sure":true}' }, usage(50, 9))]),
  thinking: unnamed([
    frame(0, { reasoning_content: 'Two and' }),
    frame(1, { reasoning_content: ' two.' }),
    frame(1, { content: 'Four.' }),
    frame(2, {}, usage(30, 60)),
  ]),
  stop: unnamed([frame(0, { content: 'Four' }), frame(2, {}, usage(20, 1))]),
}

const error = { header: { code: 11202, message: 'Slow down', sid: 'cht000b1', status: 2 } }

export const spark: UpstreamWire = {
  title: 'Spark',
  format,
  model: 'm',
  requests,
  answers,
  streams,
  errors: { status: 200, body: error, stream: unnamed([frame(0, { content: '' }), error]) },
  without: {
    tools: 'Functions exist over HTTP only, in the format of OpenAI chat.',
    image: 'The chat models accept texts only.',
  },
  unsaid: { gemini: ['uid', 'additionalProperties'] },
}
