import { jsonInstruction } from '../../../src/formats/json/json-instruction.ts'
import { wenxin as format } from '../../../src/formats/wenxin/index.ts'
import { answerSchema, type Json, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = { role: 'user', content: 'What is 2 + 2?' }
const noPictures = 'There is only text.'

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
})

const answer = (result: string, used: Json): Json => ({
  id: 'as-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  result,
  is_truncated: false,
  need_clear_history: false,
  finish_reason: 'normal',
  usage: used,
})

const stream = (used: Json, ...texts: string[]) =>
  unnamed([
    ...texts.map((result, index) => ({ ...answer(result, used), sentence_id: index, is_end: false })),
    { ...answer('', used), sentence_id: texts.length, is_end: true },
  ])

const error = { error_code: 18, error_msg: 'Slow down', id: 'as-1' }

export const wenxin: UpstreamWire = {
  title: 'Baidu Wenxin v1',
  format,
  model: 'ERNIE-Speed-8K',
  requests: {
    text: {
      messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello.' }, question],
      system: 'Be brief.',
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 100,
      user_id: 'ann',
    },
    schema: {
      messages: [question],
      system: jsonInstruction({ kind: 'schema', schema: answerSchema }),
      max_output_tokens: 100,
      response_format: 'json_object',
    },
    stop: { messages: [question], max_output_tokens: 100, stop: ['END', 'Over.'] },
  },
  answers: {
    text: answer('Four 四.', usage(22, 5)),
    schema: answer('{"answer":4,"sure":true}', usage(50, 9)),
    stop: answer('Four', usage(20, 1)),
  },
  streams: {
    text: stream(usage(22, 5), 'Four', ' 四', '.'),
    schema: stream(usage(50, 9), '{"answer":4', ',"sure":true}'),
    stop: stream(usage(20, 1), 'Four'),
  },
  errors: { status: 200, body: error, stream: unnamed([{ ...answer('Fo', usage(1, 1)), is_end: false }, error]) },
  without: {
    tools: 'A response calls one function at most; one is tested with the provider.',
    image: noPictures,
    thinking: 'The models do not reason.',
  },
  // The schema of Gemini's clients has other words; only the last two have stop sequences and users.
  unsaid: { gemini: ['system', 'user_id'], 'openai-responses': ['stop'] },
}
