import { zhipuV3 as format } from '../../../src/formats/zhipu-v3/index.ts'
import { type Json, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = { role: 'user', content: 'What is 2 + 2?' }
const instructed = (content: string) => [
  { role: 'user', content },
  { role: 'assistant', content: 'Okay' },
]

const dataOf = (prompt_tokens: number, completion_tokens: number) => ({
  task_id: 't-1',
  request_id: 'r-1',
  task_status: 'SUCCESS',
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
})

const answer = (content: string, data: Json): Json => ({
  code: 200,
  msg: 'ok',
  success: true,
  data: { ...data, choices: [{ role: 'assistant', content: JSON.stringify(content) }] },
})

/** As the framing of raw texts gives them. */
const stream = (meta: Json, ...texts: string[]) =>
  unnamed([
    ...texts.map(data => ({ event: 'add', id: '1', data })),
    { event: 'finish', id: '1', data: '', meta: JSON.stringify(meta) },
  ])

const error = { code: 1302, msg: 'Slow down', success: false }

export const zhipuV3: UpstreamWire = {
  title: 'Zhipu v3',
  format,
  model: 'chatglm_turbo',
  requests: {
    text: {
      prompt: [
        ...instructed('Be brief.'),
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        question,
      ],
      temperature: 0.5,
      top_p: 0.9,
    },
    stop: { prompt: [question] },
  },
  answers: {
    text: answer('Four 四.', dataOf(22, 5)),
    stop: answer('Four', dataOf(20, 1)),
  },
  streams: {
    text: stream(dataOf(22, 5), 'Four', ' 四', '.'),
    stop: stream(dataOf(20, 1), 'Four'),
  },
  errors: {
    status: 200,
    body: error,
    stream: unnamed([
      { event: 'add', data: 'Fo' },
      { event: 'error', data: JSON.stringify(error) },
    ]),
  },
  without: {
    tools: 'There are no functions.',
    image: 'There is only text.',
    schema: 'There is no such field: a wish for JSON is put into the instructions.',
    thinking: 'The models do not reason.',
  },
}
