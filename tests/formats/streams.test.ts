// @engine sqlite
/** Streams as Anthropic and Google really send them, and what holds for all. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatResponse, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { InOrder } from '../../src/formats/translate/in-order.ts'
import { meter } from '../../src/formats/translate/tally.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import { TranslatingStream } from '../../src/formats/translate/translating-stream.ts'
import { violations } from '../support/grammar/index.ts'
import { eventsOf, labelFor, pairOf, streamOf, toldBy, translated, wired } from './support.ts'
import { cohere } from './wire/cohere.ts'
import { eventsOfText, type Json, named, unnamed } from './wire/sse.ts'

describe('Anthropic', () => {
  const { anthropic } = chatFormats

  test('a call without arguments has an empty object of them', () => {
    const stream = named([
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'now', input: {} } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ])
    expect(assemble(eventsOf(anthropic, stream)).choices[0]!.parts).toMatchObject([{ name: 'now', arguments: '{}' }])
    expect(translated('openai-chat', 'anthropic', stream).choices[0]!.parts).toMatchObject([{ arguments: '{}' }])
  })

  test('anthropic: usage at the end completes the usage of message_start', () => {
    const stream = (first: Json, last: Json) =>
      named([
        { type: 'message_start', message: { usage: first } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last },
        { type: 'message_stop' },
      ])
    const begun = { input_tokens: 7, cache_read_input_tokens: 9, output_tokens: 1 }
    const late = { input_tokens: 7, cache_read_input_tokens: 9, output_tokens: 4 }
    for (const text of [
      stream(begun, { output_tokens: 4 }),
      stream({ input_tokens: 0 }, late),
      stream(begun, { ...late, input_tokens: 0 }),
    ]) {
      expect(assemble(eventsOf(anthropic, text)).usage).toMatchObject({ input: 7, cache_read: 9, output: 4 })
    }
  })

  test('anthropic: output tokens of message_start are not those of a response that breaks off', () => {
    const stream = streamOf('openai-chat', 'anthropic', 'text')
    const usage = { input_tokens: 7, output_tokens: 4 }
    for (const event of [
      { type: 'message_start', message: { usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    ])
      stream.read(JSON.stringify(event))
    expect(meter(stream)).toMatchObject({ usage: { input: 7, output: 0 }, missing: ['output'] })
  })

  test('a redacted thought and a server’s own tool pass by those who do not know them', () => {
    const block = (index: number, content_block: Json) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]
    const stream = named([
      { type: 'message_start', message: {} },
      ...block(0, { type: 'redacted_thinking', data: 'xyz' }),
      ...block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } }),
      ...block(2, { type: 'text', text: 'Found.' }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ])
    expect(translated('gemini', 'anthropic', stream).choices[0]!.parts).toMatchObject([
      { kind: 'thinking', text: '', signature: { owner: 'gemini' } },
      { kind: 'text', text: 'Found.' },
    ])
    expect(translated('anthropic', 'anthropic', stream).choices[0]!.parts).toMatchObject([
      { signature: { owner: 'anthropic', value: 'xyz', redacted: true } },
      { kind: 'native' },
      { kind: 'text' },
    ])
  })
})

describe('Gemini', () => {
  const answer = (parts: Json[], rest: Json = {}) => ({ candidates: [{ content: { role: 'model', parts }, ...rest }] })

  test('calls without ids get one each, the same whole and streamed', () => {
    const call = (city: string) => ({ functionCall: { name: 'f', args: { city } } })
    const stream = unnamed([answer([call('Oslo')]), answer([call('Oslo')], { finishReason: 'STOP' })])
    for (const caller of ['openai-chat', 'openai-responses', 'anthropic'] as const) {
      const { parts, finish } = translated(caller, 'gemini', stream).choices[0]!
      const ids = parts.map(part => part.kind === 'tool_call' && part.id)
      expect(new Set(ids).size).toBe(2)
      for (const id of ids) expect(id).toMatch(/^[\w-]{8,40}$/)
      expect(finish.reason).toBe('tool_calls')
    }
  })

  test('a signature of a call comes back with it, through any caller', () => {
    const parts = [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2ln' }]
    const stream = unnamed([answer(parts, { finishReason: 'STOP' })])
    expect(translated('openai-chat', 'gemini', stream).choices[0]!.parts).toMatchObject([
      { kind: 'tool_call', signature: { owner: 'gemini', value: 'c2ln' } },
    ])
    for (const caller of ['openai-responses', 'anthropic'] as const) {
      expect(translated(caller, 'gemini', stream).choices[0]!.parts).toMatchObject([
        { kind: 'thinking', text: '' },
        { kind: 'tool_call' },
      ])
    }
  })

  test('a prompt that is blocked is an error, not an empty answer', () => {
    const body = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } }
    expect(chatFormats.gemini.readError(body, 200)).toMatchObject({ status: 400, code: 'content_filter' })
    expect(eventsOf(chatFormats.gemini, unnamed([body]))).toMatchObject([{ kind: 'error', failure: { status: 400 } }])
  })
})

test('cohere: a generation that fails reports its usage with an output alone', () => {
  const kinds = (output_tokens: number) => {
    const delta = { finish_reason: 'ERROR', usage: { tokens: { input_tokens: 7, output_tokens } } }
    return eventsOf(cohere.format, unnamed([{ type: 'message-end', delta }])).map(({ kind }) => kind)
  }
  expect([kinds(0), kinds(4)]).toEqual([['error'], ['usage', 'error']])
})

test('an empty answer is an answer, in every format', () => {
  const stream = unnamed([
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ])
  for (const caller of ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const) {
    expect(translated(caller, 'openai-chat', stream).choices).toEqual([{ parts: [], finish: { reason: 'stop' } }])
  }
})

test('parts that begin while another is open wait for it, in their order', () => {
  const order = new InOrder(event => `${event.kind} ${'part' in event && event.part}.`)
  const open = (part: number) => ({ kind: 'open', choice: 0, part, opening: { kind: 'text', text: '' } }) as const
  const close = (part: number) => ({ kind: 'close', choice: 0, part }) as const
  expect(order.push(open(0))).toBe('open 0.')
  expect([open(1), close(1), open(2)].map(event => order.push(event))).toEqual(['', '', ''])
  expect(order.push(close(0))).toBe('close 0.open 1.close 1.open 2.')
  expect(order.push(close(2))).toBe('close 2.')
})

describe('state of a block ends with it', () => {
  const route = pairOf('anthropic', 'gemini', 'tools')

  test('anthropic: a signature is written in its own block alone', () => {
    const call = (name: string, thoughtSignature?: string) => ({ functionCall: { name, args: {} }, thoughtSignature })
    const text = unnamed([
      { candidates: [{ content: { parts: [call('weather', 'c2ln'), call('weather')] } }], responseId: 'r' },
      { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] },
    ])
    const told = toldBy(new TranslatingStream(route, { keep_text: false }), text)
    expect(told.match(/"signature_delta"/g)).toHaveLength(1)
    expect(violations('anthropic', told)).toEqual([])
  })

  test('anthropic: a call without arguments behind one with arguments has an empty object of them', () => {
    const call = (index: number, text: string) => ({
      index,
      id: `call_${index}`,
      function: { name: 'weather', arguments: text },
    })
    const text = unnamed([
      { id: 'c', choices: [{ index: 0, delta: { tool_calls: [call(0, '{"a":1}'), call(1, '')] } }] },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ])
    const pair = pairOf('anthropic', 'openai-chat', 'tools')
    const told = toldBy(new TranslatingStream(pair, { keep_text: false }), text)
    expect(told.match(/"partial_json":"(?:[^"\\]|\\.)*"/g)).toEqual([
      '"partial_json":"{\\"a\\":1}"',
      '"partial_json":"{}"',
    ])
  })

  test('openai-responses: a signature of a text is written behind that text alone', () => {
    const pair = pairOf('openai-responses', 'gemini', 'tools')
    const include = ['reasoning.encrypted_content']
    const label = labelFor({ ...pair.label.request, extra: { 'openai-responses': { include } } })
    const signed = { kind: 'text', text: 'a', signature: { owner: 'gemini', value: 'c2ln' } } as const
    const call = { kind: 'tool_call', id: 'c', name: 'f', arguments: '{}' } as const
    const parts = [signed, call, { kind: 'text', text: 'b' } as const]
    const answer: ChatResponse = { id: '', model: 'm', doubts: [], choices: [{ parts, finish: { reason: 'stop' } }] }
    const told = streamResponse({ ...pair, label }, answer)
    const done = eventsOfText(told)
      .map(data => JSON.parse(data))
      .filter(({ type }) => type === 'response.output_item.done')
    expect(done.map(({ item }) => item.type)).toEqual(['message', 'reasoning', 'function_call', 'message'])
  })
})

test.each([...formats])('%s: calls that the upstream gives one id have one each, streamed and whole', client => {
  const call = (index: number) => ({
    index,
    id: 'call_0',
    type: 'function',
    function: { name: 'weather', arguments: '{}' },
  })
  const stream = unnamed([
    { id: 'c', model: 'm', choices: [{ index: 0, delta: { tool_calls: [call(0), call(1)] } }] },
    { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ])
  const route = pairOf(client, 'openai-chat', 'tools')
  const told = toldBy(new TranslatingStream(route, { keep_text: false }), stream)
  expect(violations(client, told)).toEqual([])
  const response = assemble(eventsOf(chatFormats['openai-chat'], stream))
  const whole = chatFormats[client].readResponse(wired(translateResponse(route, response)))!
  for (const { choices } of [assemble(eventsOf(chatFormats[client], told)), whole]) {
    const ids = choices[0]!.parts.flatMap(part => (part.kind === 'tool_call' ? part.id : []))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
  }
})

describe('parts without content', () => {
  const gemini = (...parts: Json[][]) =>
    unnamed([
      ...parts.map(parts => ({ candidates: [{ content: { role: 'model', parts } }], responseId: 'r' })),
      { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }] },
    ])
  const call = { functionCall: { name: 'weather', args: {} }, thoughtSignature: 'c2ln' }
  const closing = { text: '', thoughtSignature: 'ZW5k' }
  const streams: [upstream: ClientFormatName, name: string, stream: string][] = [
    ['gemini', 'a closing text with a signature alone', gemini([call], [closing])],
    ['gemini', 'a closing text with a call in one event', gemini([call, closing])],
    [
      'anthropic',
      'a text block without text',
      named([
        { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
        ...[
          { type: 'text', text: '' },
          { type: 'thinking', thinking: '', signature: '' },
        ].flatMap((content_block, index) => [
          { type: 'content_block_start', index, content_block },
          { type: 'content_block_stop', index },
        ]),
        {
          type: 'content_block_start',
          index: 2,
          content_block: { type: 'tool_use', id: 'c', name: 'weather', input: {} },
        },
        { type: 'content_block_stop', index: 2 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
        { type: 'message_stop' },
      ]),
    ],
  ]

  test.each(
    streams.flatMap(([upstream, name, stream]) => formats.map(client => [client, upstream, name, stream] as const)),
  )('%s from %s: %s opens no part, streamed and whole', (client, upstream, _, stream) => {
    const route = pairOf(client, upstream, 'tools')
    const told = toldBy(new TranslatingStream(route, { keep_text: false }), stream)
    expect(violations(client, told)).toEqual([])
    const response = assemble(eventsOf(chatFormats[upstream], stream))
    const whole = chatFormats[client].readResponse(wired(translateResponse(route, response)))!
    const streamed = assemble(eventsOf(chatFormats[client], told))
    for (const { choices } of [streamed, whole]) {
      const parts = choices[0]!.parts.filter(part => client !== 'gemini' || part.kind !== 'text' || part.text)
      const isSigned = upstream === 'gemini' && (client === 'anthropic' || client === 'openai-responses')
      expect(parts.map(({ kind }) => kind)).toEqual([...(isSigned ? ['thinking' as const] : []), 'tool_call'])
    }
  })
})
