import { bedrock as format } from '../../../src/formats/bedrock/index.ts'
import { answerSchema, citySchema, type Json, picture, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const model = 'openai.gpt-oss-120b-1:0'
const question = { role: 'user', content: [{ text: 'What is 2 + 2?' }] }
const short = { maxTokens: 100 }

const call = (toolUseId: string, city: string) => ({ toolUse: { toolUseId, name: 'weather', input: { city } } })
const result = (toolUseId: string, text: string) => ({ toolResult: { toolUseId, content: [{ text }] } })

const requests: UpstreamWire['requests'] = {
  text: {
    model,
    system: [{ text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ text: 'Hi' }] },
      { role: 'assistant', content: [{ text: 'Hello.' }] },
      question,
    ],
    inferenceConfig: { ...short, temperature: 0.5, topP: 0.9 },
  },
  tools: {
    model,
    messages: [
      { role: 'user', content: [{ text: 'Weather in Paris and Rome?' }] },
      { role: 'assistant', content: [call('call_a', 'Paris'), call('call_b', 'Rome')] },
      { role: 'user', content: [result('call_a', 'Sunny'), result('call_b', '{"sky":"grey"}')] },
    ],
    inferenceConfig: short,
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'weather',
            description: 'The weather',
            inputSchema: { json: citySchema },
            strict: true,
          },
        },
        { toolSpec: { name: 'now', inputSchema: { json: { type: 'object', properties: {} } } } },
      ],
      toolChoice: { any: {} },
    },
  },
  image: {
    model,
    messages: [
      {
        role: 'user',
        content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes: picture } } }],
      },
    ],
    inferenceConfig: short,
  },
  schema: {
    model,
    messages: [question],
    inferenceConfig: short,
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(answerSchema), name: 'answer' } },
      },
    },
  },
  thinking: {
    model,
    messages: [question],
    inferenceConfig: { maxTokens: 40_000 },
    additionalModelRequestFields: { reasoning_effort: 'high' },
  },
  stop: { model, messages: [question], inferenceConfig: { ...short, stopSequences: ['END', 'Over.'] } },
}

const usage = (inputTokens: number, outputTokens: number, cacheReadInputTokens = 0): Json => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens + cacheReadInputTokens,
  cacheReadInputTokens,
})

const answer = (content: Json[], stopReason: string, used: Json): Json => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage: used,
  metrics: { latencyMs: 200 },
})

const thought = { reasoningContent: { reasoningText: { text: 'Two and two.', signature: 'c2ln' } } }

const answers: UpstreamWire['answers'] = {
  text: answer([{ text: 'Four 四.' }], 'end_turn', usage(18, 5, 4)),
  tools: answer([{ text: 'I look.' }, call('call_1', 'Oslo'), call('call_2', 'Bergen')], 'tool_use', usage(80, 30)),
  image: answer([{ text: 'A dot.' }], 'end_turn', usage(800, 3)),
  schema: answer([{ text: '{"answer":4,"sure":true}' }], 'end_turn', usage(50, 9)),
  thinking: answer([thought, { text: 'Four.' }], 'end_turn', usage(30, 60)),
  stop: answer([{ text: 'Four' }], 'stop_sequence', usage(20, 1)),
}

const delta = (contentBlockIndex: number, delta: Json) => ({ contentBlockDelta: { contentBlockIndex, delta, p: 'ab' } })
const end = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const words = (index: number, ...texts: string[]) => [...texts.map(text => delta(index, { text })), end(index)]
const calling = (index: number, toolUseId: string, ...pieces: string[]) => [
  { contentBlockStart: { contentBlockIndex: index, start: { toolUse: { toolUseId, name: 'weather' } } } },
  ...pieces.map(input => delta(index, { toolUse: { input } })),
  end(index),
]

const begin = { messageStart: { role: 'assistant' } }
const stream = (events: Json[], stopReason: string, used: Json): string =>
  unnamed([begin, ...events, { messageStop: { stopReason } }, { metadata: { usage: used, metrics: {} } }])

const streams: UpstreamWire['streams'] = {
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
      ...['Two and', ' two.'].map(text => delta(0, { reasoningContent: { text } })),
      delta(0, { reasoningContent: { signature: 'c2ln' } }),
      end(0),
      ...words(1, 'Four.'),
    ],
    'end_turn',
    usage(30, 60),
  ),
  stop: stream(words(0, 'Four'), 'stop_sequence', usage(20, 1)),
}

export const bedrock: UpstreamWire = {
  title: 'Bedrock Converse',
  format,
  model,
  requests,
  answers,
  streams,
  errors: {
    status: 429,
    body: { message: 'Slow down', __type: 'ThrottlingException' },
    stream: unnamed([begin, { error: { type: 'throttlingException', message: 'Slow down' } }]),
  },
  ids: ['toolUseId'],
  unsaid: {
    'openai-responses': ['stopSequences'],
    gemini: ['strict', 'additionalProperties', 'schema', 'name'],
    anthropic: ['name'],
  },
}
