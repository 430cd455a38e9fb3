/** Bodies of Anthropic that have every field the gateway reads. */
import { anthropicRequests as requests } from './anthropic-requests.ts'
import type { ExactBodies } from './bodies.ts'

const cited = (place: object) => ({ type: 'web_search_result_location', cited_text: 'Q', ...place })

const usage = {
  ...{ input_tokens: 100, cache_creation_input_tokens: 30, cache_read_input_tokens: 20, output_tokens: 60 },
  cache_creation: { ephemeral_5m_input_tokens: 18, ephemeral_1h_input_tokens: 12 },
  output_tokens_details: { thinking_tokens: 15 },
  server_tool_use: { web_search_requests: 2, web_fetch_requests: 3 },
  ...{ service_tier: 'priority', speed: 'fast', inference_geo: 'us' },
}
const count = (type: string, input_tokens: number, output_tokens: number, more = {}) => ({
  type,
  input_tokens,
  output_tokens,
  ...more,
})
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }

const responses: ExactBodies['responses'] = {
  full: {
    ...{ ...head, stop_reason: 'stop_sequence', stop_sequence: 'END', usage },
    content: [
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'xyz' },
      {
        ...{ type: 'text', text: 'Four' },
        citations: [
          cited({ url: 'https://example.com', title: 'T' }),
          cited({ document_title: 'D', source: 'https://example.com/s' }),
          cited({ source: 'no address' }),
        ],
      },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 'g', input: 'odd' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
    ],
  },
  compacted: {
    ...{ ...head, stop_reason: 'tool_use', stop_sequence: null, content: [{ type: 'compaction', content: 'short' }] },
    usage: {
      ...{ input_tokens: 10, output_tokens: 4, cache_creation_input_tokens: 8 },
      iterations: [count('compaction', 500, 70, { cache_read_input_tokens: 9 }), count('message', 10, 4)],
    },
  },
  fallback: {
    ...{ ...head, stop_reason: 'a_new_reason', content: [{ type: 'text', text: 'A' }] },
    usage: {
      ...{ input_tokens: 10, output_tokens: 4 },
      iterations: [
        count('message', 100, 0),
        count('message', 50, 3),
        count('fallback_message', 30, 9, { model: 'other' }),
      ],
    },
  },
}

const start = (used: object) => ({ type: 'message_start', message: { ...head, content: [], usage: used } })
const begin = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
const end = (index: number) => ({ type: 'content_block_stop', index })

const streams: ExactBodies['streams'] = {
  full: [
    start({ ...usage, output_tokens: 1 }),
    { type: 'ping' },
    begin(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    end(0),
    begin(1, { type: 'redacted_thinking', data: 'xyz' }),
    end(1),
    begin(2, { type: 'text', text: '' }),
    delta(2, { type: 'text_delta', text: 'Fo' }),
    delta(2, { type: 'text_delta', text: 'ur' }),
    delta(2, { type: 'citations_delta', citation: cited({ url: 'https://example.com', title: 'T' }) }),
    end(2),
    begin(3, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
    delta(3, { type: 'input_json_delta', partial_json: '{"a":' }),
    delta(3, { type: 'input_json_delta', partial_json: '1}' }),
    end(3),
    begin(4, { type: 'tool_use', id: 'toolu_2', name: 'g', input: { b: 2 } }),
    end(4),
    begin(5, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
    delta(5, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
    end(5),
    begin(6, { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] }),
    end(6),
    {
      type: 'message_delta',
      delta: { stop_reason: 'stop_sequence', stop_sequence: 'END', container: { id: 'c1' } },
      usage: { output_tokens: 60 },
    },
    { type: 'message_stop' },
  ],
  zeros: [
    start({ input_tokens: 9, cache_read_input_tokens: 5 }),
    begin(0, { type: 'text', text: 'A' }),
    end(0),
    { type: 'message_delta', delta: {}, usage: { input_tokens: 0, output_tokens: 3 } },
    {
      type: 'message_delta',
      delta: { stop_reason: 'refusal' },
      usage: { cache_read_input_tokens: 0, output_tokens: 4 },
    },
    { type: 'message_stop' },
  ],
  failed: [
    start({ input_tokens: 9 }),
    {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Busy', details: { error_code: 'e', unsupported: ['x'] } },
    },
  ],
}

const errors: ExactBodies['errors'] = [
  [0, { type: 'message', error: null, message: 'no error' }],
  [
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  ],
  [
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
      },
    },
  ],
  ...[400, 401, 402, 403, 404, 408, 413, 429, 500, 503, 504, 529].map(
    status => [status, { type: 'error', error: { message: 'M' } }] as const,
  ),
  ...[
    'authentication_error',
    'billing_error',
    'not_found_error',
    'timeout_error',
    'request_too_large',
    'rate_limit_error',
    'api_error',
    'overloaded_error',
    'permission_error',
  ].map(type => [0, { type: 'error', error: { type, message: 'M' } }] as const),
]

export const anthropicBodies: ExactBodies = { requests, responses, streams, errors }
