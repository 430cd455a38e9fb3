// @engine sqlite
/** The strict Bedrock of these tests is understood by the clients of AWS and Anthropic, and refuses what AWS refuses. */
import { describe, expect, test } from 'bun:test'
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { type AwsFrame, chunkFrame } from '../support/upstream/aws-frame.ts'
import { BEDROCK_KEY, bedrockServer } from '../support/upstream/bedrock-server.ts'

const [accessKeyId = '', secretAccessKey = '', region] = BEDROCK_KEY.split('|')
const server = await bedrockServer()

const aws = (config: BedrockRuntimeClientConfig = {}) =>
  new BedrockRuntimeClient({
    ...{ region, endpoint: server.url, maxAttempts: 1, requestHandler: new NodeHttpHandler() },
    credentials: { accessKeyId, secretAccessKey },
    ...config,
  })

const frame = (name: string, payload: object): AwsFrame => ({
  headers: { ':event-type': name, ':content-type': 'application/json' },
  payload,
})
const frames = [
  frame('messageStart', { role: 'assistant' }),
  frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' }, p: 'abc' }),
  frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'lo' }, p: 'abcdef' }),
  frame('contentBlockStop', { contentBlockIndex: 0 }),
  frame('messageStop', { stopReason: 'end_turn' }),
  frame('metadata', { usage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 }, metrics: { latencyMs: 1 } }),
]
const throttled: AwsFrame = {
  headers: {
    ':message-type': 'exception',
    ':exception-type': 'throttlingException',
    ':content-type': 'application/json',
  },
  payload: { message: 'Slow down' },
}
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn', stop_sequence: null },
  usage: { input_tokens: 10, output_tokens: 3 },
}
const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]

const input = { modelId: 'us.amazon.nova-micro-v1:0', messages: [{ role: 'user' as const, content: [{ text: 'Hi' }] }] }
const answer = {
  output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 },
  metrics: { latencyMs: 1 },
}

describe('the client of AWS', () => {
  test('a whole response is understood', async () => {
    server.answer = { body: answer }
    const { output, usage } = await aws().send(new ConverseCommand(input))
    expect(output!.message!.content).toEqual([{ text: 'Hello' }])
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 3 })
  })

  test('an ARN as the model is understood', async () => {
    server.answer = { body: answer }
    const modelId = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc'
    const { stopReason } = await aws().send(new ConverseCommand({ ...input, modelId }))
    expect(stopReason).toBe('end_turn')
  })

  test('a stream is understood', async () => {
    server.answer = { frames }
    const { stream } = await aws().send(new ConverseStreamCommand(input))
    const read = await Array.fromAsync(stream!)
    expect(read.map(event => event.contentBlockDelta?.delta?.text ?? '').join('')).toBe('Hello')
    expect(read.at(-1)!.metadata!.usage).toMatchObject({ outputTokens: 3 })
  })

  test('an exception in a stream is understood', async () => {
    server.answer = { frames: [...frames.slice(0, 2), throttled] }
    const { stream } = await aws().send(new ConverseStreamCommand(input))
    await expect(Array.fromAsync(stream!)).rejects.toMatchObject({ name: 'ThrottlingException', message: 'Slow down' })
  })

  test('chunks of InvokeModelWithResponseStream are understood', async () => {
    server.answer = { frames: events.map(chunkFrame) }
    const body = JSON.stringify({
      ...{ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9 },
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const command = new InvokeModelWithResponseStreamCommand({
      ...{ modelId: 'anthropic.claude-3-haiku-20240307-v1:0', contentType: 'application/json', body },
    })
    const { body: stream } = await aws().send(command)
    const read = await Array.fromAsync(stream!, ({ chunk }) => JSON.parse(Buffer.from(chunk!.bytes!).toString()))
    expect(read).toEqual(events)
  })

  const refusals: [name: string, config: BedrockRuntimeClientConfig, error: object][] = [
    [
      'a wrong secret',
      { credentials: { accessKeyId, secretAccessKey: 'other' } },
      { name: 'InvalidSignatureException', message: expect.stringContaining('does not match') },
    ],
    [
      'an unknown key',
      { credentials: { accessKeyId: 'AKIDOTHER', secretAccessKey } },
      { name: 'UnrecognizedClientException' },
    ],
    [
      'a session token of no session',
      { credentials: { accessKeyId, secretAccessKey, sessionToken: 'token' } },
      { name: 'UnrecognizedClientException' },
    ],
    [
      'a clock that is six minutes slow',
      { systemClockOffset: -6 * 60_000 },
      { name: 'InvalidSignatureException', message: expect.stringContaining('Signature expired') },
    ],
  ]
  test.each(refusals)('%s is refused', async (_, config, error) => {
    server.answer = { body: answer }
    const sending = aws(config).send(new ConverseCommand(input))
    await expect(sending).rejects.toMatchObject({ ...error, $metadata: { httpStatusCode: 403 } })
  })

  test('a body without a message is refused', async () => {
    const sending = aws().send(new ConverseCommand({ ...input, messages: [{ role: 'user', content: [] }] }))
    await expect(sending).rejects.toMatchObject({ name: 'ValidationException', $metadata: { httpStatusCode: 400 } })
  })
})

describe('the client of Anthropic', () => {
  const anthropic = (secret = secretAccessKey) =>
    new AnthropicBedrock({
      ...{ awsAccessKey: accessKeyId, awsSecretKey: secret, awsRegion: region, baseURL: server.url, maxRetries: 0 },
    })
  const request = {
    model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'Hi' }],
  }

  test('a whole response is understood', async () => {
    server.answer = { body: { ...message, content: [{ type: 'text', text: 'Hello' }] } }
    const { content } = await anthropic().messages.create(request)
    expect(content).toMatchObject([{ type: 'text', text: 'Hello' }])
  })

  test('a stream is understood', async () => {
    server.answer = { frames: events.map(chunkFrame) }
    const read = await Array.fromAsync(await anthropic().messages.create({ ...request, stream: true }))
    expect(read.map(({ type }) => type) as string[]).toEqual(events.map(({ type }) => type))
  })

  test('a wrong secret is refused', async () => {
    const sending = (async () => anthropic('other').messages.create(request))()
    await expect(sending).rejects.toMatchObject({ status: 403 })
  })
})
