/** Requests of OpenAI chat and of compatible servers that have every field the gateway reads. */
import type { ExactBodies } from './bodies.ts'

const png = 'iVBORw0KGgo='
const mark = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const call = (id: string, name: string, text: unknown, more = {}) => ({
  ...{ id, type: 'function', function: { name, arguments: text } },
  ...more,
})

export const openAiChatRequests: ExactBodies['requests'] = {
  settings: {
    ...{ model: 'm', stream: true, stream_options: { include_usage: true }, n: 2, max_completion_tokens: 90 },
    ...{ temperature: 0.5, top_p: 0.9, top_k: 40, seed: 7, presence_penalty: 0.1, frequency_penalty: 0.2 },
    ...{ logit_bias: { 50: -1 }, logprobs: true, top_logprobs: 3, stop: ['END', 'Over.'], parallel_tool_calls: false },
    ...{ user: 'ann', reasoning_effort: 'high', verbosity: 'low', modalities: ['text', 'audio'] },
    ...{ metadata: { conversation_id: 'conv_1' }, audio: { voice: 'alloy', format: 'mp3' }, prediction: null },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', description: 'What', schema: { type: 'object' }, strict: true },
    },
    web_search_options: {
      search_context_size: 'high',
      user_location: {
        type: 'approximate',
        approximate: { city: 'Rome', country: 'IT', region: 'RM', timezone: 'CET' },
      },
    },
    tools: [
      { type: 'function', function: { name: 'f', description: 'F', parameters: { type: 'object' }, strict: true } },
      { type: 'custom', custom: { name: 'c', description: 'C', format: { type: 'text' } } },
      { type: 'other', other: 1 },
    ],
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [{ function: { name: 'f' } }] } },
    messages: [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.', ...hour }] },
      { role: 'user', content: 'Hi', name: 'ann' },
    ],
  },
  conversation: {
    model: 'm',
    messages: [
      { role: 'system', content: 'A', name: 'sys' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'B', ...mark },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'low' }, ...mark },
          { type: 'image_url', image_url: 'https://example.com/a.png' },
          { type: 'input_audio', input_audio: { format: 'wav', data: 'UklG' } },
          { type: 'file', file: { file_id: 'file_1', filename: 'a.pdf' }, ...hour },
          { type: 'file', file: { file_data: 'JVBERi0=', filename: 'b.pdf' } },
          { type: 'file', file: { file_data: 'aGk=', filename: 'c.txt' } },
          { type: 'file', file: { file_data: 'https://example.com/d.pdf' } },
          { type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } },
          { type: 'video_url', video_url: { url: 'data:video/webm;base64,AAAA' } },
          'bare',
        ],
      },
      {
        role: 'assistant',
        name: 'bot',
        refusal: 'No.',
        audio: { id: 'audio_1' },
        reasoning_content: 'Hm',
        content: [
          {
            type: 'thinking',
            thinking: [
              { type: 'text', text: 'T1' },
              { type: 'text', text: 'T2' },
            ],
          },
          { type: 'text', text: 'C' },
          { type: 'refusal', refusal: 'Never.' },
        ],
        tool_calls: [
          call('call_1', 'f', '{"a":1}', { extra_content: { google: { thought_signature: 'c2ln' } } }),
          call('call_2', 'g', { a: 2 }),
          { id: 'call_3', type: 'custom', custom: { name: 'c', input: 'in' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'R1' }] },
      { role: 'tool', tool_call_id: 'call_2', name: 'g', content: 'R2' },
      {
        role: 'tool',
        tool_call_id: 'call_3',
        content: [{ type: 'image_url', image_url: { url: 'https://example.com/r.png' } }],
      },
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: 'R3' },
      { role: 'system', content: 'Later' },
      { role: 'assistant', content: { type: 'text', text: 'single' } },
      {
        role: 'assistant',
        content: 'D',
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'S', format: 'openai-responses-v1', index: 0 },
          { type: 'reasoning.encrypted', data: 'enc', format: 'openai-responses-v1', id: 'rs_1', index: 0 },
          { type: 'reasoning.text', text: 'A1', format: 'anthropic-claude-v1', index: 1 },
          { type: 'reasoning.text', text: 'A2', signature: 'sigA', format: 'anthropic-claude-v1', index: 1 },
          { type: 'reasoning.encrypted', data: 'red', format: 'anthropic-claude-v1', index: 2 },
          { type: 'reasoning.text', text: 'G', signature: 'sigG', format: 'google-gemini-v1', index: 3 },
          { type: 'reasoning.text', text: 'Q', format: 'other', index: 4 },
        ],
      },
      { role: 'user', content: 'E' },
    ],
  },
  portable: {
    ...{
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      n: 1,
      max_completion_tokens: 9000,
      temperature: 0.5,
    },
    ...{ top_p: 0.9, top_k: 40, seed: 7, presence_penalty: 0.1, frequency_penalty: 0.2, logit_bias: { 50: -1 } },
    ...{ logprobs: true, top_logprobs: 3, stop: ['END', 'Over.'], parallel_tool_calls: false, user: 'ann' },
    ...{
      verbosity: 'low',
      metadata: { conversation_id: 'conv_1' },
      tool_choice: { type: 'function', function: { name: 'f' } },
    },
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        schema: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
        strict: true,
      },
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'F',
          parameters: { type: 'object', properties: { a: { type: 'integer' } } },
          strict: true,
        },
      },
      { type: 'function', function: { name: 'g' } },
    ],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi', name: 'ann' },
      {
        role: 'assistant',
        content: 'B',
        reasoning_content: 'Hm',
        tool_calls: [call('call_1', 'f', '{"a":1}'), call('call_2', 'g', '')],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'R1' },
      { role: 'tool', tool_call_id: 'call_2', content: '{"b":2}' },
      { role: 'system', content: 'Later' },
      { role: 'assistant', content: null, refusal: 'No.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'E' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'low' } },
        ],
      },
    ],
  },
  signed: {
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      {
        ...{
          role: 'assistant',
          content: 'B',
          tool_calls: [call('call_1', 'f', '{}', { extra_content: { google: { thought_signature: 'c2ln' } } })],
        },
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'S', format: 'openai-responses-v1', index: 0 },
          { type: 'reasoning.encrypted', data: 'enc', format: 'openai-responses-v1', id: 'rs_1', index: 0 },
          { type: 'reasoning.text', text: 'A', signature: 'sigA', format: 'anthropic-claude-v1', index: 1 },
          { type: 'reasoning.encrypted', data: 'red', format: 'anthropic-claude-v1', index: 2 },
          { type: 'reasoning.text', text: 'G', signature: 'sigG', format: 'google-gemini-v1', index: 3 },
          { type: 'reasoning.text', text: 'Q', format: 'other', index: 4 },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'R' },
    ],
  },
  older: {
    ...{ model: 'm', max_tokens: 50, stop: 'END', safety_identifier: 'bob', function_call: { name: 'old' } },
    ...{
      reasoning: { effort: 'low', max_tokens: 2000, enabled: true, exclude: true },
      response_format: { type: 'json_object' },
    },
    functions: [{ name: 'old', description: 'Old', parameters: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes', reasoning: 'Why' },
    ],
  },
  choices: {
    ...{ model: 'm', tool_choice: { type: 'function', function: { name: 'f' } }, response_format: { type: 'text' } },
    messages: [{ role: 'user', content: '' }],
  },
  word: {
    model: 'm',
    tool_choice: 'required',
    reasoning: { enabled: false },
    messages: [{ role: 'user', content: 'Hi' }],
  },
}
