/** What a stream costs whose upstream reports a failure: nothing before the first content, what was delivered after it. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { logsOf } from '../../support/app/logs.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

interface Stream {
  /** An event without content, with a report where the format begins with one. */
  opening: Json
  content: Json[]
  failure: Json
}

const response = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'codex-mini', output: [] }
const outage = { message: 'The server had an error', type: 'server_error', code: 'server_error' }

const streams: Record<ClientFormatName, Stream> = {
  'openai-chat': {
    opening: {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' } }],
    },
    content: [{ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'some words' } }] }],
    failure: { error: outage },
  },
  'openai-responses': {
    opening: { type: 'response.created', response },
    content: [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'some words' },
    ],
    failure: { type: 'response.failed', response: { ...response, status: 'failed', error: outage } },
  },
  anthropic: {
    opening: {
      type: 'message_start',
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
        usage: { input_tokens: 110_000, output_tokens: 1 },
      },
    },
    content: [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words' } },
    ],
    failure: { type: 'error', error: { type: 'api_error', message: 'Internal server error' } },
  },
  gemini: {
    opening: {
      candidates: [{ index: 0, content: { role: 'model', parts: [] } }],
      usageMetadata: { promptTokenCount: 110_000 },
    },
    content: [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'some words' }] } }] }],
    failure: { error: { code: 500, message: 'Internal error', status: 'INTERNAL' } },
  },
}

const pairs = formats.flatMap(from => formats.map(to => [from, to] as const))
const frame = (event: Json) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`
let ann: Client

beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

/** Sends these, and the failure: with content once the client has seen its beginning, for without it there is none. */
async function fails(from: ClientFormatName, to: ClientFormatName, events: Json[], pause_ms = 0) {
  await channelFor(from)
  const begun = Promise.withResolvers<void>()
  if (events.length === 1) setTimeout(begun.resolve, pause_ms)
  serverOf(from).scripts(async answer => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(events.map(frame).join(''))
    await begun.promise
    await answer.write(frame(streams[from].failure))
    await answer.end()
  })
  const said = await callIn(to, ann, { stream: true })
  if (events.length > 1) begun.resolve()
  return said.text()
}

describe('a stream that the upstream fails', () => {
  // At once, and when the beginning has been delivered.
  const early = pairs.flatMap(pair => [0, 50].map(pause_ms => [...pair, pause_ms] as const))
  test.each(early)('before content by %s is free for clients of %s after %d ms', async (from, to, pause_ms) => {
    const text = await fails(from, to, [streams[from].opening], pause_ms)
    expect(text).toContain('error')
    expect(await ann.balance()).toBe(RICH)
    expect((await logsOf(ann.person)).every(({ quota }: { quota: number }) => quota === 0)).toBe(true)
  })

  test.each(pairs)('in the middle by %s is billed as far as it came for clients of %s', async (from, to) => {
    const { opening, content } = streams[from]
    const text = await fails(from, to, [opening, ...content])
    expect(text).toContain('some words')
    const [entry] = await logsOf(ann.person)
    expect(entry).toMatchObject({ other: { partial: true, stream_status: 'broken' } })
    expect(entry.prompt_tokens).toBeGreaterThan(0)
    expect(entry.completion_tokens).toBeWithin(1, 5)
    expect(await ann.balance()).toBe(RICH - entry.quota)
  })
})
