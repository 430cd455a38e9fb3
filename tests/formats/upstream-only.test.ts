// @engine sqlite
/** A format that only upstreams have: the upstream half alone serves clients of every format. */
import { expect, test } from 'bun:test'
import type { ChatRequest, ChatResponse, StreamEvent } from '../../src/formats/canonical/chat.ts'
import { isChatUpstream, type TranslatedUpstream } from '../../src/formats/format.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { translatingFormat } from '../../src/formats/translate/translating-format.ts'
import { passedApi } from '../../src/providers/index.ts'
import { withCounts } from '../../src/relay/charging/with-counts.ts'
import { labelFor, requestOf, wired } from './support.ts'
import { eventsOfText, type Json } from './wire/sse.ts'

const response = (text: string): ChatResponse => ({
  ...{ id: 'e', model: 'echo', doubts: [] },
  choices: [{ parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
})

/** One line of text in, one line of text out. */
const echo: TranslatedUpstream = {
  name: 'gemini',
  limits: {
    owner: 'gemini',
    stop: () => [],
    tool_name: { max: 8, refused: /\W/g },
    losses: { dropped: {}, refused: { audio: 'There is no audio.' }, changed: {}, omitted: {} },
  },
  writeRequest: ({ messages }: ChatRequest) => ({ line: messages.flatMap(({ parts }) => parts) }),
  readResponse: body => (typeof (body as Json).line === 'string' ? response(String((body as Json).line)) : undefined),
  readStream: () => ({
    read: (data): StreamEvent[] => [
      { kind: 'start', id: 'e', model: 'echo' },
      { kind: 'open', choice: 0, part: 0, opening: { kind: 'text', text: '' } },
      { kind: 'delta', choice: 0, part: 0, delta: { text: data } },
      { kind: 'close', choice: 0, part: 0 },
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
    ],
    end: () => [{ kind: 'end' }],
  }),
  readError: () => undefined,
}

test.each(Object.values(chatFormats).filter(({ name }) => name !== 'gemini'))('$name is translated to it', client => {
  const route = { client, upstream: echo, label: labelFor(requestOf(client.name, 'text')) }
  const format = translatingFormat(route)
  expect(isChatUpstream(echo)).toBe(true)
  expect(format.forward({}, { model: 'm', stream_usage: false, system_prompt: '' })).toHaveProperty('line')
  const facts = format.responseFacts({ line: 'Hello there' })!
  expect(facts).toMatchObject({ usage_report: undefined, output_estimate: 2, text: 'Hello there' })
  expect(client.readResponse(wired(facts.rewritten))).toMatchObject({
    choices: [{ parts: [{ kind: 'text', text: 'Hello there' }] }],
  })

  const reader = format.streamReader({ keep_text: false })
  reader.read('Hello there')
  const metered = withCounts(format.meter({ usage_report: undefined, output_estimate: 2 }, {}), {
    prompt: 1,
    output: 2,
  })
  const events = reader.takeRewritten!() + reader.end(metered, true)
  const read = client.readStream()
  expect(eventsOfText(events).flatMap(data => read.read(data))).toContainEqual(
    expect.objectContaining({ kind: 'delta', delta: { text: 'Hello there' } }),
  )
  expect(reader.output_estimate).toBe(facts.output_estimate)
})

test('a request is never forwarded to it untranslated', () => {
  expect(() => passedApi({ format: echo, url: () => 'https://a.example' })).toThrow()
})
