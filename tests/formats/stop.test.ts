// @engine sqlite
/** Stop sequences where the upstream knows none. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatRequest, ChatResponse, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { stopAt } from '../../src/formats/translate/stop.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import { translatingFormat } from '../../src/formats/translate/translating-format.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, eventsOf, labelFor, pairOf, sent, user } from './support.ts'

const said = (sequences: string[], ...pieces: string[]) => {
  const watch = stopAt(sequences)
  const told = [
    { kind: 'open', choice: 0, part: 0, opening: { kind: 'text', text: '' } } as const,
    ...pieces.map(text => ({ kind: 'delta', choice: 0, part: 0, delta: { text } }) as const),
    { kind: 'close', choice: 0, part: 0 } as const,
    { kind: 'finish', choice: 0, finish: { reason: 'length' } } as const,
  ].map(watch)
  const { parts, finish } = assemble(told.flat()).choices[0]!
  return { parts, finish, steps: told.map(events => events.length) }
}

test.each([
  [['END'], ['one END two'], 'one ', 'END'],
  [['END'], ['one E', 'N', 'D two'], 'one ', 'END'],
  [['END'], ['one E', 'ND', ' two'], 'one ', 'END'],
  [['ab', 'b'], ['xaab'], 'xa', 'ab'],
  [['xx', 'x'], ['a', 'x', 'x'], 'a', 'x'],
  [['END', '\n\n'], ['one\n', '\ntwo END'], 'one', '\n\n'],
  [['aab'], ['aaab'], 'a', 'aab'],
])('stop sequences: %j is found in %j', (sequences, pieces, text, sequence) => {
  expect(said(sequences, ...pieces)).toMatchObject({
    parts: [{ kind: 'text', text }],
    finish: { reason: 'stop_sequence', sequence },
  })
})

test('stop sequences: a partial match is written, at the latest at the end', () => {
  expect(said(['END'], 'one E', 'NTER', ' EN')).toMatchObject({
    parts: [{ text: 'one ENTER EN' }],
    finish: { reason: 'length' },
  })
})

test('stop sequences: what the end of a text has held back is written once', () => {
  const watch = stopAt(['END'])
  const texts = ['one E', 'two'].flatMap((text, part) => [
    { kind: 'open', choice: 0, part, opening: { kind: 'text', text: '' } } as const,
    { kind: 'delta', choice: 0, part, delta: { text } } as const,
    { kind: 'close', choice: 0, part } as const,
  ])
  const { parts } = assemble(texts.flatMap(watch)).choices[0]!
  expect(parts).toMatchObject([{ text: 'one E' }, { text: 'two' }])
})

test('stop sequences: only a possible beginning is held', () => {
  expect(said(['END'], 'one ', 'two ').steps).toEqual([1, 1, 1, 1, 1])
})

describe('more than an upstream takes', () => {
  const many = ['A', 'B', 'C', 'D', 'E', ' ']
  const asks: Partial<Record<ClientFormatName, Json>> = {
    'openai-chat': chat([user('Hi')], { stop: many }),
    anthropic: chat([user('Hi')], { max_tokens: 9, stop_sequences: many }),
  }
  const cases: [
    caller: ClientFormatName,
    upstream: ClientFormatName,
    model: string,
    taken: string[] | undefined,
    left: string,
  ][] = [
    ['anthropic', 'openai-chat', 'm', ['A', 'B', 'C', 'D'], 'oneAB'],
    ['anthropic', 'openai-chat', 'gpt-5', undefined, 'one'],
    ['anthropic', 'gemini', 'm', ['A', 'B', 'C', 'D', 'E'], 'oneABE'],
    ['openai-chat', 'anthropic', 'm', ['A', 'B', 'C', 'D', 'E'], 'oneABE'],
  ]

  test.each(cases)(
    'stop sequences: %s, %s: %s gets as many as it takes, the others are scanned',
    (caller, upstream, model, taken, left) => {
      const request = chatFormats[caller].readRequest(asks[caller]!) as ChatRequest
      const pair = { client: chatFormats[caller], upstream: chatFormats[upstream], label: labelFor(request) }
      const codec = translatingFormat(pair)
      const body = codec.forward({}, { model, stream_usage: false, system_prompt: '' })
      const told = body.stop ?? body.stop_sequences ?? (body.generationConfig as Json | undefined)?.stopSequences
      expect(told).toEqual(taken)
      const answer: ChatResponse = {
        ...{ id: '', model, doubts: [] },
        choices: [{ parts: [{ kind: 'text', text: 'oneABE two' }], finish: { reason: 'stop' } }],
      }
      const { rewritten } = codec.responseFacts(chatFormats[upstream].writeResponse(answer, pair.label))!
      expect(chatFormats[caller].readResponse(rewritten)!.choices[0]!.parts).toEqual([{ kind: 'text', text: left }])
    },
  )
})

test('a caller’s stop sequences hold with an upstream of Responses', () => {
  expect(sent('openai-chat', chat([user('Hi')], { stop: 'END' }), 'openai-responses')).not.toHaveProperty('stop')
  const pair = pairOf('anthropic', 'openai-responses', 'stop')
  const output = [
    { type: 'message', content: [{ type: 'output_text', text: 'Four END five' }] },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  ]
  const answer = chatFormats['openai-responses'].readResponse({ output, usage: { input_tokens: 5, output_tokens: 9 } })!
  expect(translateResponse(pair, answer)).toMatchObject({
    content: [{ type: 'text', text: 'Four ' }],
    stop_reason: 'stop_sequence',
    stop_sequence: 'END',
    usage: { input_tokens: 5, output_tokens: 9 },
  })
  expect(assemble(eventsOf(chatFormats.anthropic, streamResponse(pair, answer))).choices).toEqual([
    { parts: [{ kind: 'text', text: 'Four ' }], finish: { reason: 'stop_sequence', sequence: 'END' } },
  ])
})
