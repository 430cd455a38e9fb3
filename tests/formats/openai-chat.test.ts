/** OpenAI's chat format: what is read of it, and what is changed on the way out. */
import { describe, expect, test } from 'bun:test'
import { usageOf } from '../../src/billing/usage.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { meter } from '../../src/formats/openai-chat/usage.ts'
import type { Json } from '../../src/pure/json.ts'

const messages = [{ role: 'user', content: 'hi' }]
const edit = { model: 'up', stream_usage: true, system_prompt: '' }

describe('requests', () => {
  test('what the gateway must know', () => {
    const body = { model: 'm', messages, n: 3, max_tokens: 10, max_completion_tokens: 20, stream: true }
    expect(openAiChat.readFacts(body)).toEqual({
      model: 'm',
      stream: true,
      max_output: 20,
      choices: 3,
      wants_usage: false,
    })
    expect(
      openAiChat.readFacts({ model: 'm', messages, max_tokens: null, n: null, stream: null, stream_options: null }),
    ).toEqual({
      model: 'm',
      stream: false,
      max_output: undefined,
      choices: 1,
      wants_usage: false,
    })
  })

  test('nobody is answered no times, or more often than is allowed', () => {
    const ask = (n: number) => openAiChat.readFacts({ model: 'm', messages, n })
    for (const n of [0, 129]) expect(ask(n)).toMatchObject({ code: 'relay.field_outside', param: 'n' })
  })

  test('names, calls and tools are a part of the prompt', () => {
    const tokens = (message: Json, rest: Json = {}) => openAiChat.promptTokens({ messages: [message], ...rest })
    const plain = tokens({ role: 'assistant', content: 'hi' })
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"city":"Oslo"}' } }
    expect(tokens({ role: 'assistant', content: 'hi', name: 'ann' })).toBeGreaterThan(plain)
    expect(tokens({ role: 'assistant', content: 'hi', tool_calls: [call] })).toBeGreaterThan(plain + 5)
    expect(tokens({ role: 'assistant', content: 'hi' }, { tools: [call] })).toBeGreaterThan(plain + 5)
  })

  test('who wants a stream to end with its usage says so', () => {
    const wants = (stream_options: Json) => openAiChat.readFacts({ model: 'm', messages, stream: true, stream_options })
    expect(wants({ include_usage: true })).toMatchObject({ wants_usage: true })
    expect(wants({ include_obfuscation: false })).toMatchObject({ wants_usage: false })
  })
})

describe('what is sent on', () => {
  test('only the model changes; the original stays as it was', () => {
    const body = { model: 'm', messages, store: false, top_p: 0, own: null }
    expect(openAiChat.forward(body, edit)).toEqual({ ...body, model: 'up' })
    expect(body.model).toBe('m')
  })

  test('a stream is asked for its usage, beside what else was wanted of it', () => {
    const body = {
      model: 'm',
      messages,
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: false },
    }
    expect(openAiChat.forward(body, edit).stream_options).toEqual({ include_obfuscation: false, include_usage: true })
    expect(openAiChat.forward(body, { ...edit, stream_usage: false })).not.toHaveProperty('stream_options')
    expect(openAiChat.forward({ ...body, stream: false }, edit)).not.toHaveProperty('stream_options')
  })

  const systems: [string, Json[], Json[]][] = [
    ['none', messages, [{ role: 'system', content: 'First.' }, ...messages]],
    ['a text', [{ role: 'system', content: 'Then.' }], [{ role: 'system', content: 'First.\n\nThen.' }]],
    [
      'parts',
      [...messages, { role: 'developer', content: [{ type: 'text', text: 'Then.' }] }],
      [
        ...messages,
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'First.' },
            { type: 'text', text: 'Then.' },
          ],
        },
      ],
    ],
  ]
  test.each(systems)('a system prompt goes before the caller’s own: %s', (_, own, together) => {
    expect(openAiChat.forward({ model: 'm', messages: own }, { ...edit, system_prompt: 'First.' }).messages).toEqual(
      together,
    )
  })

  test('a system prompt may stand alone, wherever the caller’s own stood', () => {
    const own = [{ role: 'system', content: 'One' }, ...messages, { role: 'developer', content: 'Two' }]
    const alone = { ...edit, system_prompt: 'First.', replace_system: true }
    expect(openAiChat.forward({ model: 'm', messages: own }, alone).messages).toEqual([
      { role: 'system', content: 'First.' },
      ...messages,
    ])
  })

  test('odd shapes are counted without a stumble', () => {
    const odd = [
      { role: 'user' },
      { content: null },
      { content: 5 },
      { content: {} },
      {
        content: [
          null,
          'x',
          7,
          {},
          { type: 'image_url' },
          { type: 'image_url', image_url: { detail: 'low' } },
          { type: 'text', text: 'one two' },
        ],
      },
      { tool_calls: 'no list' },
      { name: {} },
    ] as Json[]
    for (const tools of [undefined, null, 'x', [null, {}, 'x']]) {
      expect(openAiChat.promptTokens({ messages: odd, tools })).toBeWithin(800, 1200)
    }
    expect(openAiChat.promptText({ messages: odd })).toContain('one two')
  })
})

const chunk = (fields: Json) => JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'up', ...fields })
const delta = (fields: Json, finish_reason: string | null = null) =>
  chunk({ choices: [{ index: 0, delta: fields, finish_reason }] })
const bytes = (text: string) => Buffer.from(text).toString('latin1')

function read(events: string[], keep_text = false) {
  const reader = openAiChat.streamReader({ keep_text })
  return { kinds: events.map(event => reader.read(bytes(event))), reader }
}

function skim(first: string, ...events: string[]) {
  const reader = openAiChat.streamReader({ keep_text: false })
  reader.read(bytes(first))
  const run = Buffer.from(events.map(event => `data: ${event}\n\n`).join(''))
  const read = reader.skim!(run)
  return { reader, skimmed: read === run.length, rest: run.subarray(read).toString() }
}

describe('streams', () => {
  const start = delta({ role: 'assistant', content: '' })

  test('skimmed or parsed, an event means the same', () => {
    const deltas = [
      { content: 'Hello' },
      { content: 'a "quoted" \\ one \\" ' },
      { content: 'line\n\ttab' },
      { content: '你好，世界' },
      { reasoning_content: 'thinking' },
      { reasoning: 'thinking too' },
      { refusal: 'No.' },
      { tool_calls: [{ index: 0, function: { name: 'f', arguments: '{"a":1}' } }] },
      { content: 'said "usage":{"x":1} and "error": bad and "finish_reason":"stop"' },
      { content: '' },
      {},
    ]
    for (const fields of deltas) {
      const compact = skim(start, delta(fields))
      const spaced = read([start, delta(fields).replaceAll('":', '": ')])
      expect(compact.skimmed).toBe(!delta(fields).includes('": '))
      if (!compact.skimmed) continue
      expect(spaced.kinds).toEqual(['content', 'content'])
      expect([compact.reader.finished, spaced.reader.finished]).toEqual([false, false])
      expect(compact.reader.output_estimate > 0).toBe(spaced.reader.output_estimate > 0)
      expect(Math.abs(compact.reader.output_estimate - spaced.reader.output_estimate)).toBeLessThanOrEqual(
        Math.max(3, spaced.reader.output_estimate),
      )
    }
  })

  test('skimming stops before the first event that is more than a piece of the answer', () => {
    const more = [
      chunk({ choices: [], usage: { prompt_tokens: 1 } }),
      '{"error":{"message":"no"}}',
      '[DONE]',
      '{"broken":[',
    ]
    for (const event of more) {
      const { reader, rest } = skim(
        start,
        delta({ content: 'one' }),
        delta({}, 'stop'),
        event,
        delta({ content: 'two' }),
      )
      expect(rest).toStartWith(`data: ${event}`)
      expect(reader).toMatchObject({ output_estimate: 1, finished: true, usage_report: undefined })
    }
  })

  test('kinds', () => {
    const report = { prompt_tokens: 1, completion_tokens: 2 }
    const events = [start, delta({ content: 'x' }), delta({}, 'stop'), chunk({ choices: [], usage: report }), '[DONE]']
    const { kinds, reader } = read(events)
    expect(kinds).toEqual(['content', 'content', 'content', 'usage', 'end'])
    expect(reader).toMatchObject({ finished: true, usage_report: report, output_estimate: 1 })
    expect(read(['{"error":{"message":"no","type":"server_error"}}']).kinds).toEqual(['error'])
    expect(read([start, '{"error":{"message":"no"}}']).kinds).toEqual(['content', 'error'])
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
    expect(reader.usage_report).toMatchObject({ prompt_tokens: 3 })
  })

  test('the text is kept when it is wanted', () => {
    expect(read([start, delta({ content: 'Grüß ' }), delta({ content: '你好' })], true).reader.text).toBe('Grüß 你好')
  })
})

describe('usage', () => {
  const counted = { prompt: 7, output: 5 }

  test('overlapping counts become buckets that do not overlap', () => {
    const report = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10, cache_write_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 8 },
    }
    expect(meter(report, counted)).toEqual({
      usage: usageOf({
        input: 45,
        cache_read: 40,
        cache_write_5m: 5,
        input_audio: 10,
        output: 42,
        output_audio: 8,
        reasoning: 30,
      }),
      by: 'upstream',
      doubts: [],
    })
  })

  test('parts larger than the whole are cut, and doubted', () => {
    const report = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10 },
    }
    const { usage, doubts } = meter(report, counted)
    expect(usage).toEqual(usageOf({ cache_read: 10, output: 5 }))
    expect(doubts).toHaveLength(2)
  })

  test('other names for cached tokens', () => {
    expect(meter({ prompt_tokens: 10, prompt_cache_hit_tokens: 4 }, counted).usage.cache_read).toBe(4)
    expect(meter({ prompt_tokens: 10, cached_tokens: 3 }, counted).usage.cache_read).toBe(3)
  })

  test('without a report it is counted here; nothing produced is nothing used', () => {
    expect(meter(undefined, counted)).toEqual({
      usage: usageOf({ input: 7, output: 5 }),
      by: 'gateway',
      doubts: [],
    })
    expect(meter(undefined, { prompt: 7, output: 0 }).usage).toEqual(usageOf())
  })
})

test('errors are found wherever they are put', () => {
  const said = (body: unknown) => openAiChat.readError(body)?.message
  expect(said({ error: { message: 'a' } })).toBe('a')
  expect(said({ error: 'b' })).toBe('b')
  expect(said({ message: 'c' })).toBe('c')
  expect(said({ detail: 'd' })).toBe('d')
  expect(said({ detail: [{ loc: ['body', 'n'], msg: 'too many' }, { msg: 'e' }] })).toBe('body.n: too many; e')
  expect(said({ errorMsg: 'f' })).toBe('f')
  expect(said({ err: 'g', code: 1 })).toBe('g')
  expect(said({ errors: [{ message: 'h' }] })).toBe('h')
  expect(said({ response: { error: { message: 'i' } } })).toBe('i')
  expect(openAiChat.readError({ header: { code: 10013, message: 'j' } })).toMatchObject({ message: 'j', code: '10013' })
  expect(said({ choices: [], message: 'no error' })).toBeUndefined()
  expect(said({ choices: [], error: null })).toBeUndefined()
  expect(said(null)).toBeUndefined()
})
