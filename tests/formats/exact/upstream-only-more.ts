/** The same of the formats that have few fields. */
import type { ExactBodies, UpstreamOnlyName } from './bodies.ts'

type Bodies = Omit<ExactBodies, 'requests'>

const difyHead = { task_id: 't1', message_id: 'msg_1', conversation_id: 'conv_1', created_at: 1_700_000_000 }
const difyUsage = { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 }
const message = (answer: string, event = 'message') => ({ event, ...difyHead, answer })
const thought = (more: object) => ({ event: 'agent_thought', ...difyHead, id: 'th_1', position: 1, ...more })
const dify: Bodies = {
  responses: {},
  streams: {
    chat: [
      message('<think>Hm</think>Fo'),
      message('ur', 'agent_message'),
      thought({ thought: '', tool: 'search', tool_input: '{"q":1}' }),
      thought({ thought: 'Look', tool: 'search', tool_input: '{"q":1}', observation: 'seen' }),
      { event: 'message_file', ...difyHead, belongs_to: 'user', type: 'image', url: 'https://example.com/u.png' },
      { event: 'message_file', ...difyHead, belongs_to: 'assistant', type: 'image', url: 'https://example.com/a.png' },
      { event: 'message_file', ...difyHead, belongs_to: 'assistant', url: 'https://example.com/a.bin' },
      { event: 'ping' },
      { event: 'message_end', ...difyHead, metadata: { usage: difyUsage } },
    ],
    replaced: [
      message('bad'),
      { event: 'message_replace', ...difyHead, answer: 'good' },
      { event: 'message_end', ...difyHead, metadata: {} },
    ],
    workflow: [
      { event: 'workflow_started', workflow_run_id: 'run_1', data: { id: 'run_1', created_at: 5 } },
      { event: 'text_chunk', workflow_run_id: 'run_1', data: { text: 'Four', created_at: 5 } },
      {
        event: 'node_finished',
        workflow_run_id: 'run_1',
        data: { process_data: { usage: difyUsage }, execution_metadata: { total_tokens: 160 } },
      },
      { event: 'text_replace', workflow_run_id: 'run_1', data: { text: 'Five' } },
      {
        event: 'workflow_finished',
        workflow_run_id: 'run_1',
        data: { status: 'succeeded', total_tokens: 170, outputs: { text: 'Four' } },
      },
    ],
    outputs: [
      {
        event: 'workflow_finished',
        workflow_run_id: 'run_1',
        data: { status: 'succeeded', total_tokens: 50, outputs: { text: 'Four' } },
      },
    ],
    several: [
      {
        event: 'workflow_finished',
        id: 'own',
        data: { status: 'succeeded', created_at: 6, outputs: { a: 'Four', b: 2 } },
      },
    ],
    chatflow: [
      message('Four'),
      { event: 'workflow_finished', ...difyHead, data: { status: 'succeeded', total_tokens: 33 } },
      { event: 'message_end', ...difyHead },
    ],
    failed: [{ event: 'workflow_finished', data: { status: 'failed', error: 'bad' } }],
    stopped: [{ event: 'workflow_finished', data: { status: 'stopped' } }],
    error: [{ event: 'error', status: 429, code: 'too_many', message: 'M' }],
    bare: [{ event: 'error', status: 404, code: 'not_found' }],
    nameless: [{ event: 'error' }],
    untyped: [{ code: 'c', message: 'M', status: 503 }],
  },
  errors: [
    ...[
      'provider_quota_exceeded',
      'provider_not_initialize',
      'model_currently_not_support',
      'app_unavailable',
      'other',
    ].map(code => [400, { code, message: 'M', status: 400 }] as const),
    [0, { code: 'other', message: 'M', status: 404 }],
    [0, { code: 'other', message: 'M', status: 600 }],
    [0, { code: 'other', message: 'M', status: 399 }],
  ],
}

const sparkHeader = (more: object = {}) => ({ code: 0, message: 'Success', sid: 's1', status: 1, ...more })
const sparkPayload = (content: object, more: object = {}) => ({
  choices: { status: 1, seq: 0, text: [{ role: 'assistant', index: 0, ...content }] },
  ...more,
})
const sparkUsage = {
  usage: { text: { question_tokens: 4, prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 } },
}
const spark: Bodies = {
  responses: {},
  streams: {
    full: [
      { header: sparkHeader({ status: 0 }), payload: sparkPayload({ reasoning_content: 'Hm' }) },
      { header: sparkHeader(), payload: sparkPayload({ content: 'Four' }) },
      {
        header: sparkHeader({ status: 2 }),
        payload: sparkPayload({ content: '', function_call: { name: 'f', arguments: '{"a":1}' } }, sparkUsage),
      },
    ],
    text: [{ header: sparkHeader({ status: 2 }), payload: sparkPayload({ content: 'Four' }, sparkUsage) }],
    failed: [{ header: { code: 11_202, message: 'M', sid: 's1' } }],
  },
  errors: [
    10_003, 10_004, 10_005, 10_007, 10_008, 10_013, 10_014, 10_019, 10_163, 10_907, 11_200, 11_201, 11_202, 11_203,
    10_110, 10_222, 99_999,
  ].map(code => [0, { header: { code, message: 'M', sid: 's' } }] as const),
}

const palm: Bodies = {
  responses: { full: { candidates: [{ author: '1', content: 'Four' }, { content: 'Five' }] } },
  streams: {},
  errors: [
    [0, { filters: [{ reason: 'SAFETY', message: 'bad' }, { reason: 'OTHER' }] }],
    [0, { candidates: [] }],
    [0, { messages: [] }],
    [0, { candidates: [{ content: 'A' }] }],
    [400, { error: { code: 400, message: 'M', status: 'INVALID_ARGUMENT' } }],
  ],
}

const documents = [
  { title: 'T', url: 'https://example.com', id: 'd1' },
  { title: 'U', url: 'https://example.com/u' },
  { title: 'V' },
]
const library: Bodies = {
  responses: { full: { success: true, errCode: 0, answer: 'Four', documents } },
  streams: {
    full: [
      { content: 'Fo', finish: false, model: 'm' },
      { content: 'ur', finish: true, model: 'm', documents },
      { content: 'late' },
    ],
    bare: [{ content: 'A', finish: true }],
    failed: [{ success: false, message: 'M', errCode: 429 }],
  },
  errors: [
    [0, { success: false, message: 'M', errCode: 401 }],
    [200, { success: true, message: 'M', errCode: 500 }],
    [429, { success: false, message: 'M' }],
    [0, { success: true, answer: 'A', message: 'M' }],
    [0, { content: 'A' }],
    [500, { message: 'M' }],
  ],
}

const zhipuUsage = { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 }
const zhipu: Bodies = {
  responses: {
    full: {
      code: 200,
      success: true,
      data: {
        task_id: 't1',
        request_id: 'r1',
        choices: [{ role: 'assistant', content: '"Four\\n"' }],
        usage: zhipuUsage,
      },
    },
    bare: { code: 200, data: { task_id: 't1', choices: [{ content: 'plain' }, { content: '"broken' }] } },
  },
  streams: {
    full: [
      { event: 'add', id: '1', data: 'Fo', meta: JSON.stringify({ request_id: 'r1' }) },
      { data: 'ur' },
      { event: 'finish', data: '', meta: JSON.stringify({ request_id: 'r1', usage: zhipuUsage }) },
      { event: 'add', data: 'late' },
    ],
    interrupted: [{ event: 'interrupted', data: 'A', meta: '{}' }],
    failed: [{ event: 'error', data: JSON.stringify({ code: 1302, msg: 'M' }) }],
    text: [{ event: 'error', data: 'plain' }],
  },
  errors: [
    ...[
      1000, 1001, 1002, 1003, 1004, 1110, 1111, 1112, 1121, 1220, 1221, 1222, 1113, 1302, 1303, 1304, 1308, 1310, 1120,
      1305,
    ].map(code => [0, { code, msg: 'M', success: false }] as const),
    ...[1210, 1211, 1212, 1213, 1214, 1215, 1261, 1300, 1301, 9999].map(
      code => [0, { error: { code: String(code), message: 'M' } }] as const,
    ),
    [502, { success: false, message: 'M' }],
    [0, { code: 200, data: {}, message: 'M' }],
    [500, { message: 'M' }],
  ],
}

const replicate: Bodies = {
  responses: {
    full: {
      id: 'p1',
      model: 'm',
      status: 'succeeded',
      output: ['Fo', 'ur'],
      created_at: '2023-11-14T22:13:20.500Z',
      metrics: { input_token_count: 100, output_token_count: 60 },
    },
    text: { id: 'p1', status: 'succeeded', output: 'Four', metrics: { input_token_count: -1, output_token_count: 60 } },
    empty: { id: 'p1', status: 'succeeded', output: [] },
    running: { id: 'p1', status: 'processing', output: 'A' },
    picture: { id: 'p1', status: 'succeeded', output: [{ url: 'u' }] },
  },
  streams: {
    full: [
      { event: 'output', data: 'Four' },
      { event: 'logs', data: 'x' },
      { event: 'done', data: '{}', metrics: { input_token_count: 100, output_token_count: 60 } },
    ],
    empty: [{ event: 'done', data: '' }],
    canceled: [{ event: 'done', data: '{"reason":"canceled"}' }],
    failed: [{ event: 'error', data: '{"detail":"M","status":429}' }],
    text: [{ event: 'error', data: 'NSFW content' }],
  },
  errors: [
    ...['failed', 'canceled', 'aborted'].map(status => [0, { status }] as const),
    ...[
      'E005',
      'nsfw',
      'flagged as',
      'sensitive',
      'E003',
      'high demand',
      'E004',
      'E6716',
      'timed out',
      'timeout',
      'other',
    ].map(error => [0, { status: 'failed', error }] as const),
    ...[400, 401, 402, 404, 429, 500].map(status => [status, { title: 'T', detail: 'M', status }] as const),
  ],
}

export const moreUpstreamOnlyBodies: Partial<Record<UpstreamOnlyName, Bodies>> = {
  ...{ dify, spark, palm, library, replicate },
  'zhipu-v3': zhipu,
}
