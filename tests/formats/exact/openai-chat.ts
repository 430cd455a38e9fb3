/** Bodies of OpenAI chat and of compatible servers that have every field the gateway reads. */

import type { ExactBodies } from './bodies.ts'
import { openAiChatRequests as requests } from './openai-chat-requests.ts'

const png = 'iVBORw0KGgo='
const call = (id: string, name: string, text: unknown, more = {}) => ({
  ...{ id, type: 'function', function: { name, arguments: text } },
  ...more,
})

const usage = {
  ...{ prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
  prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 7, audio_tokens: 5, image_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 4, image_tokens: 2 },
}
const token = (text: string) => ({ token: text, logprob: -0.5, bytes: [65] })
const logprobs = { content: [{ ...token('A'), top_logprobs: [token('A'), token('B')] }] }
const cited = {
  type: 'url_citation',
  url_citation: { url: 'https://example.com', title: 'T', start_index: 1, end_index: 3 },
}
const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm', service_tier: 'priority' }
const whole = (message: object, finish_reason: unknown, used: object = usage) => ({
  ...{ ...head, object: 'chat.completion', usage: used },
  choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs, finish_reason }],
})

const responses: ExactBodies['responses'] = {
  full: whole(
    {
      ...{ content: 'Four', refusal: 'No.', reasoning_content: 'Hm', annotations: [cited] },
      audio: { id: 'audio_1', data: 'UklG', transcript: 'said' },
      images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }],
      tool_calls: [call('call_1', 'f', '{"a":1}', { extra_content: { google: { thought_signature: 'c2ln' } } })],
    },
    'tool_calls',
  ),
  compatible: whole(
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'T' }] },
        { type: 'text', text: 'Fo' },
        { type: 'text', text: 'ur' },
      ],
      function_call: { name: 'old', arguments: { a: 1 } },
    },
    'stop',
    { prompt_tokens: 100, completion_tokens: 6, prompt_cache_hit_tokens: 30, num_sources_used: 2 },
  ),
  searched: whole({ content: 'Four', reasoning: 'Hm' }, 'eos', {
    prompt_tokens: 9,
    completion_tokens: 6,
    cached_tokens: 3,
    search_context_size: 'medium',
    cost: { request_cost: 0.1 },
  }),
  researched: whole(
    {
      content: 'Four',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1' }],
    },
    'max_tokens',
    { prompt_tokens: 9, completion_tokens: 6, num_search_queries: 4, citation_tokens: 80, search_context_size: 'low' },
  ),
  doubtful: whole({ content: 'Four' }, 'length', {
    prompt_tokens: 5,
    completion_tokens: 1,
    prompt_tokens_details: { cached_tokens: 9, audio_tokens: -1 },
  }),
}

const chunk = (delta: object, more: object = {}) => ({
  ...{ ...head, object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})

const streams: ExactBodies['streams'] = {
  full: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'H' }),
    chunk({ reasoning: 'm' }),
    chunk({
      reasoning_details: [
        { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1', index: 0 },
      ],
    }),
    chunk({ content: 'Fo' }, { logprobs }),
    chunk({ content: 'ur' }),
    chunk({ annotations: [cited] }),
    chunk({ refusal: 'No.' }),
    chunk({ audio: { id: 'audio_1', data: 'UklG' } }),
    chunk({ audio: { transcript: 'said' } }),
    chunk({ images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }] }),
    chunk({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, ...call('call_1', 'f', '') }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
    chunk({ tool_calls: [{ index: 0, ...call('call_2', 'g', { b: 2 }) }] }),
    chunk({}, { finish_reason: 'stop' }),
    { ...head, choices: [], usage },
    '[DONE]',
  ],
  compatible: [
    { ...head, created: 0, choices: [{ index: 1, message: { content: [{ type: 'text', text: 'A' }] } }] },
    { ...head, choices: [{ index: 0, delta: { function_call: { name: 'old', arguments: '{}' } }, usage }] },
    { ...head, choices: [{ index: 0, delta: { content: [{ type: 'thinking', thinking: [{ text: 'T' }] }] } }] },
    {
      ...head,
      choices: [
        { index: 0, delta: {}, finish_reason: 'length' },
        { index: 1, delta: {}, finish_reason: 'refusal' },
      ],
    },
  ],
  unfinished: [chunk({ content: 'A' }), chunk({ content: 'B' }), '[DONE]'],
  failed: [
    chunk({ content: 'A' }),
    { error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate', param: 'p' } },
  ],
  broken: [chunk({ content: 'A' }), chunk({}, { finish_reason: 'insufficient_system_resource' })],
}

const errors: ExactBodies['errors'] = [
  [400, { error: { message: 'M', type: 'invalid_request_error', code: 'c', param: 'p' } }],
  [0, { error: { message: 'M', type: 'server_error', code: 7 } }],
  [0, { error: 'M', code: 401 }],
  [418, { error: { message: 'M' } }],
  [500, { response: { error: { message: 'M', code: 'c' } } }],
  [500, { errors: [{ message: 'M', code: 'c' }] }],
  [429, { message: 'M' }],
  [0, { msg: 'M', code: 403 }],
  [0, { err: 'M', error_code: 404 }],
  [0, { error_msg: 'M' }],
  [0, { errorMsg: 'M' }],
  [422, { detail: 'M' }],
  [422, { detail: [{ loc: ['body', 'model'], msg: 'required' }, { msg: 'alone' }, { loc: 'place' }] }],
  [0, { header: { message: 'M', code: 10_007 } }],
  [0, { message: 'M', choices: [] }],
  [0, { error: 'M', choices: [] }],
  [0, { choices: [{ finish_reason: 'error' }] }],
  [0, { choices: [{ finish_reason: 'stop' }] }],
  [
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      },
    },
  ],
  [
    400,
    { error: { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' } },
  ],
]

export const openAiChatBodies: ExactBodies = { requests, responses, streams, errors }
