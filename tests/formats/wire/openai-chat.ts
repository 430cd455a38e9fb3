import { answerSchema, citySchema, type Json, picture, unnamed, type Wire } from './sse.ts'

const system = { role: 'system', content: 'Be brief.' }
const question = { role: 'user', content: 'What is 2 + 2?' }

const call = (id: string, name: string, text: string) => ({ id, type: 'function', function: { name, arguments: text } })

const requests: Wire['requests'] = {
  text: {
    model: 'm',
    messages: [system, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello.' }, question],
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    user: 'ann',
  },
  tools: {
    model: 'm',
    messages: [
      { role: 'user', content: 'Weather in Paris and Rome?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('call_a', 'weather', '{"city":"Paris"}'), call('call_b', 'weather', '{"city":"Rome"}')],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'Sunny' },
      { role: 'tool', tool_call_id: 'call_b', content: '{"sky":"grey"}' },
    ],
    max_tokens: 100,
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'The weather', parameters: citySchema, strict: true },
      },
      { type: 'function', function: { name: 'now' } },
    ],
    tool_choice: 'required',
  },
  image: {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
        ],
      },
    ],
    max_tokens: 100,
  },
  schema: {
    model: 'm',
    messages: [question],
    max_tokens: 100,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: answerSchema, strict: true } },
  },
  thinking: { model: 'm', messages: [question], max_tokens: 40_000, reasoning_effort: 'high' },
  stop: { model: 'm', messages: [question], max_tokens: 100, stop: ['END', 'Over.'] },
}

const usage = (prompt_tokens: number, completion_tokens: number, cached_tokens = 0, reasoning_tokens = 0) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
  prompt_tokens_details: { cached_tokens, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens, audio_tokens: 0 },
})

const answer = (message: Json, finish_reason: string, used: Json): Json => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, ...message },
      logprobs: null,
      finish_reason,
    },
  ],
  usage: used,
})

const calls = [call('call_1', 'weather', '{"city":"Oslo"}'), call('call_2', 'weather', '{"city":"Bergen"}')]
const signed = [
  { type: 'reasoning.text', text: 'Two and two.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
]

const answers: Wire['answers'] = {
  text: answer({ content: 'Four 四.' }, 'stop', usage(22, 5, 4)),
  tools: answer({ content: 'I look.', tool_calls: calls }, 'tool_calls', usage(80, 30)),
  image: answer({ content: 'A dot.' }, 'stop', usage(800, 3)),
  schema: answer({ content: '{"answer":4,"sure":true}' }, 'stop', usage(50, 9)),
  thinking: answer(
    { content: 'Four.', reasoning_content: 'Two and two.', reasoning_details: signed },
    'stop',
    usage(30, 60, 0, 40),
  ),
  stop: answer({ content: 'Four' }, 'stop', usage(20, 1)),
}

const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  usage: null,
})

const fragment = (index: number, fields: Json) => chunk({ tool_calls: [{ index, ...fields }] })

function stream(deltas: Json[], finish_reason: string, used: Json): string {
  const begin = chunk({ role: 'assistant', content: '' })
  const report = { ...chunk({}), choices: [], usage: used }
  return `${unnamed([begin, ...deltas, chunk({}, finish_reason), report])}data: [DONE]\n\n`
}

const words = (...texts: string[]) => texts.map(content => chunk({ content }))

const streams: Wire['streams'] = {
  text: stream(words('Four', ' 四', '.'), 'stop', usage(22, 5, 4)),
  tools: stream(
    [
      ...words('I ', 'look.'),
      fragment(0, call('call_1', 'weather', '')),
      fragment(0, { function: { arguments: '{"city":' } }),
      fragment(0, { function: { arguments: '"Oslo"}' } }),
      fragment(1, call('call_2', 'weather', '')),
      fragment(1, { function: { arguments: '{"city":"Bergen"}' } }),
    ],
    'tool_calls',
    usage(80, 30),
  ),
  image: stream(words('A dot.'), 'stop', usage(800, 3)),
  schema: stream(words('{"answer":4', ',"sure":true}'), 'stop', usage(50, 9)),
  thinking: stream(
    [
      chunk({ reasoning_content: 'Two and' }),
      chunk({ reasoning_content: ' two.' }),
      chunk({ reasoning_details: signed }),
      ...words('Four.'),
    ],
    'stop',
    usage(30, 60, 0, 40),
  ),
  stop: stream(words('Four'), 'stop', usage(20, 1)),
}

const error = { error: { message: 'Slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' } }

export const openAiChat: Wire = {
  requests,
  answers,
  streams,
  errors: { status: 429, body: error, stream: unnamed([chunk({ role: 'assistant', content: '' }), error]) },
}
