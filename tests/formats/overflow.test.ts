/** Errors of a prompt that is too long: known by every maker's words, written in each client format's own. */
import { describe, expect, test } from 'bun:test'
import type { ApiError, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { type Overflow, overflowOf } from '../../src/formats/canonical/overflow.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import type { Json } from './wire/sse.ts'
import { upstreamWires } from './wire/upstreams.ts'

const errorWith = (message: string, fields: Partial<ApiError> = {}): ApiError => ({
  ...{ status: 400, message, type: 'invalid_request_error', code: '', param: null },
  ...fields,
})

const both: Overflow = { tokens: 250_000, output: undefined, max: 200_000 }
const withOutput: Overflow = { tokens: 180_000, output: 64_000, max: 200_000 }
const maxOnly: Overflow = { tokens: undefined, output: undefined, max: 200_000 }
const unknown: Overflow = { tokens: undefined, output: undefined, max: undefined }

const known: [string, string, Overflow][] = [
  ['Anthropic', 'prompt is too long: 250000 tokens > 200000 maximum', both],
  [
    'Anthropic with its limit of output',
    'input length and `max_tokens` exceed context limit: 180000 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    withOutput,
  ],
  ['Fireworks', 'The prompt is too long: 250000, model maximum context length: 200000', both],
  [
    'OpenAI chat',
    "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens. Please reduce the length of the messages.",
    both,
  ],
  [
    'DeepSeek',
    "This model's maximum context length is 200000 tokens. However, you requested 244000 tokens (180000 in the messages, 64000 in the completion). Please reduce the length of the messages or completion.",
    withOutput,
  ],
  [
    'OpenAI completions',
    "This model's maximum context length is 200000 tokens, however you requested 314000 tokens (250000 in your prompt; 64000 for the completion). Please reduce your prompt; or completion length.",
    both,
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 200000 tokens. However, you requested about 314000 tokens (240000 of text input, 10000 of tool input, 64000 in the output). Please reduce the length of either one.",
    both,
  ],
  [
    'OpenAI Responses',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    unknown,
  ],
  [
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is 200000 tokens and your request has 180000 input tokens (64000 > 200000 - 180000).",
    withOutput,
  ],
  [
    'vLLM of 2026',
    "This model's maximum context length is 200000 tokens. However, you requested 64000 output tokens and your prompt contains at least 180000 input tokens, for a total of at least 244000 tokens.",
    withOutput,
  ],
  [
    'vLLM with its context',
    "You passed 250000 input tokens and requested 1 output tokens. However, the model's context length is only 200000 tokens",
    both,
  ],
  ['SGLang', "The input (250000 tokens) is longer than the model's context length (200000 tokens).", both],
  [
    'SGLang with its limit of output',
    "Requested token count exceeds the model's maximum context length of 200000 tokens. You requested a total of 244000 tokens: 180000 tokens from the input messages and 64000 tokens for the completion.",
    withOutput,
  ],
  ['Gemini', 'The input token count (250000) exceeds the maximum number of tokens allowed (200000).', both],
  ['Gemini without a count', 'The input token count exceeds the maximum number of tokens allowed 200000.', maxOnly],
  [
    'Vertex AI',
    'Unable to submit request because the input token count is 250000 but model only supports up to 200000. Reduce the input token count and try again.',
    both,
  ],
  ['Bedrock', 'Input is too long for requested model.', unknown],
  [
    'Bedrock of Titan',
    '400 Bad Request: Too many input tokens. Max input tokens: 200000, request input token count: 250000',
    both,
  ],
  [
    'Mistral',
    'Prompt contains 250000 tokens and 0 draft tokens, too large for model with 200000 maximum context length',
    both,
  ],
  [
    'Cohere',
    'too many tokens: total number of tokens in the prompt cannot exceed 200000 - received 250000. Try using a shorter prompt',
    both,
  ],
  [
    'Cohere by size',
    'too many tokens: size limit exceeded by 50000 tokens. Try using shorter or fewer inputs',
    unknown,
  ],
  ['DashScope', '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 200000]', maxOnly],
  ['Zhipu', 'Prompt exceeds max length', unknown],
  ['Zhipu in Chinese', 'Prompt 超长', unknown],
  ['Moonshot', 'Invalid request: Your request exceeded model token limit: 200000 (requested: 250000)', both],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)', unknown],
  ['xAI', "This model's maximum prompt length is 200000 but the request contains 250000 tokens.", both],
  ['Groq', 'Please reduce the length of the messages or completion.', unknown],
  ['Ark', 'Input length 250000 exceeds the maximum length 200000', both],
  ['llama.cpp', 'request (250000 tokens) exceeds the available context size (200000 tokens), try increasing it', both],
  ['llama.cpp without counts', 'the request exceeds the available context size, try increasing it', unknown],
  ['Ollama', 'prompt too long; exceeded max context length by 50000 tokens', unknown],
  ['Ollama embeddings', 'the input length exceeds the context length', unknown],
  [
    'LM Studio',
    'Trying to keep the first 250000 tokens when context the overflows. However, the model is loaded with context length of only 200000 tokens',
    both,
  ],
  ['GitHub Models', 'Request body too large for gpt-4o model. Max size: 200000 tokens.', maxOnly],
  ['Copilot', 'prompt token count of 250000 exceeds the limit of 200000', both],
  ['TGI', 'Input validation error: `inputs` must have less than 200000 tokens. Given: 250000', both],
  [
    'Cloudflare',
    'The estimated number of input and maximum output tokens (250000) exceeded this model context window limit (200000).',
    both,
  ],
  ['Dify', 'Query or prefix prompt is too long, you can reduce the prefix prompt', unknown],
  ['thousands with commas', 'prompt is too long: 250,000 tokens > 200,000 maximum', both],
]

describe('overflows', () => {
  test.each(known)('%s is known', (_, message, overflow) => {
    expect(overflowOf(errorWith(message))).toEqual(overflow)
  })

  test.each([
    ['OpenAI', { code: 'context_length_exceeded' }],
    ['Zhipu', { code: '1261' }],
    ['llama.cpp', { type: 'exceed_context_size_error' }],
  ])('the code of %s is enough', (_, fields) => {
    expect(overflowOf(errorWith('nothing to read', fields))).toEqual({})
  })

  test.each([
    ["a minute's limit", errorWith('Too many tokens, please wait before trying again.', { status: 429 })],
    ['a limit by its size', errorWith('too many tokens: per minute', { status: 429 })],
    [
      'a limit of output',
      errorWith('max_tokens is too large: 64000. This model supports at most 16384 completion tokens'),
    ],
    ['a limit of DashScope', errorWith('Range of max_tokens should be [1, 8192]')],
    ['a long name', errorWith("Invalid 'user': string too long. Expected a string with maximum length 64")],
    ['a key', errorWith('prompt is too long', { status: 401 })],
  ])('%s is none', (_, error) => {
    expect(overflowOf(error)).toBeUndefined()
  })
})

/** What each upstream answers to a prompt that is too long, with its status. */
const answers: Record<string, [number, Json]> = {
  ali: [400, { code: 'InvalidParameter', message: 'Range of input length should be [1, 30720]', request_id: 'r' }],
  bedrock: [400, { __type: 'ValidationException', message: 'Input is too long for requested model.' }],
  cohere: [400, { message: 'too many tokens: size limit exceeded by 11326 tokens.' }],
  coze: [200, { code: 4000, msg: 'The input length 9000 exceeds the maximum length 8000' }],
  dify: [400, { code: 'completion_request_error', message: 'Query or prefix prompt is too long', status: 400 }],
  library: [200, { success: false, errCode: 400, message: 'prompt is too long' }],
  palm: [
    400,
    { error: { code: 400, message: 'The input token count exceeds the maximum number of tokens allowed 8192.' } },
  ],
  replicate: [
    422,
    { title: 'Input validation failed', detail: 'Prompt length exceeds the context window', status: 422 },
  ],
  spark: [200, { header: { code: 10907, message: 'tokens exceed the limit', status: 2 } }],
  tencent: [200, { Response: { Error: { Code: 'InvalidParameterValue', Message: '输入长度超过模型最大限制' } } }],
  wenxin: [200, { error_code: 336_103, error_msg: 'the prompt tokens too long' }],
  'zhipu-v3': [200, { code: 1261, msg: 'Prompt 超长', success: false }],
}

describe('every upstream format', () => {
  test.each(upstreamWires.map(({ format }) => [format.name, format] as const))(
    '%s has its overflow read',
    (name, format) => {
      const [status, body] = answers[name]!
      const error = format.readError(body, status === 200 ? 0 : status)!
      expect(overflowOf(error)).toBeDefined()
    },
  )
})

describe('every client format', () => {
  const write = (format: ClientFormatName, overflow: Overflow, message = 'Input is too long for requested model.') =>
    (chatFormats[format].writeError({ ...errorWith(message), overflow, request_id: 'r' }) as { error: Json }).error

  test.each(formats)('%s keeps its own words and names the call', format => {
    const own = overflowed[format]
    expect(write(format, both, own).message).toBe(`${own} (request id: r)`)
    expect(overflowOf(errorWith(own))).toEqual(both)
  })

  test.each(formats)('%s is read again as it was written', format => {
    for (const overflow of [both, withOutput]) {
      const message = String(write(format, overflow).message)
      const { tokens } = overflowOf(errorWith(message))!
      expect(tokens).toBe(overflow.tokens)
    }
    expect(overflowOf(errorWith(String(write(format, unknown).message)))).toBeDefined()
    expect(write(format, maxOnly).message).not.toContain('undefined')
  })

  const overflowed: Record<ClientFormatName, string> = {
    'openai-chat':
      "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens.",
    'openai-responses':
      "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens.",
    anthropic: 'prompt is too long: 250000 tokens > 200000 maximum',
    gemini: 'The input token count (250000) exceeds the maximum number of tokens allowed (200000).',
  }
})
