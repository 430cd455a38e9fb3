/** The same of Cohere and Coze. */
import type { ExactBodies, UpstreamOnlyName } from './bodies.ts'

type Bodies = Omit<ExactBodies, 'requests'>

const call = (id: string, text: unknown = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: text },
})

const cohereUsage = {
  billed_units: { input_tokens: 90, output_tokens: 60 },
  tokens: { input_tokens: 100, output_tokens: 61 },
  cached_tokens: 30,
}
const cohereCited = (more: object = {}) => ({
  ...{
    start: 1,
    end: 3,
    sources: [
      { type: 'document', document: { url: 'https://example.com', title: 'T', snippet: 'Q' } },
      { tool_output: { content: 'C' } },
    ],
  },
  ...more,
})
const cohereEvent = (type: string, index: number, message: object) => ({ type, index, delta: { message } })
const cohere: Bodies = {
  responses: {
    full: {
      ...{ id: 'c1', finish_reason: 'COMPLETE', usage: cohereUsage },
      message: {
        ...{ tool_plan: 'Plan', tool_calls: [call('call_1'), call('call_2', '')] },
        content: [
          { type: 'thinking', thinking: 'Hm' },
          { type: 'text', text: 'Four' },
        ],
        citations: [cohereCited(), cohereCited({ type: 'PLAN' })],
      },
    },
    tokens: {
      message: { content: [{ type: 'text', text: 'A' }] },
      finish_reason: 'MAX_TOKENS',
      usage: { tokens: { input_tokens: 5, output_tokens: 2 }, cached_tokens: 9 },
    },
  },
  streams: {
    full: [
      { type: 'message-start', id: 'c1', delta: { message: { role: 'assistant' } } },
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'Plan' } } },
      cohereEvent('content-start', 0, { content: { type: 'thinking', thinking: 'H' } }),
      cohereEvent('content-delta', 0, { content: { thinking: 'm' } }),
      { type: 'content-end', index: 0 },
      cohereEvent('content-start', 1, { content: { type: 'text', text: '' } }),
      cohereEvent('content-delta', 1, { content: { text: 'Four' } }),
      cohereEvent('citation-start', 0, { citations: cohereCited() }),
      { type: 'citation-end', index: 0 },
      { type: 'content-end', index: 1 },
      cohereEvent('tool-call-start', 0, { tool_calls: call('call_1', '') }),
      cohereEvent('tool-call-delta', 0, { tool_calls: { function: { arguments: '{"a":' } } }),
      cohereEvent('tool-call-delta', 0, { tool_calls: { function: { arguments: '1}' } } }),
      { type: 'tool-call-end', index: 0 },
      cohereEvent('tool-call-start', 1, { tool_calls: call('call_2', 'null') }),
      { type: 'tool-call-end', index: 1 },
      cohereEvent('tool-call-start', 2, { tool_calls: call('call_3', '') }),
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: cohereUsage } },
    ],
    // A citation is about the text right before it; of arguments that may be `null`, all that came is kept.
    interrupted: [
      { type: 'message-start', id: 'c2', delta: { message: { role: 'assistant' } } },
      cohereEvent('content-delta', 0, { content: { text: 'One' } }),
      cohereEvent('citation-start', 0, { citations: cohereCited() }),
      cohereEvent('content-delta', 1, { content: { thinking: 'Hm' } }),
      cohereEvent('citation-start', 1, { citations: cohereCited() }),
      cohereEvent('content-delta', 2, { content: { text: 'Two' } }),
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'Plan' } } },
      cohereEvent('citation-start', 2, { citations: cohereCited() }),
      cohereEvent('tool-call-start', 0, { tool_calls: call('call_1', 'n') }),
      cohereEvent('tool-call-delta', 0, { tool_calls: { function: { arguments: 'ul' } } }),
      cohereEvent('tool-call-delta', 0, { tool_calls: { function: { arguments: 'l' } } }),
      { type: 'tool-call-end', index: 0 },
      cohereEvent('tool-call-start', 1, { tool_calls: call('call_2', 'n') }),
      cohereEvent('tool-call-delta', 1, { tool_calls: { function: { arguments: 'ul' } } }),
      cohereEvent('tool-call-delta', 1, { tool_calls: { function: { arguments: 'x' } } }),
      cohereEvent('tool-call-delta', 1, { tool_calls: { function: { arguments: 'y' } } }),
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: cohereUsage } },
    ],
    failed: [{ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'bad', usage: cohereUsage } }],
    timeout: [{ type: 'message-end', delta: { finish_reason: 'TIMEOUT' } }],
  },
  errors: [
    [0, { finish_reason: 'ERROR', message: {} }],
    [0, { finish_reason: 'TIMEOUT', error: 'late' }],
    ...[400, 401, 402, 404, 429, 498, 500].map(status => [status, { id: 'e', message: 'M' }] as const),
  ],
}

const cozeEvent = (event: string, data: object) => ({ event, data: JSON.stringify(data) })
const answer = (id: string, more: object) => ({
  id,
  chat_id: 'chat_1',
  conversation_id: 'conv_1',
  created_at: 1_700_000_000,
  role: 'assistant',
  type: 'answer',
  ...more,
})
const coze: Bodies = {
  responses: {},
  streams: {
    full: [
      cozeEvent('conversation.chat.created', { id: 'chat_1' }),
      cozeEvent('conversation.message.delta', answer('m1', { reasoning_content: 'Hm' })),
      cozeEvent('conversation.message.delta', answer('m1', { content: 'Four' })),
      cozeEvent('conversation.message.completed', answer('m1', { content: 'Four' })),
      cozeEvent('conversation.message.completed', answer('m2', { content: 'more' })),
      cozeEvent('conversation.message.completed', { ...answer('m3', { content: 'hidden' }), type: 'follow_up' }),
      cozeEvent('conversation.chat.completed', {
        id: 'chat_1',
        conversation_id: 'conv_1',
        usage: { token_count: 160, input_count: 100, output_count: 60 },
      }),
      { event: 'done', data: '"[DONE]"' },
    ],
    sum: [
      cozeEvent('conversation.chat.completed', {
        id: 'chat_1',
        created_at: 5,
        usage: { token_count: 160, output_count: 60 },
      }),
    ],
    failed: [cozeEvent('conversation.chat.failed', { last_error: { code: 4013, msg: 'M' } })],
    silent: [cozeEvent('conversation.chat.failed', {})],
    action: [cozeEvent('conversation.chat.requires_action', {})],
    canceled: [cozeEvent('conversation.chat.canceled', {})],
    error: [cozeEvent('error', { code: 4000, msg: 'M' })],
    empty: [cozeEvent('error', {})],
    untyped: [{ code: 4009, msg: 'M' }],
  },
  errors: [
    ...[0, 4000, 4009, 4011, 4013, 4100, 4101, 4200, 700_012_006, 5000].map(
      code => [0, { code, msg: code === 5000 ? '' : 'M' }] as const,
    ),
    [502, { code: 9999, msg: 'M' }],
    [500, { message: 'M' }],
  ],
}

export const agentBodies: Partial<Record<UpstreamOnlyName, Bodies>> = { cohere, coze }
