/** Responses, streams and errors of the formats of upstreams alone that have every field the gateway reads. */
import type { ExactBodies, UpstreamOnlyName } from './bodies.ts'

type Bodies = Omit<ExactBodies, 'requests'>

const call = (id: string, text: unknown = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: text },
})

const converse = {
  ...{ inputTokens: 100, outputTokens: 60, totalTokens: 210, cacheReadInputTokens: 20, cacheWriteInputTokens: 30 },
  cacheDetails: [
    { ttl: '1h', inputTokens: 12 },
    { ttl: '5m', inputTokens: 18 },
  ],
}
const converseDelta = (contentBlockIndex: number, delta: object) => ({
  contentBlockDelta: { contentBlockIndex, delta },
})
const exceptions = [
  ...[
    'Throttling',
    'TooManyRequests',
    'ModelNotReady',
    'ServiceQuotaExceeded',
    'Validation',
    'Conflict',
    'ResourceNotFound',
  ],
  ...['ModelTimeout', 'ModelError', 'ModelStreamError', 'InternalServer', 'ServiceUnavailable', 'AccessDenied'],
  ...[
    'UnrecognizedClient',
    'InvalidSignature',
    'IncompleteSignature',
    'ExpiredToken',
    'MissingAuthenticationToken',
    'Unknown',
  ],
]
const bedrock: Bodies = {
  responses: {
    full: {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm', signature: 's' } } },
            { reasoningContent: { redactedContent: 'xyz' } },
            { text: 'Four' },
            { citationsContent: { content: [{ text: 'ci' }, { text: 'ted' }] } },
            { toolUse: { toolUseId: 'call_1', name: 'f', input: { a: 1 } } },
            { other: 1 },
          ],
        },
      },
      ...{ stopReason: 'tool_use', usage: converse },
    },
    odd: { output: { message: { content: [] } }, stopReason: 'a_new_reason', usage: { inputTokens: 0 } },
  },
  streams: {
    full: [
      { messageStart: { role: 'assistant', p: 'abc' } },
      converseDelta(0, { reasoningContent: { text: 'Hm' } }),
      converseDelta(0, { reasoningContent: { signature: 's' } }),
      { contentBlockStop: { contentBlockIndex: 0 } },
      converseDelta(1, { reasoningContent: { redactedContent: 'xyz' } }),
      { contentBlockStop: { contentBlockIndex: 1 } },
      converseDelta(2, { text: 'Fo' }),
      { contentBlockDelta: { contentBlockIndex: 2, delta: { text: 'ur' }, p: 'abcdef' } },
      { contentBlockStop: { contentBlockIndex: 2 } },
      { contentBlockStart: { contentBlockIndex: 3, start: { toolUse: { toolUseId: 'call_1', name: 'f' } } } },
      converseDelta(3, { toolUse: { input: '{"a":' } }),
      converseDelta(3, { toolUse: { input: '1}' } }),
      { contentBlockStop: { contentBlockIndex: 3 } },
      { contentBlockStart: { contentBlockIndex: 4, start: { toolUse: { toolUseId: 'call_2', name: 'g' } } } },
      { contentBlockStop: { contentBlockIndex: 4 } },
      { messageStop: { stopReason: 'max_tokens' } },
      { metadata: { usage: converse } },
    ],
    failed: [{ error: { type: 'throttlingException', message: 'Slow down' } }],
    cut: [converseDelta(0, { text: 'A' }), { messageStop: { stopReason: 'end_turn' } }],
  },
  errors: [
    ...exceptions.map(name => [0, { __type: `com.amazon#${name}Exception:http://x`, message: 'M' }] as const),
    [403, { __type: 'InvalidClientTokenId', Message: 'M' }],
    [403, { message: 'The request signature we calculated does not match' }],
    [403, { message: 'The API key is not valid' }],
    [400, { message: 'M' }],
    [502, { message: 'M' }],
    [0, {}],
  ],
}

const aliUsage = {
  ...{ input_tokens: 100, output_tokens: 60, image_tokens: 8 },
  input_tokens_details: { cached_tokens: 5 },
  prompt_tokens_details: { cached_tokens: 10, cache_creation_input_tokens: 7 },
  output_tokens_details: { reasoning_tokens: 20 },
}
const aliOutput = (message: object, finish_reason: string) => ({ choices: [{ message, finish_reason }] })
const ali: Bodies = {
  responses: {
    full: {
      request_id: 'r1',
      usage: aliUsage,
      output: aliOutput(
        { role: 'assistant', content: 'Four', reasoning_content: 'Hm', tool_calls: [call('call_1')] },
        'tool_calls',
      ),
    },
    parts: { request_id: 'r1', output: aliOutput({ content: [{ text: 'Fo' }, { text: 'ur' }] }, 'length') },
    text: { request_id: 'r1', output: { text: 'Four', finish_reason: 'stop' }, usage: aliUsage },
  },
  streams: {
    full: [
      { request_id: 'r1', output: aliOutput({ content: '', reasoning_content: 'Hm' }, 'null') },
      { request_id: 'r1', output: aliOutput({ content: 'Four' }, 'null') },
      {
        request_id: 'r1',
        output: aliOutput({ content: '', tool_calls: [{ index: 0, ...call('call_1') }] }, 'null'),
        usage: { input_tokens: 1 },
      },
      { request_id: 'r1', output: aliOutput({ content: '' }, 'stop'), usage: aliUsage },
    ],
    failed: [{ code: 'Throttling.RateQuota', message: 'M', request_id: 'r' }],
  },
  errors: [
    ...[
      'InvalidApiKey',
      'invalid_api_key',
      'Arrearage',
      'AllocationQuota.FreeTierOnly',
      'Throttling',
      'limit_requests',
      'AccessDenied',
      'ModelNotFound',
      'WorkspaceNotExist',
    ].map(code => [0, { code, message: 'M' }] as const),
    ...[
      'DataInspectionFailed',
      'InvalidParameter',
      'BadRequest.TooLarge',
      'RequestTimeOut',
      'ServiceUnavailable',
      'SystemBusy',
      'InternalError',
      'JobFailed',
      'Other',
    ].map(code => [0, { code, message: '' }] as const),
    [400, { error: { code: 'invalid_api_key', message: 'M' } }],
    [400, { error: { code: 'x', type: 'Arrearage', message: 'M' } }],
    [0, { code: 'Throttling', type: 'error' }],
  ],
}

const wenxinBody = {
  id: 'w1',
  created: 1_700_000_000,
  result: 'Four',
  usage: { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
}
const wenxin: Bodies = {
  responses: {
    full: {
      ...wenxinBody,
      finish_reason: 'normal',
      function_call: { name: 'f', arguments: '{"a":1}', thoughts: 'Hm' },
    },
    total: { ...wenxinBody, usage: { prompt_tokens: 100, total_tokens: 130 }, is_truncated: true },
    cleared: { ...wenxinBody, need_clear_history: true },
  },
  streams: {
    full: [
      { ...wenxinBody, result: 'Fo', is_end: false },
      { ...wenxinBody, result: 'ur', is_end: true, finish_reason: 'length' },
    ],
    called: [
      { ...wenxinBody, result: '', is_end: false, usage: {} },
      { ...wenxinBody, result: '', is_end: true, function_call: { name: 'f', arguments: '{}', thoughts: 'Hm' } },
    ],
    failed: [{ error_code: 18, error_msg: 'M' }],
  },
  errors: [
    ...[
      4, 6, 13, 14, 17, 18, 19, 100, 110, 111, 336_001, 336_002, 336_003, 336_004, 336_005, 336_006, 336_007, 336_100,
      336_103, 336_104, 336_105, 336_300, 336_000,
    ].map(error_code => [0, { error_code, error_msg: 'M' }] as const),
    [503, { error_code: 1, error_msg: 'M' }],
    [0, { error_code: 0, result: 'A' }],
    [0, { data: [] }],
    [500, { message: 'M' }],
  ],
}

const hunyuan = {
  Id: 't1',
  Created: 1_700_000_000,
  Usage: { PromptTokens: 100, CompletionTokens: 60, TotalTokens: 160 },
}
const hunyuanCall = { Id: 'call_1', Type: 'function', Index: 0, Function: { Name: 'f', Arguments: '{"a":1}' } }
const tencent: Bodies = {
  responses: {
    full: {
      Response: {
        ...hunyuan,
        RequestId: 'q',
        Choices: [
          {
            FinishReason: 'tool_calls',
            Message: { Role: 'assistant', Content: 'Four', ReasoningContent: 'Hm', ToolCalls: [hunyuanCall] },
          },
        ],
      },
    },
  },
  streams: {
    full: [
      { ...hunyuan, Choices: [{ Delta: { Role: 'assistant', ReasoningContent: 'Hm' }, FinishReason: '' }] },
      { ...hunyuan, Choices: [{ Delta: { Content: 'Four' }, FinishReason: '' }] },
      { ...hunyuan, Choices: [{ Delta: { ToolCalls: [hunyuanCall] }, FinishReason: '' }] },
      { ...hunyuan, Choices: [{ Delta: {}, FinishReason: 'sensitive' }] },
    ],
    failed: [{ ErrorMsg: { Msg: 'M', Code: 4001 } }],
  },
  errors: [
    ...[
      'AuthFailure.SignatureExpire',
      'AuthFailure.UnauthorizedOperation',
      'UnauthorizedOperation',
      'FailedOperation.ServiceNotActivated',
      'AuthFailure.SecretIdNotFound',
    ].map(Code => [0, { Response: { Error: { Code, Message: 'M' } } }] as const),
    ...[
      'LimitExceeded',
      'RequestLimitExceeded',
      'FailedOperation.EngineServerLimitExceeded',
      'ResourceInsufficient',
      'FailedOperation.ResourcePackExhausted',
      'FailedOperation.ServiceStop',
    ].map(Code => [0, { Response: { Error: { Code, Message: 'M' } } }] as const),
    ...[
      'FailedOperation.EngineRequestTimeout',
      'InvalidParameter',
      'MissingParameter',
      'UnknownParameter',
      'Unsupported',
      'OperationDenied.TextIllegal',
      'OperationDenied',
      'RegionError',
      'ResourceNotFound',
      'InvalidAction',
      'NoSuchX',
      'ResourceUnavailable',
      'Other',
    ].map(Code => [0, { Error: { Code, Message: 'M' } }] as const),
    [0, { ErrorMsg: { Msg: 'M' } }],
    [0, { Response: { ErrorMsg: { Code: 429 } } }],
    [0, { Response: {}, message: 'M' }],
    [500, { message: 'M' }],
  ],
}

export const upstreamOnlyBodies: Partial<Record<UpstreamOnlyName, Bodies>> = { bedrock, ali, wenxin, tencent }
