import { answerSchema, citySchema, type Json, named, picture, type Wire } from './sse.ts'

const question = { role: 'user', content: 'What is 2 + 2?' }

const requests: Wire['requests'] = {
  text: {
    model: 'm',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello.' }, question],
    temperature: 0.5,
    top_p: 0.9,
    metadata: { user_id: 'ann' },
  },
  tools: {
    model: 'm',
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Weather in Paris and Rome?' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_a', name: 'weather', input: { city: 'Paris' } },
          { type: 'tool_use', id: 'call_b', name: 'weather', input: { city: 'Rome' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_a', content: 'Sunny' },
          { type: 'tool_result', tool_use_id: 'call_b', content: '{"sky":"grey"}' },
        ],
      },
    ],
    tools: [
      { name: 'weather', description: 'The weather', input_schema: citySchema, strict: true },
      { name: 'now', input_schema: { type: 'object', properties: {} } },
    ],
    tool_choice: { type: 'any' },
  },
  image: {
    model: 'm',
    max_tokens: 100,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
        ],
      },
    ],
  },
  schema: {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: [question],
    output_config: { format: { type: 'json_schema', schema: answerSchema } },
  },
  thinking: {
    model: 'm',
    max_tokens: 40_000,
    messages: [question],
    thinking: { type: 'enabled', budget_tokens: 24_576 },
  },
  stop: { model: 'm', max_tokens: 100, messages: [question], stop_sequences: ['END', 'Over.'] },
}

const usage = (
  input_tokens: number,
  output_tokens: number,
  cache_read_input_tokens = 0,
  thinking_tokens = 0,
): Json => ({
  input_tokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens,
  ...(thinking_tokens && { output_tokens_details: { thinking_tokens } }),
})

const message = (
  content: Json[],
  stop_reason: string | null,
  used: Json,
  stop_sequence: string | null = null,
): Json => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason,
  stop_sequence,
  usage: used,
})

const text = (text: string) => ({ type: 'text', text })
const call = (id: string, input: Json) => ({ type: 'tool_use', id, name: 'weather', input })

const answers: Wire['answers'] = {
  text: message([text('Four 四.')], 'end_turn', usage(18, 5, 4)),
  tools: message(
    [text('I look.'), call('call_1', { city: 'Oslo' }), call('call_2', { city: 'Bergen' })],
    'tool_use',
    usage(80, 30),
  ),
  image: message([text('A dot.')], 'end_turn', usage(800, 3)),
  schema: message([text('{"answer":4,"sure":true}')], 'end_turn', usage(50, 9)),
  thinking: message(
    [{ type: 'thinking', thinking: 'Two and two.', signature: 'c2ln' }, text('Four.')],
    'end_turn',
    usage(30, 60, 0, 40),
  ),
  stop: message([text('Four')], 'stop_sequence', usage(20, 1), 'END'),
}

const begin = (index: number, content_block: Json) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, delta: Json) => ({ type: 'content_block_delta', index, delta })
const end = (index: number) => ({ type: 'content_block_stop', index })
const words = (index: number, ...texts: string[]) => [
  begin(index, text('')),
  ...texts.map(text => delta(index, { type: 'text_delta', text })),
  end(index),
]
const calling = (index: number, id: string, ...pieces: string[]) => [
  begin(index, call(id, {})),
  ...['', ...pieces].map(partial_json => delta(index, { type: 'input_json_delta', partial_json })),
  end(index),
]

function stream(blocks: Json[], stop_reason: string, used: Json, stop_sequence: string | null = null): string {
  const start = { type: 'message_start', message: message([], null, { ...used, output_tokens: 1 }) }
  const last = { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: used }
  return named([start, { type: 'ping' }, ...blocks, last, { type: 'message_stop' }])
}

const streams: Wire['streams'] = {
  text: stream(words(0, 'Four', ' 四', '.'), 'end_turn', usage(18, 5, 4)),
  tools: stream(
    [
      ...words(0, 'I ', 'look.'),
      ...calling(1, 'call_1', '{"city":', '"Oslo"}'),
      ...calling(2, 'call_2', '{"city":"Bergen"}'),
    ],
    'tool_use',
    usage(80, 30),
  ),
  image: stream(words(0, 'A dot.'), 'end_turn', usage(800, 3)),
  schema: stream(words(0, '{"answer":4', ',"sure":true}'), 'end_turn', usage(50, 9)),
  thinking: stream(
    [
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Two and' }),
      delta(0, { type: 'thinking_delta', thinking: ' two.' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      end(0),
      ...words(1, 'Four.'),
    ],
    'end_turn',
    usage(30, 60, 0, 40),
  ),
  stop: stream(words(0, 'Four'), 'stop_sequence', usage(20, 1), 'END'),
}

const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }

export const anthropic: Wire = {
  requests,
  answers,
  streams,
  errors: {
    status: 429,
    body: error,
    stream: named([{ type: 'message_start', message: message([], null, usage(1, 1)) }, error]),
  },
}
