/** Bodies of OpenAI Responses that have every field the gateway reads. */
import type { ExactBodies } from './bodies.ts'

const place = { type: 'approximate', city: 'Rome', country: 'IT', region: 'RM', timezone: 'CET' }
const found = { type: 'function', name: 'found', description: 'Found', parameters: { type: 'object' } }

const requests: ExactBodies['requests'] = {
  settings: {
    ...{ model: 'm', stream: true, instructions: 'Be brief.', max_output_tokens: 90, temperature: 0.5, top_p: 0.9 },
    ...{ include: ['message.output_text.logprobs', 'reasoning.encrypted_content'], top_logprobs: 3, user: 'ann' },
    ...{ parallel_tool_calls: false, metadata: { conversation_id: 'conv_1' }, service_tier: 'flex', store: true },
    reasoning: { effort: 'high', summary: 'auto', generate_summary: 'concise' },
    text: {
      verbosity: 'low',
      format: { type: 'json_schema', name: 'answer', description: 'What', schema: { type: 'object' }, strict: true },
    },
    tools: [
      { type: 'function', name: 'f', description: 'F', parameters: { type: 'object' }, strict: true },
      { type: 'function', name: 'f', description: 'again' },
      { type: 'custom', name: 'c', description: 'C', format: { type: 'text' } },
      { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'inner' }, { type: 'code_interpreter' }] },
      { type: 'tool_search', execution: 'client', description: 'S', parameters: { type: 'object' } },
      { type: 'tool_search' },
      {
        type: 'web_search',
        search_context_size: 'low',
        filters: { allowed_domains: ['example.com'] },
        user_location: place,
      },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'mcp', server_label: 's' },
    ],
    tool_choice: {
      ...{ type: 'allowed_tools', mode: 'required' },
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'c' },
        { type: 'web_search_preview' },
        { type: 'mcp' },
      ],
    },
    input: [
      { type: 'message', role: 'system', content: 'Lead' },
      { role: 'user', content: 'Hi' },
    ],
  },
  conversation: {
    ...{
      model: 'm',
      tool_choice: { type: 'function', name: 'f', namespace: 'ns' },
      text: { format: { type: 'json_object' } },
    },
    input: [
      { role: 'developer', content: [{ type: 'input_text', text: 'Lead' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'A' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
          { type: 'input_image', file_id: 'file_1' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf', filename: 'a.pdf' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=' },
          { type: 'input_audio', input_audio: { format: 'wav', data: 'UklG' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Apart' }] },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'S1' }, { text: 'S2' }],
        encrypted_content: 'enc',
      },
      { type: 'reasoning', summary: [{ text: 'S' }], content: [{ type: 'reasoning_text', text: 'Hm' }] },
      {
        ...{ type: 'message', role: 'assistant' },
        content: [
          {
            ...{ type: 'output_text', text: 'B' },
            annotations: [
              { type: 'url_citation', url: 'https://example.com', title: 'T', start_index: 0, end_index: 1 },
              { type: 'file_citation', filename: 'a.txt' },
            ],
          },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'f', namespace: 'ns', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'c', input: 'in' },
      { type: 'tool_search_call', call_id: 'call_3', arguments: { query: 'q' } },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'function_call_output', call_id: 'call_1', output: 'R' },
      {
        type: 'custom_tool_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'R2' },
          { type: 'input_image', image_url: 'https://example.com/r.png' },
        ],
      },
      {
        type: 'tool_search_output',
        call_id: 'call_3',
        tools: [found, { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'deep' }] }],
      },
      { type: 'tool_search_output', call_id: 'call_4' },
      { type: 'shell_call_output', call_id: 'x' },
      {
        type: 'agent_message',
        content: [
          { type: 'input_text', text: 'told' },
          { type: 'encrypted_content', encrypted_content: 'e' },
        ],
      },
      { type: 'additional_tools', tools: [found] },
      { type: 'item_reference', id: 'msg_1' },
      { role: 'system', content: 'Later' },
    ],
  },
  signed: {
    model: 'm',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'S' }], encrypted_content: 'enc' },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'c', input: 'in' },
      { type: 'function_call_output', call_id: 'call_1', output: 'R' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'R2' },
    ],
    tools: [
      { type: 'function', name: 'f' },
      { type: 'custom', name: 'c' },
    ],
  },
  stored: {
    ...{ model: 'm', input: 'Hi', previous_response_id: 'resp_1', conversation: 'conv_1', prompt: { id: 'p' } },
    ...{
      tool_choice: { type: 'web_search_preview' },
      safety_identifier: 'bob',
      text: { format: { type: 'text' } },
      reasoning: { effort: 'none' },
    },
  },
  word: { model: 'm', input: 'Hi', tool_choice: 'required', reasoning: { generate_summary: 'auto' } },
}

const usage = {
  ...{ input_tokens: 100, output_tokens: 60, total_tokens: 160 },
  input_tokens_details: { cached_tokens: 10, cache_write_tokens: 7, audio_tokens: 5, image_tokens: 3 },
  output_tokens_details: { reasoning_tokens: 20, audio_tokens: 4, image_tokens: 2 },
}
const logprobs = [{ token: 'A', logprob: -0.5, bytes: [65], top_logprobs: [{ token: 'B', logprob: -1.5 }] }]
const cited = { type: 'url_citation', url: 'https://example.com', title: 'T', start_index: 0, end_index: 2 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' }
const reasoning = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Hm' }],
  encrypted_content: 'enc',
}
const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' }
const tools = [
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'computer_call',
]
const output = [
  reasoning,
  { id: 'rs_2', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Raw' }] },
  {
    ...message,
    content: [
      {
        type: 'output_text',
        text: 'Four',
        annotations: [cited, { type: 'file_citation', filename: 'a.txt' }],
        logprobs,
      },
      { type: 'refusal', refusal: 'No.' },
    ],
  },
  call,
  { type: 'custom_tool_call', call_id: 'call_2', name: 'c', input: 'in' },
  {
    ...{ type: 'image_generation_call', id: 'ig', status: 'completed' },
    result: 'iVBORw0KGgo=',
    output_format: 'webp',
  },
  ...tools.map(type => ({ type, id: `${type}_1`, status: 'completed', action: { type: 'search' } })),
  { type: 'web_search_call', id: 'failed', status: 'failed', action: { type: 'open_page' } },
]
const head = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm', service_tier: 'priority' }

const responses: ExactBodies['responses'] = {
  full: { ...head, status: 'completed', error: null, usage, output },
  cut: {
    ...head,
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ ...message, content: [{ type: 'output_text', text: 'A' }] }],
  },
  filtered: { ...head, status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] },
  searched: {
    ...{ ...head, status: 'completed', usage: { ...usage, tool_calls_details: { web_search: { invocation: 3 } } } },
    output: [
      {
        type: 'search_results',
        results: [
          { id: 1, url: 'https://example.com/1', title: 'One' },
          { id: 2, url: 'https://example.com/2' },
        ],
      },
      { ...message, content: [{ type: 'output_text', text: 'A[1] and B[2][9]' }] },
    ],
  },
}

const event = (type: string, fields: object) => ({ type: `response.${type}`, ...fields })
const item = (output_index: number, value: object) => event('output_item.added', { output_index, item: value })
const done = (output_index: number, value: object) => event('output_item.done', { output_index, item: value })

const streams: ExactBodies['streams'] = {
  full: [
    event('created', { response: { ...head, status: 'in_progress', output: [] } }),
    item(0, { ...reasoning, summary: [], encrypted_content: undefined }),
    event('reasoning_summary_part.added', { output_index: 0, summary_index: 0 }),
    event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'H' }),
    event('reasoning_summary_part.added', { output_index: 0, summary_index: 1 }),
    event('reasoning_text.delta', { output_index: 0, delta: 'm' }),
    done(0, reasoning),
    item(1, { ...message, content: [] }),
    event('content_part.added', { output_index: 1, content_index: 0, part: { type: 'output_text', text: '' } }),
    event('output_text.delta', { output_index: 1, content_index: 0, delta: 'Fo', logprobs }),
    event('output_text.delta', { output_index: 1, content_index: 0, delta: 'ur' }),
    event('output_text.annotation.added', { output_index: 1, content_index: 0, annotation: cited }),
    event('output_text.done', { output_index: 1, content_index: 0, text: 'Four', logprobs }),
    event('content_part.done', { output_index: 1, content_index: 0, part: { type: 'output_text', text: 'Four' } }),
    event('refusal.delta', { output_index: 1, content_index: 1, delta: 'No.' }),
    done(1, {
      ...message,
      content: [
        { type: 'output_text', text: 'Four' },
        { type: 'refusal', refusal: 'No.' },
      ],
    }),
    item(2, { ...call, arguments: '' }),
    event('function_call_arguments.delta', { output_index: 2, delta: '{"a":' }),
    event('function_call_arguments.delta', { output_index: 2, delta: '1}' }),
    done(2, call),
    done(3, { ...call, id: 'fc_2', call_id: 'call_2' }),
    done(4, { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }),
    event('completed', { response: { ...head, status: 'completed', usage, output } }),
  ],
  late: [
    event('output_text.delta', { output_index: 0, delta: 'implied' }),
    item(1, { ...call, arguments: '' }),
    done(1, call),
    item(2, reasoning),
    done(2, reasoning),
    done(3, { type: 'search_results', results: [{ id: 1, url: 'https://example.com/1', title: 'One' }] }),
    done(4, { ...message, content: [{ type: 'output_text', text: 'whole[1]', annotations: [] }] }),
    event('content_part.added', { output_index: 5, part: { type: 'output_text', text: '' } }),
    event('content_part.done', { output_index: 5, part: { type: 'output_text', text: 'at the end[1]' } }),
    event('output_text.done', { output_index: 5, logprobs }),
    item(6, { ...message, content: [] }),
    event('output_text.delta', { output_index: 6, delta: 'in deltas[1]' }),
    done(6, { ...message, content: [{ type: 'output_text', text: 'in deltas[1]' }] }),
    event('incomplete', {
      response: { ...head, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    }),
  ],
  failed: [
    event('created', { response: head }),
    event('failed', {
      response: { ...head, status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } },
    }),
  ],
  error: [{ type: 'error', code: 'server_error', message: 'M', param: 'p', sequence_number: 4 }],
  untyped: [{ error: { message: 'M', type: 'server_error' } }],
}

const errors: ExactBodies['errors'] = [
  [400, { error: { message: 'M', type: 'invalid_request_error', code: 'c', param: 'p' } }],
  [0, { response: { object: 'response', error: { message: 'M', code: 'server_error' } } }],
  [0, { object: 'response', error: null, message: 'no error' }],
  [0, { type: 'error', code: 'rate_limit_exceeded', message: 'M', param: 'p' }],
  [429, { message: 'M' }],
]

export const openAiResponsesBodies: ExactBodies = { requests, responses, streams, errors }
