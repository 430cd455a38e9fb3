// @engine sqlite
/** The fast path of event readers: an event that differs only in its text is read as if it were parsed. */
import { expect, test } from 'bun:test'
import { chatFormats } from '../../src/formats/index.ts'

const words = [
  'One',
  ' two',
  'text',
  'delta',
  '"',
  '\\',
  'a"}}',
  '',
  '\n',
  '四',
  '👍🏽',
  '\u2028',
  'text_delta',
  '0',
  '{}',
]
const sayings = words.flatMap(one => words.map(other => [one, other, one]))

const start = (index: number) => ({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
const say = (text: string, index = 0) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
const stop = (index: number) => ({ type: 'content_block_stop', index })

function reading() {
  const reader = chatFormats.anthropic.readStream()
  return (event: unknown) => reader.read(typeof event === 'string' ? event : JSON.stringify(event))
}

test('delta fast path: any text after any other is read as by the full parser', () => {
  for (const said of sayings) {
    const read = reading()
    read(start(0))
    const deltas = said.map(text => ({ kind: 'delta', choice: 0, part: 0, delta: { text } }))
    expect(said.flatMap(text => read(say(text)))).toEqual(deltas as never)
  }
})

test('a part of the same number as one before it is another part', () => {
  const read = reading()
  for (const part of [0, 1, 2]) {
    read(start(0))
    for (const text of ['One', ' two']) expect(read(say(text))).toMatchObject([{ part, delta: { text } }])
    read(stop(0))
  }
})

test('delta fast path: other parts, other events and broken JSON take the full parser', () => {
  const read = reading()
  read(start(0))
  read(start(1))
  read(say('One'))
  expect(read(say(' two', 1))).toMatchObject([{ part: 1, delta: { text: ' two' } }])
  expect(read(say(' three', 1))).toMatchObject([{ part: 1, delta: { text: ' three' } }])
  const whole = JSON.stringify(say('four', 1))
  expect(read(whole.slice(0, -1))).toMatchObject([{ kind: 'error' }])
  expect(read(whole.replace('four', 'fo"ur'))).toMatchObject([{ kind: 'error' }])
  expect(read(whole.replace('four', 'fo","more":"ur'))).toMatchObject([{ delta: { text: 'fo' } }])
  expect(read(whole.replace('four', 'fo\\u0075r'))).toMatchObject([{ delta: { text: 'four' } }])
})

test('a stream that never says the same twice is read all the same', () => {
  const read = reading()
  read(start(0))
  for (let at = 0; at < 40; at++) {
    expect(read({ ...say(`word ${at}`), obfuscation: 'x'.repeat(at) })).toMatchObject([
      { delta: { text: `word ${at}` } },
    ])
  }
})
