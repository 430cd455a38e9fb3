// @engine sqlite
/** OpenAI chat: streams that pass unchanged. */
import { describe, expect, test } from 'bun:test'
import { usageOf } from '../../src/billing/usage.ts'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import type { Json } from '../../src/pure/json.ts'

const chunk = (fields: Json) => JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'up', ...fields })
const delta = (fields: Json, finish_reason: string | null = null) =>
  chunk({ choices: [{ index: 0, delta: fields, finish_reason }] })
const bytes = (text: string) => Buffer.from(text).toString('latin1')

function read(events: string[], keep_text = false) {
  const reader = openAiChat.streamReader({ keep_text })
  return { kinds: events.map(event => reader.read(bytes(event))), reader }
}

/** Reads the first events, then skims the others. */
function skim(first: string[], ...events: string[]) {
  const { reader } = read(first)
  const run = Buffer.from(events.map(event => `data: ${event}\n\n`).join(''))
  const skimmed = reader.skim!(run)
  return { reader, rest: run.subarray(skimmed).toString() }
}

const start = delta({ role: 'assistant', content: '' })

describe('skimming', () => {
  const texts = [
    ...['Hello', ' 0123456789', '你好，世界', '👍🏽', 'a "quoted" \\ one \\" ', 'line\n\ttab', '\u2028', '{"a":[1,2]}'],
    'contains "usage":{"x":1} and "error": bad and "finish_reason":"stop"',
  ]
  test.each(['content', 'reasoning_content', 'reasoning', 'refusal'])('a skimmed %s counts as a parsed one', field => {
    for (const text of texts) {
      const one = delta({ [field]: 'One' })
      const events = [start, one, one, delta({ [field]: text }), delta({ [field]: text })]
      const parsed = read(events)
      for (const spaced of [false, true]) {
        const written = spaced
          ? events.map(event => JSON.stringify(JSON.parse(event), null, 1).replace(/\n */g, ' '))
          : events
        const skimmed = skim(written.slice(0, 3), ...written.slice(3))
        expect(skimmed.rest).toBe('')
        expect(skimmed.reader.output_estimate).toBe(parsed.reader.output_estimate)
        expect(skimmed.reader.finished).toBe(false)
      }
    }
  })

  test('skimming goes on where only the random text at the end differs', () => {
    const event = (content: string, obfuscation: string) =>
      chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }], obfuscation })
    const first = [start, event('One', 'x'), event(' two', 'yz')]
    const { reader, rest } = skim(first, event(' three', 'abc'), event(' four', ''))
    expect(rest).toBe('')
    expect(reader.output_estimate).toBe(4)
    expect(skim(first, delta({ content: ' three' })).rest).not.toBe('')
  })

  test('skimming stops before an event that is more than the next text', () => {
    const more = [
      delta({ content: 'x', reasoning: 'y' }),
      delta({ content: '' }),
      delta({}),
      delta({}, 'stop'),
      delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{"a":1}' } }] }),
      chunk({ choices: [], usage: { prompt_tokens: 1 } }),
      '{"error":{"message":"no"}}',
      '[DONE]',
      '{"broken":[',
    ]
    for (const event of more) {
      const { reader, rest } = skim(
        [start, delta({ content: 'zero' }), delta({ content: ' one' })],
        delta({ content: ' two' }),
        event,
        delta({ content: ' three' }),
      )
      expect(rest).toStartWith(`data: ${event}`)
      expect(reader).toMatchObject({ finished: false, usage_report: undefined })
      expect(reader.output_estimate).toBe(3)
    }
  })
})

describe('events', () => {
  test('events are classified by kind', () => {
    const report = { prompt_tokens: 1, completion_tokens: 2 }
    const events = [start, delta({ content: 'x' }), delta({}, 'stop'), chunk({ choices: [], usage: report }), '[DONE]']
    const { kinds, reader } = read(events)
    expect(kinds).toEqual(['content', 'content', 'content', 'usage', 'end'])
    expect(reader).toMatchObject({ finished: true, usage_report: { usage: usageOf({ input: 1, output: 2 }) } })
    expect(reader.output_estimate).toBe(1)
    expect(read(['{"error":{"message":"no","type":"server_error"}}']).kinds).toEqual(['failed'])
    expect(read([start, '{"error":{"message":"no"}}']).kinds).toEqual(['content', 'failed'])
    expect(read([start, '{"choices":[', 'text', '[]', 'null']).kinds).toEqual([
      'content',
      'broken',
      'broken',
      'broken',
      'broken',
    ])
    expect(read([chunk({ choices: [], prompt_filter_results: [] }), start]).kinds).toEqual(['content', 'content'])
  })

  test('usage beside content is a report and goes on', () => {
    const { kinds, reader } = read([
      start,
      chunk({ choices: [{ delta: { content: 'x' } }], usage: { prompt_tokens: 3, completion_tokens: 1 } }),
    ])
    expect(kinds).toEqual(['content', 'content'])
    expect(reader.usage_report).toMatchObject({ usage: { input: 3, output: 1 } })
  })

  test('the text is kept when it is wanted', () => {
    expect(read([start, delta({ content: 'Grüß ' }), delta({ content: '你好' })], true).reader.text).toBe('Grüß 你好')
  })
})

test('openai chat: a call of nothing opens no part', () => {
  const { reader } = read([
    start,
    delta({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '' } }] }),
    delta({ content: 'x' }, 'stop'),
    '[DONE]',
  ])
  expect(reader.countable_output?.texts).toEqual(['x'])
})

test('openai chat: a signed thought that repeats its text is read once, after another without a signature', () => {
  const details = [{ type: 'reasoning.text', text: 'B', signature: 's', format: 'anthropic-claude-v1', index: 0 }]
  const reader = openAiChat.readStream()
  const events = [
    start,
    delta({ reasoning_content: 'A' }),
    delta({ content: 'x' }),
    delta({ reasoning_content: 'B' }),
    delta({ reasoning_details: details }),
    delta({ content: 'y' }, 'stop'),
    '[DONE]',
  ].flatMap(event => reader.read(event))
  expect(assemble(events).choices[0]!.parts).toMatchObject([
    { kind: 'thinking', text: 'A' },
    { text: 'x' },
    { kind: 'thinking', text: 'B', signature: { owner: 'anthropic', value: 's' } },
    { text: 'y' },
  ])
})
