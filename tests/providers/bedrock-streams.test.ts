// @engine sqlite
/** Bedrock's streams through the gateway: frames cut anywhere, broken ones, exceptions; a clock that is off; the bill. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { seal } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import type { Channel } from '../../src/domain/channels/config/channel.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { readStream } from '../support/people/responses.ts'
import { anthropicOf } from '../support/people/sdk-clients.ts'
import { inTier } from '../support/tier.ts'
import { type AwsFrame, awsFrame, chunkFrame } from '../support/upstream/aws-frame.ts'
import { BEDROCK_KEY, bedrockServer } from '../support/upstream/bedrock-server.ts'
import { channelNow, makeChannel } from '../support/upstream/channel.ts'
import { listen } from '../support/upstream/http-server.ts'

const NOVA = 'nova-micro'
const CLAUDE = 'claude-sonnet-4-5-20250929'

const root = await setUp()
for (const option of ['ModelRatio', 'CompletionRatio'])
  await setOption(option, JSON.stringify({ [NOVA]: 1, [CLAUDE]: 3 }))
const ann = await client()

const usage = {
  input_tokens: 100,
  cache_read_input_tokens: 1000,
  cache_creation_input_tokens: 300,
  cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
  output_tokens: 50,
}
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: CLAUDE, stop_sequence: null }
const words = ['Hel', 'lo ', '四 "two"\n']
const events = [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...words.map(text => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 50 } },
  { type: 'message_stop' },
]
const whole = { ...message, content: [{ type: 'text', text: words.join('') }], stop_reason: 'end_turn', usage }

const frame = (name: string, payload: object): AwsFrame => ({ headers: { ':event-type': name }, payload })
const converse = [
  frame('messageStart', { role: 'assistant' }),
  ...words.map(text => frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text }, p: 'abc' })),
  frame('contentBlockStop', { contentBlockIndex: 0 }),
  frame('messageStop', { stopReason: 'end_turn' }),
  frame('metadata', { usage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 }, metrics: { latencyMs: 1 } }),
]
const converseWhole = {
  output: { message: { role: 'assistant', content: [{ text: words.join('') }] } },
  ...{ stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 } },
}
const exception = (type: string, text: string): AwsFrame => ({
  headers: { ':message-type': 'exception', ':exception-type': type },
  payload: { message: text },
})

const server = await bedrockServer()
const channel = (models: string, fields: object = {}): Promise<Channel> =>
  makeChannel(root, { type: 33, key: BEDROCK_KEY, base_url: server.url, models, ...fields })

/** Runs with a channel that is removed afterwards. */
async function withChannel<T>(models: string, fields: object, run: (id: number) => Promise<T>): Promise<T> {
  const { id } = await channel(models, fields)
  try {
    return await run(id)
  } finally {
    await root.delete(`/api/channel/${id}`)
  }
}

const stream = async (model: string, caller: Client = ann) =>
  readStream(await caller.stream({ model, max_tokens: 100, stream_options: { include_usage: true } }))

const streams: [model: string, frames: AwsFrame[], tokens: [number, number]][] = [
  [NOVA, converse, [10, 3]],
  [CLAUDE, events.map(chunkFrame), [1400, 50]],
]
/** Bytes from one cut to the next: each part of a frame is cut, if not in every frame. */
const STEP = inTier({ short: 7, long: 1 })

test.each(streams)('%s: a stream that is cut at any byte is read whole', (model, frames, tokens) =>
  withChannel(model, {}, async () => {
    const bytes = Buffer.concat(frames.map(awsFrame))
    for (let cut = 0; cut <= bytes.length; cut += STEP) {
      server.answer = { stream: bytes, cut }
      const { text, done, usage } = await stream(model)
      expect([text, done, usage.prompt_tokens, usage.completion_tokens], `cut at ${cut}`).toEqual([
        words.join(''),
        true,
        ...tokens,
      ])
    }
  }),
)

const damaged = (change: (frame: Buffer) => void, begin: number): Buffer => {
  const frames = converse.map(awsFrame)
  change(frames[begin]!)
  return Buffer.concat(frames)
}
const damages: [name: string, change: (frame: Buffer) => void][] = [
  ['wrong checksum of the message', bytes => bytes.writeUInt32BE(1, bytes.length - 4)],
  ['wrong checksum of the prelude', bytes => bytes.writeUInt32BE(1, 8)],
  ['length of 2 GB', bytes => withLength(bytes, 2 ** 31)],
]

/** With the checksum that belongs to the length. */
function withLength(bytes: Buffer, length: number) {
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(0, 8)), 8)
}

test.each(damages)('a frame with a %s ends the stream with an error event', (_, change) =>
  withChannel(NOVA, {}, async () => {
    server.answer = { stream: damaged(change, 2) }
    const broken = await stream(NOVA)
    expect(broken).toMatchObject({ text: words[0], done: false })
    expect(broken.error.message).toContain('closed the connection in the middle')
    server.answer = { stream: damaged(change, 0) }
    const refused = await ann.stream({ model: NOVA })
    expect(refused.status).toBe(502)
    await refused.text()
  }),
)

const told = expect.stringContaining('No more of it')
const exceptions: [type: string, error: object][] = [
  ['modelStreamErrorException', { code: 'modelStreamErrorException', message: told }],
  ['throttlingException', { code: 'upstream_saturated', message: expect.stringContaining('saturated') }],
  ['validationException', { type: 'invalid_request_error', code: 'validationException', message: told }],
  ['internalServerException', { code: 'internalServerException', message: told }],
  ['serviceUnavailableException', { code: 'serviceUnavailableException', message: told }],
]
test.each(exceptions)('%s after the first words fails the stream, and what came is billed', (type, error) =>
  withChannel(NOVA, {}, async () => {
    const bob = await client()
    server.answer = { frames: [...converse.slice(0, 3), exception(type, 'No more of it')] }
    const failed = await stream(NOVA, bob)
    expect(failed).toMatchObject({ text: 'Hello ', done: false, error })
    const [entry] = await logsOf(bob.person)
    expect(entry.other).toMatchObject({ counted_locally: true })
  }),
)

test('Anthropic’s own client streams from Bedrock, and betas that Bedrock may know stand in the body', () =>
  withChannel(CLAUDE, {}, async () => {
    server.answer = { frames: events.map(chunkFrame) }
    server.received = []
    const request = { model: CLAUDE, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }
    // Claude Code 2.1.330 sends the others to an address of its own choice, and Bedrock refuses each of them.
    const betas = [
      ...['claude-code-20250219', 'interleaved-thinking-2025-05-14', 'context-1m-2025-08-07'],
      ...['per-turn-control-2026-07-01', 'mid-conversation-tool-changes-2026-07-01'],
      ...['thinking-token-count-2026-05-13', 'advanced-tool-use-2025-11-20', 'effort-2025-11-24'],
    ]
    const headers = { 'anthropic-beta': betas.join(', ') }
    await setOption('claude.model_headers_settings', JSON.stringify({ [CLAUDE]: { 'anthropic-beta': ['own-beta'] } }))
    const { content, usage: reported } = await anthropicOf(ann).messages.stream(request, { headers }).finalMessage()
    await setOption('claude.model_headers_settings', '{}')
    expect(content).toMatchObject([{ type: 'text', text: words.join('') }])
    expect(reported).toMatchObject({ input_tokens: 100, output_tokens: 50 })
    const [sent] = server.received
    expect(Object.keys(sent!.headers).filter(name => name.startsWith('anthropic'))).toEqual([])
    expect(JSON.parse(sent!.body)).toEqual({
      anthropic_version: '2026-10-21',
      anthropic_beta: [
        ...['own-beta', 'interleaved-thinking-2025-05-14', 'context-1m-2025-08-07'],
        ...['tool-search-tool-2025-10-19', 'effort-2025-11-24'],
      ],
      max_tokens: 100,
      messages: request.messages,
    })
  }))

test('a server whose clock is six minutes off is named in the channel test, and the key stays in use', () =>
  withChannel(NOVA, {}, async id => {
    for (const minutes of [6, -6]) {
      server.ahead_ms = minutes * 60_000
      const refused = await ann.chat({ model: NOVA })
      expect(refused.status).toBe(502)
      expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('credentials') } })
      const told = await root.get(`/api/channel/test/${id}`)
      expect(told.success).toBe(false)
      expect(told.message).toContain('Signature expired')
    }
    server.ahead_ms = 0
    expect((await channelNow(id)).status).toBe(1)
  }))

test('a wrong secret is refused, and no answer shows the key', () =>
  withChannel(NOVA, { key: BEDROCK_KEY.replace('wJalr', 'other') }, async id => {
    const refused = await (await ann.chat({ model: NOVA })).text()
    const told = JSON.stringify(await root.get(`/api/channel/test/${id}`))
    expect(told).toContain('signature we calculated does not match')
    for (const text of [refused, told]) expect(text).not.toMatch(/otherXUtn|AKIDEXAMPLE/)
  }))

test('a body of megabytes is signed over its very bytes', () =>
  withChannel(NOVA, {}, async () => {
    server.answer = { frames: converse }
    const text = '四 "two"\n'.repeat(300_000)
    const response = await ann.stream({ model: NOVA, messages: [{ role: 'user', content: text }] })
    expect(await readStream(response)).toMatchObject({ text: words.join(''), done: true })
  }))

test('Responses are served by Claude and by Converse', async () => {
  for (const [model, answer] of [
    [CLAUDE, { body: whole }],
    [NOVA, { body: converseWhole }],
  ] as const) {
    await withChannel(model, {}, async () => {
      server.answer = answer
      const response = await ann.postTo('/v1/responses', { model, input: 'Say hello' })
      const { output } = (await response.json()) as { output: unknown[] }
      expect(output).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text: words.join('') }] }])
    })
  }
})

test('the same call of Claude costs the same at Anthropic and at Bedrock, streamed or not', async () => {
  const named = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  const anthropic = await listen(async ({ body }, answer) => {
    if (!JSON.parse(body).stream) return answer.json(whole)
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(events.map(named).join(''))
    await answer.end()
  })
  const own = { type: 14, key: 'sk-ant-key', base_url: `http://127.0.0.1:${anthropic.port}` }
  const bills: unknown[] = []
  for (const fields of [own, {}]) {
    for (const streamed of [true, false]) {
      server.answer = streamed ? { frames: events.map(chunkFrame) } : { body: whole }
      const caller = await client()
      const before = await caller.balance()
      await withChannel(CLAUDE, fields, async () => {
        const response = await caller.chat({ model: CLAUDE, max_tokens: 100, stream: streamed })
        expect(response.status).toBe(200)
        await response.text()
      })
      const [entry] = await logsOf(caller.person)
      const { quota, prompt_tokens, completion_tokens, other } = entry
      expect(before - (await caller.balance())).toBe(quota)
      bills.push({ quota, prompt_tokens, completion_tokens, lines: other.lines })
    }
  }
  anthropic.stop()
  expect(bills[0]).toMatchObject({ prompt_tokens: 1400, completion_tokens: 50 })
  for (const bill of bills) expect(bill).toEqual(bills[0])
})

test.each([NOVA, CLAUDE])('a stored key whose region is no region sends no request for %s', model =>
  withChannel(model, {}, async id => {
    const key_sealed = seal('AKIDEXAMPLE00000000|secret|us-east-1.evil.example/')
    await db.update(channels).set({ key_sealed }).where(eq(channels.id, id))
    invalidate('channels')
    server.received.length = 0
    expect((await ann.chat({ model, max_tokens: 10 })).status).toBe(502)
    expect(server.received).toEqual([])
  }),
)
