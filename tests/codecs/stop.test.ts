/** Stop sequences where the upstream knows none. */
import { expect, test } from 'bun:test'
import { assemble } from '../../src/codecs/assemble.ts'
import { dialects } from '../../src/codecs/dialects.ts'
import { stopAt } from '../../src/codecs/stop.ts'
import { streamAnswer, translateAnswer } from '../../src/codecs/translate.ts'
import { chat, eventsOf, routeOf, sent, user } from './support.ts'

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
])('%j in %j', (sequences, pieces, text, sequence) => {
  expect(said(sequences, ...pieces)).toMatchObject({
    parts: [{ kind: 'text', text }],
    finish: { reason: 'stop_sequence', sequence },
  })
})

test('what only looks like one is told, at the latest with the end', () => {
  expect(said(['END'], 'one E', 'NTER', ' EN')).toMatchObject({
    parts: [{ text: 'one ENTER EN' }],
    finish: { reason: 'length' },
  })
})

test('nothing is held that cannot be the beginning of one', () => {
  expect(said(['END'], 'one ', 'two ').steps).toEqual([1, 1, 1, 1, 1])
})

test('a caller’s stop sequences hold with an upstream of Responses', () => {
  expect(sent('openai-chat', chat([user('Hi')], { stop: 'END' }), 'openai-responses')).not.toHaveProperty('stop')
  const route = routeOf('anthropic', 'openai-responses', 'stop')
  const output = [
    { type: 'message', content: [{ type: 'output_text', text: 'Four END five' }] },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  ]
  const answer = dialects['openai-responses'].readAnswer({ output, usage: { input_tokens: 5, output_tokens: 9 } })!
  expect(translateAnswer(route, answer)).toMatchObject({
    content: [{ type: 'text', text: 'Four ' }],
    stop_reason: 'stop_sequence',
    stop_sequence: 'END',
    usage: { input_tokens: 5, output_tokens: 9 },
  })
  expect(assemble(eventsOf(dialects.anthropic, streamAnswer(route, answer))).choices).toEqual([
    { parts: [{ kind: 'text', text: 'Four ' }], finish: { reason: 'stop_sequence', sequence: 'END' } },
  ])
})
