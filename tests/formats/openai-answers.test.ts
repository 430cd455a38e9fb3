// @engine sqlite
/** Answers in OpenAI's chats, as those who speak that format bend it, and as callers are told them. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatRequest, ChatResponse, StreamEvent } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, eventsOf, pairOf, user } from './support.ts'
import { eventsOfText, unnamed } from './wire/sse.ts'

const openAi = chatFormats['openai-chat']

describe('a chat’s answer', () => {
  test.each([
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop_sequence'],
    ['max_tokens', 'length'],
    ['model_length', 'context_full'],
    ['tool_use', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['sensitive', 'filter'],
    ['refusal', 'refusal'],
  ] as const)('openai-chat: the finish reason %s is read as %s, whole and streamed', (finish_reason, reason) => {
    const whole = { choices: [{ message: { content: 'Hi' }, finish_reason }] }
    expect(openAi.readResponse(whole)!.choices[0]!.finish).toEqual({ reason })
    const stream = unnamed([{ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason }] }])
    expect(assemble(eventsOf(openAi, stream)).choices[0]!.finish).toEqual({ reason })
  })

  const calling = { function: { name: 'f', arguments: { x: 0 } } }
  const signed = { ...calling, id: 'a', extra_content: { google: { thought_signature: 'c2ln' } } }
  const called = { kind: 'tool_call', name: 'f', arguments: '{"x":0}' }

  test.each<[string, Json, Json[]]>([
    ['an old call', { function_call: { name: 'f', arguments: '{"x":0}' } }, [called]],
    ['arguments that are no text', { tool_calls: [calling] }, [called]],
    [
      'a signature of Google’s',
      { tool_calls: [signed] },
      [{ ...called, id: 'a', signature: { owner: 'gemini', value: 'c2ln' } }],
    ],
    ['a thought under its other name', { reasoning: 'Hm' }, [{ kind: 'thinking', text: 'Hm' }]],
    [
      'a thought among the words',
      {
        content: [
          { type: 'thinking', thinking: [{ text: 'Hm' }] },
          { type: 'text', text: 'So' },
        ],
      },
      [
        { kind: 'thinking', text: 'Hm' },
        { kind: 'text', text: 'So' },
      ],
    ],
    [
      'a thought of OpenAI’s with its hidden original',
      {
        reasoning_details: [
          { type: 'reasoning.summary', id: 'rs_1', summary: 'Hm' },
          { type: 'reasoning.encrypted', id: 'rs_1', data: 'e', format: 'openai-responses-v1' },
        ],
      },
      [{ kind: 'thinking', text: 'Hm', signature: { owner: 'openai', value: 'e' } }],
    ],
    [
      'words that were said aloud',
      { audio: { data: 'AAAA', transcript: 'Hi' } },
      [{ kind: 'audio', transcript: 'Hi' }],
    ],
  ])('openai-chat: a response with %s is read, whole and streamed', (_, message, parts) => {
    expect(openAi.readResponse({ choices: [{ message, finish_reason: 'stop' }] })!.choices[0]!.parts).toMatchObject(
      parts,
    )
    for (const said of [{ delta: message }, { message }]) {
      const stream = unnamed([{ choices: [{ index: 0, ...said }] }, { choices: [{ index: 0, finish_reason: 'stop' }] }])
      expect(assemble(eventsOf(openAi, stream)).choices[0]!.parts).toMatchObject(parts)
    }
  })

  test('openai-chat: a call that the length cuts off is not complete', () => {
    for (const [finish_reason, reason] of [
      ['stop', 'tool_calls'],
      ['length', 'length'],
    ] as const) {
      const message = { tool_calls: [calling] }
      expect(openAi.readResponse({ choices: [{ message, finish_reason }] })!.choices[0]!.finish).toEqual({ reason })
      const stream = unnamed([{ choices: [{ index: 0, delta: message, finish_reason }] }])
      expect(assemble(eventsOf(openAi, stream)).choices[0]!.finish).toEqual({ reason })
    }
  })

  test('openai-chat: a response keeps its creation time', () => {
    const answer = openAi.readResponse({ created: 5, choices: [{ message: { content: 'Hi' } }] })!
    expect(translateResponse(pairOf('openai-chat', 'openai-chat', 'text'), answer)).toMatchObject({ created: 5 })
    expect(translateResponse(pairOf('openai-responses', 'openai-chat', 'text'), answer)).toMatchObject({
      created_at: 5,
    })
  })
})

describe('a chat’s stream', () => {
  const delta = (delta: Json, rest: Json = {}) => ({ choices: [{ index: 0, delta, ...rest }] })
  const read = (...events: Json[]) =>
    assemble(eventsOf(openAi, unnamed([...events, delta({}, { finish_reason: 'stop' })])))

  test('tells a thought once, though its signature comes with all of it again', () => {
    const whole = { type: 'reasoning.text', text: 'Hm so', signature: 's', format: 'anthropic-claude-v1' }
    const { parts } = read(
      delta({ reasoning_content: 'Hm ' }),
      delta({ reasoning_content: 'so' }),
      delta({ reasoning_details: [whole] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', format: 'anthropic-claude-v1' }] }),
    ).choices[0]!
    expect(parts).toEqual([
      { kind: 'thinking', text: 'Hm so', signature: { owner: 'anthropic', value: 's' } },
      { kind: 'thinking', text: '', signature: { owner: 'anthropic', value: 'xyz', redacted: true } },
    ])
  })

  test('keeps calls apart that have no number, or all the same', () => {
    const call = (id: string, name: string, text: string, index?: number) => ({
      ...(index !== undefined && { index }),
      ...{ id, function: { name, arguments: text } },
    })
    const calling = (name: string) => ({ function: { name, arguments: '{}' } })
    const together = read(delta({ tool_calls: [call('a', 'f', '{}'), call('b', 'g', '{}')] }))
    const nameless = read(delta({ tool_calls: [calling('f'), calling('g')] }))
    expect(nameless.choices[0]!.parts).toMatchObject([{ name: 'f' }, { name: 'g' }])
    const one = read(
      delta({ tool_calls: [call('a', 'f', '{"x"', 0)] }),
      delta({ tool_calls: [call('a', '', ':1}', 0)] }),
      delta({ tool_calls: [call('b', 'g', '{}', 0)] }),
    )
    expect(together.choices[0]!.parts).toMatchObject([{ id: 'a' }, { id: 'b' }])
    expect(one.choices[0]!.parts).toMatchObject([
      { id: 'a', arguments: '{"x":1}' },
      { id: 'b', arguments: '{}' },
    ])
  })

  test('has sources, refusals and probabilities beside its words', () => {
    const url_citation = { url: 'https://example.com/', title: 'E', start_index: 0, end_index: 2 }
    const { parts, logprobs } = read(
      delta({ content: 'So', annotations: [{ type: 'url_citation', url_citation }] }),
      delta({ content: '.' }, { logprobs: { content: [{ token: '.', logprob: -1 }] } }),
      delta({ content: '.', refusal: 'No.' }),
    ).choices[0]!
    expect(parts).toMatchObject([
      { kind: 'text', text: 'So..', citations: [{ url: 'https://example.com/' }] },
      { kind: 'refusal', text: 'No.' },
    ])
    expect(logprobs).toMatchObject([{ token: '.', logprob: -1 }])
  })

  test('openai-chat: [DONE] ends a stream without a finish reason', () => {
    const events = eventsOf(openAi, `${unnamed([delta({ content: 'Hi' })])}data: [DONE]\n\n`)
    expect(events.slice(-2)).toEqual([{ kind: 'finish', choice: 0, finish: { reason: 'stop' } }, { kind: 'end' }])
  })
})

test('openai-chat: audio expiry and hidden reasoning reach the client, whole and streamed', () => {
  const source = { via: 'base64', media_type: 'audio/wav', data: 'AAAA' } as const
  const signature = { owner: 'anthropic', value: 'xyz', redacted: true } as const
  const parts: ChatResponse['choices'][number]['parts'] = [
    { kind: 'thinking', text: '', signature },
    { kind: 'audio', source, transcript: 'Hi' },
  ]
  const answer: ChatResponse = { id: '', model: 'm', choices: [{ parts, finish: { reason: 'stop' } }], doubts: [] }
  const route = pairOf('openai-chat', 'anthropic', 'text')
  const reasoning_details = [{ type: 'reasoning.encrypted', data: 'xyz', format: 'anthropic-claude-v1', index: 0 }]
  const expires_at = route.label.created + 3600
  expect(translateResponse(route, answer)).toMatchObject({
    choices: [{ message: { reasoning_details, audio: { data: 'AAAA', transcript: 'Hi', expires_at } } }],
  })
  const text = streamResponse(route, answer)
  expect(text).toContain(`"reasoning_details":${JSON.stringify(reasoning_details)}`)
  expect(text).toContain(`{"audio":{"expires_at":${expires_at}}}`)
})

describe('callers of chats', () => {
  const parts: ChatResponse['choices'][number]['parts'] = [
    { kind: 'text', text: 'One. ' },
    { kind: 'tool_call', id: '', name: 'f', arguments: '{}' },
    { kind: 'text', text: 'Two.', citations: [{ url: 'https://example.com/', title: 'E' }] },
    { kind: 'tool_call', id: 'b', name: 'g', arguments: '' },
  ]
  const answer: ChatResponse = {
    id: '',
    model: 'm',
    choices: [{ parts, finish: { reason: 'tool_calls' } }],
    doubts: [],
  }
  const url_citation = { start_index: 5, end_index: 9, url: 'https://example.com/', title: 'E' }
  const route = (wants_usage: boolean) => {
    const request = { ...(openAi.readRequest(chat([user('Hi')])) as ChatRequest), wants_usage }
    return { client: openAi, upstream: chatFormats.anthropic, label: { id: 'req_1', created: 5, request } }
  }

  test('openai-chat clients get citation offsets over the whole text, and tool calls in order', () => {
    const whole = translateResponse(route(false), answer) as { choices: { message: Json }[] }
    const [{ message }] = whole.choices as [{ message: Json }]
    expect(message).toMatchObject({ content: 'One. Two.', annotations: [{ type: 'url_citation', url_citation }] })
    const [first, second] = message.tool_calls as Json[]
    expect(first).toMatchObject({ id: expect.stringMatching(/^call_\w+$/), function: { name: 'f' } })
    expect(second).toMatchObject({ id: 'b', function: { name: 'g', arguments: '{}' } })
    const text = streamResponse(route(false), answer)
    const deltas = eventsOfText(text).flatMap(data => (data === '[DONE]' ? [] : JSON.parse(data).choices))
    expect(deltas.flatMap(({ delta }) => delta.annotations ?? [])).toEqual([{ type: 'url_citation', url_citation }])
    expect(deltas.flatMap(({ delta }) => delta.tool_calls ?? [])).toMatchObject([
      { index: 0, id: first!.id, function: { name: 'f' } },
      { index: 0, function: { arguments: '{}' } },
      { index: 1, id: 'b', function: { name: 'g' } },
      { index: 1, function: { arguments: '{}' } },
    ])
  })

  test('openai-chat clients get the arguments of interleaved calls at their own calls', () => {
    const { client, label } = route(false)
    const writer = client.writeStream(label)
    const opening = (id: string) => ({ kind: 'tool_call', id, name: 'f', arguments: '' }) as const
    const events: StreamEvent[] = [
      { kind: 'start', id: '', model: 'm' },
      ...['a', 'b'].map((id, part) => ({ kind: 'open', choice: 0, part, opening: opening(id) }) as const),
      ...[0, 1, 0].map(part => ({ kind: 'delta', choice: 0, part, delta: { arguments: `${part}` } }) as const),
    ]
    const text = events.map(event => writer.write(event)).join('')
    const calls = eventsOfText(text).flatMap(data => JSON.parse(data).choices[0].delta.tool_calls ?? [])
    expect(calls.slice(2).map(call => [call.index, call.function.arguments])).toEqual([
      [0, '0'],
      [1, '1'],
      [0, '0'],
    ])
  })

  test('openai-chat clients get a usage field in every event only with include_usage', () => {
    const report = { prompt_tokens: 3, completion_tokens: 1 }
    const usage = openAi.readResponse({ choices: [], usage: report })!.usage!
    const told = (wanted: boolean) => {
      const writer = openAi.writeStream(route(wanted).label)
      const events: StreamEvent[] = [
        { kind: 'start', id: '', model: 'm' },
        { kind: 'usage', usage, doubts: [] },
        { kind: 'end' },
      ]
      return events.map(event => writer.write(event)).join('')
    }
    expect(told(true)).toContain('"usage":null')
    expect(told(true)).toContain('"prompt_tokens":3')
    expect(told(false)).not.toContain('usage')
  })
})
