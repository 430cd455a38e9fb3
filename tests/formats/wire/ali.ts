import { ali } from '../../../src/formats/ali/index.ts'
import { answerSchema, citySchema, type Json, picture } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = { role: 'user', content: 'What is 2 + 2?' }

const asked = (messages: Json[], parameters: Json = {}, model = 'qwen-plus'): Json => ({
  model,
  input: { messages },
  parameters: { result_format: 'message', max_tokens: 100, ...parameters },
})

const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})
const nothing = { type: 'object', properties: {} }

const instruction = `Answer with one JSON object and nothing else: no explanation, no code fence. It must match this JSON schema.\n${JSON.stringify(answerSchema)}`

const requests: UpstreamWire['requests'] = {
  text: asked(
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      question,
    ],
    { temperature: 0.5, top_p: 0.9 },
  ),
  tools: asked(
    [
      { role: 'user', content: 'Weather in Paris and Rome?' },
      { role: 'assistant', content: '', tool_calls: [call('call_a', 'Paris'), call('call_b', 'Rome')] },
      { role: 'tool', content: 'Sunny', tool_call_id: 'call_a' },
      { role: 'tool', content: '{"sky":"grey"}', tool_call_id: 'call_b' },
    ],
    {
      tools: [
        { type: 'function', function: { name: 'weather', description: 'The weather', parameters: citySchema } },
        { type: 'function', function: { name: 'now', parameters: nothing } },
      ],
      tool_choice: 'auto',
    },
  ),
  image: asked([{ role: 'user', content: [{ text: 'What is this?' }, { image: `data:image/png;base64,${picture}` }] }]),
  schema: asked([{ role: 'system', content: instruction }, question], { response_format: { type: 'json_object' } }),
  thinking: asked([question], { max_tokens: 40_000, enable_thinking: true, thinking_budget: 24_576 }),
  stop: asked([question], { stop: ['END', 'Over.'] }),
}

const usage = (input_tokens: number, output_tokens: number, cached_tokens = 0, reasoning_tokens = 0): Json => ({
  input_tokens,
  output_tokens,
  total_tokens: input_tokens + output_tokens,
  prompt_tokens_details: { cached_tokens },
  output_tokens_details: { reasoning_tokens },
})

const said = (message: Json, finish_reason: string, used: Json): Json => ({
  output: { choices: [{ finish_reason, message: { role: 'assistant', content: '', ...message } }] },
  usage: used,
  request_id: 'req-1',
})

const calls = [call('call_1', 'Oslo'), call('call_2', 'Bergen')]

const answers: UpstreamWire['answers'] = {
  text: said({ content: 'Four 四.' }, 'stop', usage(22, 5, 4)),
  tools: said({ content: 'I look.', tool_calls: calls }, 'tool_calls', usage(80, 30)),
  image: said({ content: [{ text: 'A dot.' }] }, 'stop', { ...usage(800, 3), image_tokens: 780 }),
  schema: said({ content: '{"answer":4,"sure":true}' }, 'stop', usage(50, 9)),
  thinking: said({ content: 'Four.', reasoning_content: 'Two and two.' }, 'stop', usage(30, 60, 0, 40)),
  stop: said({ content: 'Four' }, 'stop', usage(20, 1)),
}

/** Every event has all the tokens so far. */
function stream(deltas: Json[], finish_reason: string, used: Json): string {
  const events = deltas.map((delta, index) => said(delta, 'null', { ...used, output_tokens: index + 1 }))
  return [...events, said({}, finish_reason, used)]
    .map((event, id) => `id:${id + 1}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(event)}\n\n`)
    .join('')
}

const words = (...texts: string[]) => texts.map(content => ({ content }))
const fragment = (index: number, id: string, name: string, text: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }],
})

const streams: UpstreamWire['streams'] = {
  text: stream(words('Four', ' 四', '.'), 'stop', usage(22, 5, 4)),
  tools: stream(
    [
      ...words('I ', 'look.'),
      fragment(0, 'call_1', 'weather', ''),
      fragment(0, '', '', '{"city":'),
      fragment(0, '', '', '"Oslo"}'),
      fragment(1, 'call_2', 'weather', '{"city":"Bergen"}'),
    ],
    'tool_calls',
    usage(80, 30),
  ),
  image: stream([{ content: [{ text: 'A ' }] }, { content: [{ text: 'dot.' }] }], 'stop', {
    ...usage(800, 3),
    image_tokens: 780,
  }),
  schema: stream(words('{"answer":4', ',"sure":true}'), 'stop', usage(50, 9)),
  thinking: stream(
    [{ reasoning_content: 'Two and' }, { reasoning_content: ' two.' }, ...words('Four.')],
    'stop',
    usage(30, 60, 0, 40),
  ),
  stop: stream(words('Four'), 'stop', usage(20, 1)),
}

const error = { code: 'Throttling.RateQuota', message: 'Slow down', request_id: 'req-1' }

export const aliNative: UpstreamWire = {
  title: 'Alibaba native',
  format: ali,
  model: 'qwen-plus',
  requests,
  answers,
  streams,
  errors: {
    status: 429,
    body: error,
    stream: `id:1\nevent:error\n:HTTP_STATUS/429\ndata:${JSON.stringify(error)}\n\n`,
  },
  ids: ['id', 'tool_call_id'],
  unsaid: { gemini: ['additionalProperties'], 'openai-responses': ['stop'] },
}
