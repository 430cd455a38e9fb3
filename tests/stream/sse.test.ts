// @engine sqlite
/** Server-sent events in chunks of any size. */
import { expect, test } from 'bun:test'
import { asBuffer, dataIn, dataOf, EventCutter, eventsIn, toBytes } from '../../src/stream/sse.ts'

const cases: [name: string, bytes: string, data: (string | undefined)[]][] = [
  ['the usual', 'data: {"a":1}\n\ndata: [DONE]\n\n', ['{"a":1}', '[DONE]']],
  ['no space after the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
  ['CRLF', 'data: one\r\n\r\ndata: two\r\n\r\n', ['one', 'two']],
  ['CR', 'data: one\r\rdata: two\r\r', ['one', 'two']],
  ['names', 'event: a\ndata: one\n\nevent: b\r\ndata: two\r\n\r\n', ['one', 'two']],
  ['more blank lines than one', 'data: one\n\n\n\ndata: two\n\n\n', ['one', 'two']],
  ['comments', ': ping\n\ndata: one\n\n: OPENROUTER PROCESSING\n\n', [undefined, 'one', undefined]],
  ['other fields', 'event: message\nid: 7\ndata: one\nretry: 5\n\n', ['one']],
  ['several lines', 'data: one\ndata: two\ndata:\n\n', ['one\ntwo\n']],
  ['a byte order mark', '\ufeffdata: one\n\n', ['one']],
  ['characters of several bytes', 'data: {"text":"你好 🌍"}\n\n', ['{"text":"你好 🌍"}']],
  ['a field named like data', 'database: no\ndata: yes\n\n', ['yes']],
]

const read = (pieces: Uint8Array<ArrayBuffer>[]) => {
  const cutter = new EventCutter()
  const whole = pieces.flatMap(piece => cutter.push(asBuffer(piece)) ?? [])
  const events = whole.flatMap(bytes => [...eventsIn(bytes)])
  const data = events.map(dataOf).filter(text => text !== undefined)
  return {
    data: data.map(text => Buffer.from(text, 'latin1').toString('utf8')),
    text: whole.flatMap(bytes => [...dataIn(bytes)]),
    bytes: Buffer.concat([...events, cutter.rest].map(toBytes)).toString('utf8'),
  }
}

test.each(cases)('events are cut at their ends in every chunking: %s', (_, text, data) => {
  const bytes = Buffer.from(text)
  const said = data.filter(item => item !== undefined)
  const expected = { data: said, text: said, bytes: text }
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)].filter(piece => piece.length))).toEqual(expected)
  }
  expect(read([...bytes].map(byte => Uint8Array.of(byte)))).toEqual(expected)
})

test('an incomplete event is counted and kept', () => {
  const cutter = new EventCutter()
  const push = (text: string) => cutter.push(Buffer.from(text))?.toString()
  expect(push('data: one\n\ndata: two\n\ndata: th')).toBe('data: one\n\ndata: two\n\n')
  expect([cutter.pending, cutter.rest]).toEqual([8, 'data: th'])
  expect(push('ree\n')).toBeUndefined()
  expect(push('\n')).toBe('data: three\n\n')
  expect(cutter.pending).toBe(0)
})
