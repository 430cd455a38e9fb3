/** Each value that a field of a chat can have, alone, as every upstream gets it for models that differ in it. */
import type { FormatName } from '../../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../../src/formats/index.ts'
import { isFlaw } from '../../../src/formats/json/checks.ts'
import { translateRequest } from '../../../src/formats/translate/translate.ts'
import { efforts } from '../../../src/models/effort.ts'
import type { Json } from '../../../src/pure/json.ts'
import { labelFor, wired } from '../support.ts'
import { upstreams } from './lines.ts'
import { difference } from './variations.ts'

const models: Partial<Record<FormatName, readonly string[]>> = {
  'openai-chat': ['gpt-4o', 'o3', 'gpt-5.1'],
  'openai-responses': ['gpt-4o', 'o3', 'gpt-5.1'],
  anthropic: ['claude-sonnet-4-5', 'claude-opus-4-7', 'claude-3-5-haiku-latest'],
  gemini: ['gemini-2.0-flash', 'gemini-2.5-flash', 'gemini-3-pro-preview'],
  bedrock: ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'amazon.nova-pro-v1:0', 'openai.gpt-oss-120b-1:0'],
  cohere: ['command-a-03-2025', 'command-a-reasoning-08-2025'],
  ali: ['qwen-plus', 'qwen3-max'],
  replicate: ['openai/gpt-5', 'anthropic/claude-4-sonnet', 'google/gemini-2.5-flash', 'meta/llama'],
  spark: ['generalv3.5', 'x1'],
}

const picture = 'data:image/png;base64,iVBORw0KGgo='
const user = (content: unknown) => ({ role: 'user', content })
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { a: { type: 'string' } } } },
})
const tools = { tools: [tool('f'), tool('g')] }
const chosen = (tool_choice: unknown) => ({ ...tools, tool_choice })
const effort = { effort: 'high' }

const base = { model: 'm', messages: [user('Hi')] }
const values: Record<string, readonly unknown[]> = {
  temperature: [0, 0.01, 1, 1.5, 2],
  top_p: [0, 0.001, 0.95, 0.999, 1],
  top_k: [0, 1, 50, 500],
  presence_penalty: [-2, 0, 1.5, 2],
  frequency_penalty: [-2, 0, 1.5, 2],
  seed: [0, 7, -1],
  n: [1, 2, 5],
  max_tokens: [0, 1, 10, 1500, 100_000],
  stop: [['a'], ['a', 'b', 'c', 'd', 'e', 'f'], [' ', 'a']],
  top_logprobs: [0, 5, 20],
  user: ['ann', 'a'.repeat(70)],
  verbosity: ['low', 'high'],
  reasoning_effort: efforts,
  repetition_penalty: [1.1],
  parallel_tool_calls: [true, false],
  modalities: [
    ['text', 'audio'],
    ['text', 'image'],
  ],
  metadata: [{ conversation_id: 'conv_1' }],
  response_format: [
    { type: 'text' },
    { type: 'json_object' },
    {
      type: 'json_schema',
      json_schema: {
        name: 'n',
        schema: { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } },
        strict: true,
      },
    },
    { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'array' } } },
  ],
}

const alone = Object.entries(values).flatMap(([name, list]) => list.map(value => ({ [name]: value }) as Json))
const together: Json[] = [
  tools,
  ...['auto', 'none', 'required', { type: 'function', function: { name: 'g' } }].map(chosen),
  ...['required', 'auto'].map(mode =>
    chosen({ type: 'allowed_tools', allowed_tools: { mode, tools: [{ function: { name: 'g' } }] } }),
  ),
  { ...tools, parallel_tool_calls: false },
  { ...chosen('required'), parallel_tool_calls: false, reasoning_effort: 'high' },
  { logprobs: true, top_logprobs: 5 },
  { logprobs: true },
  { max_tokens: 5000, reasoning: { max_tokens: 2000 } },
  { max_tokens: 1000, reasoning: effort },
  { reasoning: { ...effort, exclude: true } },
  {
    web_search_options: {
      search_context_size: 'high',
      user_location: { approximate: { city: 'Rome', country: 'IT' } },
    },
  },
  { ...tools, web_search_options: {} },
  { stream: true },
  {
    messages: [
      user([
        { type: 'text', text: 'A' },
        { type: 'image_url', image_url: { url: picture, detail: 'high' } },
      ]),
    ],
  },
  { messages: [user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])] },
  { messages: [user([{ type: 'input_audio', input_audio: { format: 'wav', data: 'UklG' } }])] },
  {
    messages: [
      user([{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }]),
    ],
  },
  { messages: [user([{ type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } }])] },
  { messages: [{ role: 'system', content: 'S' }, user('Hi'), { role: 'system', content: 'Later' }] },
  { messages: [user('A'), user('B'), { role: 'assistant', content: 'C' }, { role: 'assistant', content: 'D' }] },
  { messages: [user('A'), { role: 'assistant', content: 'C' }] },
  { messages: [user(' ')] },
  { tools: [{ type: 'custom', custom: { name: 'c', description: 'C' } }] },
]

function written(
  body: Json,
  upstream: (typeof upstreams)[number],
  model: string,
  system_prompt = '',
  replace_system = false,
): unknown {
  const client = chatFormats['openai-chat']
  const request = client.readRequest(body)
  if (isFlaw(request)) return request
  const is = translateRequest(
    { client, upstream, label: labelFor(request), auto_cache: true },
    { model, stream_usage: true, system_prompt, replace_system },
  )
  return isFlaw(is) ? `refused ${is.code} ${is.param}` : wired(is)
}

const conversation = {
  ...base,
  messages: [{ role: 'system', content: 'S' }, user('Hi'), { role: 'system', content: 'Later' }],
}

/** By the names of their files. */
export const choiceLists: Record<string, () => string[]> = Object.fromEntries(
  upstreams.map(upstream => [
    `${upstream.name} choices`,
    () =>
      (models[upstream.name] ?? ['m']).flatMap(model => {
        const plain = written(base, upstream, model)
        return [
          `${model}: ${JSON.stringify(plain)}`,
          `${model} instructed: ${JSON.stringify(written(conversation, upstream, model, 'Op.'))}`,
          `${model} replaced: ${JSON.stringify(written(conversation, upstream, model, 'Op.', true))}`,
          ...[...alone, ...together].map(
            values =>
              `${model} ${JSON.stringify(values)}: ${difference(plain, written({ ...base, ...values }, upstream, model), 400) || '='}`,
          ),
        ]
      }),
  ]),
)
