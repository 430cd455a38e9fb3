/** A prompt that is too long for its model: every client gets the words by which it shortens the conversation. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { events } from '../../support/upstream/format-upstreams.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

interface Overflow {
  status: number
  body: Json
}

const openAi = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
})

const COUNTS = "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens."

const upstreams: Record<ClientFormatName, Overflow> = {
  'openai-chat': { status: 400, body: openAi(`${COUNTS} Please reduce the length of the messages.`) },
  'openai-responses': { status: 400, body: openAi(`${COUNTS} Please reduce the length of the messages.`) },
  anthropic: {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    },
  },
  gemini: {
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'The input token count (250000) exceeds the maximum number of tokens allowed (200000).',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
}

/** What each client acts on. */
const expected: Record<ClientFormatName, Json> = {
  'openai-chat': {
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message: expect.stringContaining(COUNTS),
  },
  'openai-responses': {
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message: expect.stringContaining(COUNTS),
  },
  anthropic: {
    type: 'invalid_request_error',
    message: expect.stringMatching(/^prompt is too long: 250000 tokens > 200000 maximum \(request id/),
  },
  gemini: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: expect.stringContaining('(250000) exceeds the maximum number of tokens allowed (200000).'),
  },
}

const pairs = formats.flatMap(from => formats.map(to => [from, to] as const))
let ann: Client

beforeEach(async () => {
  await setOption('RetryTimes', 3)
  await deleteChannels()
  ann = await client()
})

describe('overflows', () => {
  test.each(pairs)('an overflow of %s reaches clients of %s in their words, once and for nothing', async (from, to) => {
    await channelFor(from)
    await channelFor(from)
    const server = serverOf(from)
    const before = server.asked.length
    server.scripts(answer => answer.json(upstreams[from].body, upstreams[from].status))
    const response = await callIn(to, ann)
    expect(response.status).toBe(400)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(((await response.json()) as Json).error).toMatchObject(expected[to])
    expect(server.asked.length - before).toBe(1)
    expect(await ann.balance()).toBe(RICH)
  })

  test.each(pairs.filter(([, to]) => to !== 'openai-responses'))(
    'an overflow of a stream of %s has its status for %s',
    async (from, to) => {
      await channelFor(from)
      serverOf(from).scripts(answer => answer.json(upstreams[from].body, upstreams[from].status))
      const response = await callIn(to, ann, { stream: true })
      expect(response.status).toBe(400)
      expect(((await response.json()) as Json).error).toMatchObject(expected[to])
    },
  )

  test.each(formats)('an overflow of a stream of %s has its code for clients of Responses', async from => {
    await channelFor(from)
    serverOf(from).scripts(answer => answer.json(upstreams[from].body, upstreams[from].status))
    const response = await callIn('openai-responses', ann, { stream: true })
    expect(await response.text()).toContain('"code":"context_length_exceeded"')
    expect(await ann.balance()).toBe(RICH)
  })

  test.each(formats)('an overflow inside a stream reaches clients of %s', async to => {
    await channelFor('openai-responses')
    const failed = { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }
    const frames = [
      { type: 'response.created', response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] } },
      {
        type: 'response.failed',
        response: { id: 'resp_1', object: 'response', status: 'failed', error: failed, output: [] },
      },
    ]
    const text = frames.map(frame => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`).join('')
    serverOf('openai-responses').scripts(answer => events(answer, text))
    const said = await (await callIn(to, ann, { stream: true })).text()
    const words = { anthropic: 'prompt is too long', gemini: 'The input token count exceeds the maximum' } as Record<
      string,
      string
    >
    expect(said).toContain(words[to] ?? 'context_length_exceeded')
    expect(await ann.balance()).toBe(RICH)
  })
})

describe('the gateway', () => {
  test('keeps an overflow whose words are hidden', async () => {
    await setOption('global.hide_upstream_error_enabled', true)
    await channelFor('gemini')
    serverOf('gemini').scripts(answer => answer.json(upstreams.gemini.body, 400))
    const { error } = (await (await callIn('anthropic', ann)).json()) as { error: Json }
    expect(error).toMatchObject(expected.anthropic)
    await setOption('global.hide_upstream_error_enabled', false)
  })

  test.each([413, 500])('knows an overflow under status %s: no retry, and no failure of the channel', async status => {
    await channelFor('openai-chat')
    await channelFor('openai-chat')
    const server = serverOf('openai-chat')
    const before = server.asked.length
    server.scripts(answer =>
      answer.json(
        { error: { message: 'request (250000 tokens) exceeds the available context size (200000 tokens)' } },
        status,
      ),
    )
    for (let turn = 0; turn < 6; turn++) expect((await callIn('anthropic', ann)).status).toBe(400)
    expect(server.asked.length - before).toBe(6)
  })

  test('tries a channel whose model is another, which may have more room', async () => {
    await channelFor('openai-chat', { priority: 9 })
    await channelFor('openai-chat', { priority: 8 })
    await channelFor('gemini', { model_mapping: '{"gpt-4o":"larger"}' })
    const [small, large] = [serverOf('openai-chat'), serverOf('gemini')]
    const before = small.asked.length
    small.scripts(answer => answer.json(upstreams['openai-chat'].body, 400))
    large.plays('text')
    expect((await callIn('openai-chat', ann)).status).toBe(200)
    expect(small.asked.length - before).toBe(1)
  })

  test('says which part is too long when only the output does not fit', async () => {
    await channelFor('openai-chat')
    const message =
      "This model's maximum context length is 200000 tokens. However, you requested 244000 tokens (180000 in the messages, 64000 in the completion)."
    serverOf('openai-chat').scripts(answer => answer.json(openAi(message), 400))
    expect(await (await callIn('anthropic', ann)).text()).toContain(
      'input length and `max_tokens` exceed context limit: 180000 + 64000 > 200000, decrease input length',
    )
    expect(await (await callIn('gemini', ann)).text()).toContain(
      '(180000) exceeds the maximum number of tokens allowed (136000)',
    )
  })

  test('hands 413 of the body on as each format has it', async () => {
    await channelFor('anthropic')
    const body = { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }
    serverOf('anthropic').scripts(answer => answer.json(body, 413))
    const response = await callIn('anthropic', ann)
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { type: 'request_too_large' } })
    expect((await callIn('openai-chat', ann)).status).toBe(413)
  })
})
