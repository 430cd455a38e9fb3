// @engine sqlite
/** Streams as OpenAI, and those who speak its format, really send them. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { eventsOf, streamOf, toldBy, translated } from './support.ts'
import { wires } from './wire/index.ts'
import { eventsOfText, type Json, named, unnamed } from './wire/sse.ts'

const chat = chatFormats['openai-chat']
const chunk = (delta: Json, finish_reason: string | null = null, rest: Json = {}) => ({
  id: 'x',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
})
const fragment = (call: Json) => chunk({ tool_calls: [call] })
const callsIn = (stream: string) =>
  assemble(eventsOf(chat, stream)).choices[0]!.parts.map(part => part.kind === 'tool_call' && [part.id, part.arguments])

describe('calls in OpenAI chat', () => {
  test('openai-chat: interleaved parallel tool calls are kept apart', () => {
    const stream = unnamed([
      fragment({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
      fragment({ index: 1, id: 'b', function: { name: 'f', arguments: '{"y":' } }),
      fragment({ index: 0, function: { arguments: '1}' } }),
      fragment({ index: 1, function: { arguments: '2}' } }),
      chunk({}, 'tool_calls'),
    ])
    expect(callsIn(stream)).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"y":2}'],
    ])
    for (const caller of ['openai-responses', 'anthropic', 'gemini'] as const) {
      const read = translated(caller, 'openai-chat', stream)
      expect(read.choices[0]!.parts).toMatchObject([{ arguments: '{"x":1}' }, { arguments: '{"y":2}' }])
    }
  })

  test('calls without an index, whole, each with its id; or all with the same index', () => {
    const whole = (id: string, rest: Json) =>
      fragment({ ...rest, id, function: { name: 'f', arguments: `{"id":"${id}"}` } })
    for (const rest of [{}, { index: 0 }]) {
      expect(callsIn(unnamed([whole('a', rest), whole('b', rest), chunk({}, 'stop')]))).toEqual([
        ['a', '{"id":"a"}'],
        ['b', '{"id":"b"}'],
      ])
    }
  })

  test('openai-chat: arguments as an object and repeated ids are read', () => {
    const stream = unnamed([
      fragment({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }),
      fragment({ index: 0, id: 'a', function: { name: 'f', arguments: ':1}' } }),
      fragment({ index: 1, id: 'b', function: { name: 'f', arguments: { y: 2 } } }),
      chunk({}, 'tool_calls'),
    ])
    expect(callsIn(stream)).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"y":2}'],
    ])
  })

  test('a call that ends with stop is still a call', () => {
    const stream = unnamed([
      fragment({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      chunk({}, 'stop'),
    ])
    expect(assemble(eventsOf(chat, stream)).choices[0]!.finish.reason).toBe('tool_calls')
  })
})

describe('OpenAI chat', () => {
  test.each([
    ['with the last words', [chunk({ content: 'A' }, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 1 } })]],
    [
      'in the choice',
      [
        {
          choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 3, completion_tokens: 1 } }],
        },
      ],
    ],
    [
      'on every event',
      [1, 2, 3].map(prompt_tokens => chunk({}, 'stop', { usage: { prompt_tokens, completion_tokens: 1 } })),
    ],
  ])('openai-chat: usage %s is read', (_, events) => {
    for (const done of ['', 'data: [DONE]\n\n']) {
      const read = eventsOf(chat, unnamed(events) + done)
      expect(assemble(read).usage).toMatchObject({ input: 3, output: 1 })
      expect(read.at(-1)).toEqual({ kind: 'end' })
    }
  })

  test('thoughts under either name, or in the content', () => {
    for (const delta of [
      { reasoning_content: 'Hm' },
      { reasoning: 'Hm' },
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] },
    ]) {
      expect(
        assemble(eventsOf(chat, unnamed([chunk(delta), chunk({ content: 'A' }, 'stop')]))).choices[0]!.parts,
      ).toMatchObject([
        { kind: 'thinking', text: 'Hm' },
        { kind: 'text', text: 'A' },
      ])
    }
  })

  test('a stream that breaks off has no end', () => {
    expect(eventsOf(chat, unnamed([chunk({ content: 'A' })])).at(-1)).toMatchObject({ kind: 'delta' })
  })

  test('content filters of Azure, events of no choice and no meaning', () => {
    const stream = unnamed([
      { choices: [], prompt_filter_results: [] },
      chunk({ content: 'A' }),
      { choices: [null] },
      chunk({}, 'stop'),
    ])
    expect(assemble(eventsOf(chat, stream)).choices).toMatchObject([{ parts: [{ kind: 'text', text: 'A' }] }])
  })

  test('openai-chat: several choices are kept apart', () => {
    const of = (index: number, content: string, finish_reason: string | null = null) => ({
      choices: [{ index, delta: { content }, finish_reason }],
    })
    const stream = unnamed([of(0, 'A'), of(1, 'B'), of(0, 'a', 'stop'), of(1, 'b', 'length')])
    const expected = [
      { parts: [{ kind: 'text', text: 'Aa' }], finish: { reason: 'stop' } },
      { parts: [{ kind: 'text', text: 'Bb' }], finish: { reason: 'length' } },
    ]
    expect(assemble(eventsOf(chat, stream)).choices).toMatchObject(expected)
    expect(translated('openai-chat', 'openai-chat', stream).choices).toMatchObject(expected)
    expect(translated('gemini', 'openai-chat', stream).choices).toMatchObject(expected)
  })
})

describe('Responses', () => {
  const responses = chatFormats['openai-responses']

  test('a stream without announcements is read all the same', () => {
    const stream = named([
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ])
    expect(assemble(eventsOf(responses, stream)).choices[0]).toMatchObject({
      parts: [
        { kind: 'text', text: 'Hi' },
        { kind: 'tool_call', id: 'c', arguments: '{}' },
      ],
      finish: { reason: 'tool_calls' },
    })
  })

  test.each(['error', 'insufficient_system_resource'])(
    'openai-responses: a stream that ends with %s is an error',
    finish_reason => {
      const { readError, readResponse } = chatFormats['openai-chat']
      const choice = { index: 0, finish_reason }
      const whole = { choices: [{ ...choice, message: { content: 'Fo' } }] }
      expect(readResponse(whole)).toBeUndefined()
      expect(readError(whole, 200)).toMatchObject({ status: 503, code: finish_reason })
      const stream = unnamed([{ choices: [{ ...choice, delta: { content: 'Fo' } }] }])
      expect(eventsOf(chatFormats['openai-chat'], stream)).toMatchObject([
        { kind: 'start' },
        { kind: 'open' },
        { kind: 'delta', delta: { text: 'Fo' } },
        { kind: 'error', failure: { status: 503 } },
      ])
    },
  )

  test('a stream is dated, though Azure begins with what it thinks of the prompt', () => {
    const stream = unnamed([
      { id: '', created: 0, model: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
      { id: 'c', created: 5, model: 'm', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
    ])
    const text = toldBy(streamOf('openai-responses', 'openai-chat', 'text'), stream)
    const [created] = eventsOfText(text).map(data => JSON.parse(data))
    expect(created.response).toMatchObject({ id: expect.stringMatching(/^resp_\w+/), created_at: 1_700_000_000 })
  })

  test('events are numbered, and name items that were announced', () => {
    for (const upstream of ['openai-chat', 'anthropic', 'gemini'] as const) {
      for (const feature of ['tools', 'thinking'] as const) {
        const text = toldBy(streamOf('openai-responses', upstream, feature), wires[upstream].streams[feature])
        const events = eventsOfText(text).map(data => JSON.parse(data))
        expect(events.map(event => event.sequence_number)).toEqual(events.map((_, index) => index))
        const added = events.filter(({ type }) => type === 'response.output_item.added').map(({ item }) => item.id)
        const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
        expect(done.map(({ id }) => id)).toEqual(added)
        expect(events.at(-1).response.output).toEqual(done)
        const indexed = events.filter(event => 'item_id' in event)
        for (const { item_id, output_index } of indexed) expect(item_id).toBe(added[output_index])
        expect(text).not.toContain('[DONE]')
      }
    }
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filter'],
  ] as const)('an incomplete answer: %s', (reason, expected) => {
    const stream = named([
      { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason }, output: [] } },
    ])
    expect(eventsOf(responses, stream)).toMatchObject([
      { kind: 'start' },
      { kind: 'finish', finish: { reason: expected } },
      { kind: 'end' },
    ])
  })

  test('a failed answer is an error', () => {
    const response = { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow' } }
    expect(eventsOf(responses, named([{ type: 'response.failed', response }]))).toMatchObject([
      { kind: 'error', failure: { status: 429, message: 'Slow' } },
    ])
    expect(responses.readError(response, 200)).toMatchObject({ status: 429 })
  })
})
