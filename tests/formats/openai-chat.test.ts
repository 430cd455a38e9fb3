// @engine sqlite
/** OpenAI chat: the facts of a request, what is forwarded, and usage. */
import { describe, expect, test } from 'bun:test'
import { usageOf } from '../../src/billing/usage.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { meter } from '../../src/formats/openai-chat/usage.ts'
import type { Json } from '../../src/pure/json.ts'
import { withCounts } from '../../src/relay/charging/with-counts.ts'

const messages = [{ role: 'user', content: 'hi' }]
const edit = { model: 'up', stream_usage: true, system_prompt: '' }

describe('requests', () => {
  test('openai-chat: the facts of a request are read', () => {
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

  test('openai-chat: n of zero or above the limit is refused', () => {
    const ask = (n: number) => openAiChat.readFacts({ model: 'm', messages, n })
    for (const n of [0, 129]) expect(ask(n)).toMatchObject({ code: 'relay.field_outside', param: 'n' })
  })

  test('names, calls and tools are a part of the prompt', () => {
    const tokens = (message: Json, rest: Json = {}) =>
      openAiChat.promptTokens({ model: 'm', messages: [message], ...rest })
    const plain = tokens({ role: 'assistant', content: 'hi' })
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"city":"Oslo"}' } }
    expect(tokens({ role: 'assistant', content: 'hi', name: 'ann' })).toBeGreaterThan(plain)
    expect(tokens({ role: 'assistant', content: 'hi', tool_calls: [call] })).toBeGreaterThan(plain + 5)
    expect(tokens({ role: 'assistant', content: 'hi' }, { tools: [call] })).toBeGreaterThan(plain + 5)
  })

  test('openai-chat: include_usage is read from stream_options', () => {
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
    expect(openAiChat.forward(body, { ...edit, stream_usage: 'wanted' })).not.toHaveProperty('stream_options')
    const wanting = { ...body, stream_options: { include_usage: true } }
    expect(openAiChat.forward(wanting, { ...edit, stream_usage: 'wanted' }).stream_options).toEqual({
      include_usage: true,
    })
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
      for (const message of odd) {
        expect(openAiChat.promptTokens({ model: 'm', messages: [...messages, message], tools })).toBePositive()
      }
    }
    expect(openAiChat.promptText({ messages: odd })).toContain('one two')
  })
})

describe('usage', () => {
  const counted = { prompt: 7, output: 5 }
  const metered = (usage_report: Json | undefined, counts = counted) => withCounts(meter({ usage_report }), counts)

  test('overlapping counts become buckets that do not overlap', () => {
    const report = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10, cache_write_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 8 },
    }
    expect(metered(report)).toEqual({
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
    const { usage, doubts } = metered(report)
    expect(usage).toEqual(usageOf({ cache_read: 10, output: 5 }))
    expect(doubts).toHaveLength(2)
  })

  test('openai-chat: other names for cached tokens are read', () => {
    expect(metered({ prompt_tokens: 10, prompt_cache_hit_tokens: 4 }).usage.cache_read).toBe(4)
    expect(metered({ prompt_tokens: 10, cached_tokens: 3 }).usage.cache_read).toBe(3)
  })

  test('without a report it is counted here; nothing produced is nothing used', () => {
    expect(metered(undefined)).toEqual({
      usage: usageOf({ input: 7, output: 5 }),
      by: 'gateway',
      doubts: [],
    })
    expect(metered(undefined, { prompt: 7, output: 0 }).usage).toEqual(usageOf())
  })
})

test('openai-chat: errors are read from every known place', () => {
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
