/** Cohere's chat, version 2. */
import { cohereChat } from '../../../src/formats/cohere/index.ts'
import { answerSchema, citySchema, type Json, named, picture } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const model = 'command-a-reasoning-08-2025'
const question = { role: 'user', content: 'What is 2 + 2?' }

const called = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})

const requests: UpstreamWire['requests'] = {
  text: {
    model,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      question,
    ],
    max_tokens: 100,
    temperature: 0.5,
    p: 0.9,
  },
  tools: {
    model,
    messages: [
      { role: 'user', content: 'Weather in Paris and Rome?' },
      { role: 'assistant', tool_calls: [called('call_a', 'Paris'), called('call_b', 'Rome')] },
      { role: 'tool', tool_call_id: 'call_a', content: 'Sunny' },
      { role: 'tool', tool_call_id: 'call_b', content: '{"sky":"grey"}' },
    ],
    max_tokens: 100,
    tools: [
      { type: 'function', function: { name: 'weather', description: 'The weather', parameters: citySchema } },
      { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    ],
    tool_choice: 'REQUIRED',
  },
  image: {
    model,
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
    model,
    messages: [question],
    max_tokens: 100,
    response_format: { type: 'json_object', json_schema: answerSchema },
  },
  thinking: {
    model,
    messages: [question],
    max_tokens: 40_000,
    thinking: { type: 'enabled', token_budget: 24_576 },
  },
  stop: { model, messages: [question], max_tokens: 100, stop_sequences: ['END', 'Over.'] },
}

const usage = (input_tokens: number, output_tokens: number, cached_tokens = 0): Json => ({
  billed_units: { input_tokens: input_tokens - 2, output_tokens },
  tokens: { input_tokens, output_tokens },
  cached_tokens,
})

const answer = (message: Json, finish_reason: string, used: Json): Json => ({
  id: 'c14c80c3',
  finish_reason,
  message: { role: 'assistant', ...message },
  usage: used,
})

const texts = (text: string) => ({ content: [{ type: 'text', text }] })

const answers: UpstreamWire['answers'] = {
  text: answer(texts('Four 四.'), 'COMPLETE', usage(22, 5, 4)),
  tools: answer(
    { ...texts('I look.'), tool_calls: [called('call_1', 'Oslo'), called('call_2', 'Bergen')] },
    'TOOL_CALL',
    usage(80, 30),
  ),
  image: answer(texts('A dot.'), 'COMPLETE', usage(800, 3)),
  schema: answer(texts('{"answer":4,"sure":true}'), 'COMPLETE', usage(50, 9)),
  thinking: answer(
    {
      content: [
        { type: 'thinking', thinking: 'Two and two.' },
        { type: 'text', text: 'Four.' },
      ],
    },
    'COMPLETE',
    usage(30, 60),
  ),
  stop: answer(texts('Four'), 'STOP_SEQUENCE', usage(20, 1)),
}

const start = {
  type: 'message-start',
  id: 'c14c80c3',
  delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
}

const end = (finish_reason: string, used: Json) => ({ type: 'message-end', delta: { finish_reason, usage: used } })

/** The pieces of one item of the content. */
function content(index: number, type: 'text' | 'thinking', ...pieces: string[]): Json[] {
  const of = (content: Json) => ({ index, delta: { message: { content } } })
  return [
    { type: 'content-start', ...of({ type, [type]: '' }) },
    ...pieces.map(piece => ({ type: 'content-delta', ...of({ [type]: piece }) })),
    { type: 'content-end', index },
  ]
}

function call(index: number, id: string, ...pieces: string[]): Json[] {
  const of = (tool_calls: Json) => ({ index, delta: { message: { tool_calls } } })
  return [
    { type: 'tool-call-start', ...of({ id, type: 'function', function: { name: 'weather', arguments: '' } }) },
    ...pieces.map(text => ({ type: 'tool-call-delta', ...of({ function: { arguments: text } }) })),
    { type: 'tool-call-end', index },
  ]
}

const stream = (pieces: Json[], finish_reason: string, used: Json): string =>
  named([start, ...pieces, end(finish_reason, used)])

const streams: UpstreamWire['streams'] = {
  text: stream(content(0, 'text', 'Four', ' 四', '.'), 'COMPLETE', usage(22, 5, 4)),
  tools: stream(
    [
      ...content(0, 'text', 'I ', 'look.'),
      ...call(0, 'call_1', '{"city":', '"Oslo"}'),
      ...call(1, 'call_2', '{"city":"Bergen"}'),
    ],
    'TOOL_CALL',
    usage(80, 30),
  ),
  image: stream(content(0, 'text', 'A dot.'), 'COMPLETE', usage(800, 3)),
  schema: stream(content(0, 'text', '{"answer":4', ',"sure":true}'), 'COMPLETE', usage(50, 9)),
  thinking: stream(
    [...content(0, 'thinking', 'Two and', ' two.'), ...content(1, 'text', 'Four.')],
    'COMPLETE',
    usage(30, 60),
  ),
  stop: stream(content(0, 'text', 'Four'), 'STOP_SEQUENCE', usage(20, 1)),
}

export const cohere: UpstreamWire = {
  title: 'Cohere',
  format: cohereChat,
  model,
  requests,
  answers,
  streams,
  errors: {
    status: 429,
    body: { id: 'e1', message: 'Slow down' },
    // Within a stream, only a server in front names the status.
    stream: `${named([start])}data: {"message":"Slow down","code":429}\n\n`,
  },
  ids: ['id', 'tool_call_id'],
  unsaid: { gemini: ['additionalProperties'], 'openai-responses': ['stop_sequences', 'detail'] },
}
