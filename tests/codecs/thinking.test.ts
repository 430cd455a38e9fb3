import { describe, expect, test } from 'bun:test'
import type { Format, Request } from '../../src/codecs/canonical.ts'
import type { Json } from '../../src/codecs/codec.ts'
import { dialects } from '../../src/codecs/dialects.ts'
import { wrap } from '../../src/codecs/signature.ts'
import { translateAnswer } from '../../src/codecs/translate.ts'
import { routeOf, sent, wired } from './support.ts'
import { wires } from './wire/index.ts'

const asked = (rest: Json): Json => ({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...rest })
const toGemini = (rest: Json, model: string) =>
  (sent('openai-chat', asked(rest), 'gemini', model).generationConfig as Json | undefined)?.thinkingConfig
const toAnthropic = (rest: Json, model: string) => {
  const { max_tokens, thinking, output_config, temperature } = sent('openai-chat', asked(rest), 'anthropic', model)
  return { max_tokens, thinking, output_config, temperature }
}

describe('an effort', () => {
  test.each([
    ['claude-sonnet-4-5', 'low', { max_tokens: 9216, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-sonnet-4-5', 'high', { max_tokens: 32_768, thinking: { type: 'enabled', budget_tokens: 24_576 } }],
    ['claude-sonnet-4-5', 'none', { max_tokens: 8192, thinking: { type: 'disabled' } }],
    ['claude-3-5-haiku-20241022', 'high', { max_tokens: 8192 }],
    ['claude-3-opus-20240229', 'high', { max_tokens: 4096 }],
    [
      'claude-opus-4-7',
      'xhigh',
      { max_tokens: 8192, thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
    ],
    ['claude-opus-5', 'minimal', { max_tokens: 8192, thinking: { type: 'disabled' } }],
  ])('is what %s takes for %s', (model, reasoning_effort, expected) => {
    expect(toAnthropic({ reasoning_effort }, model)).toEqual({
      thinking: undefined,
      output_config: undefined,
      temperature: undefined,
      ...expected,
    })
  })

  test.each([
    ['gemini-2.5-pro', 'high', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'xhigh', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-flash-lite', 'low', { includeThoughts: true, thinkingBudget: 1024 }],
    ['gemini-3-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'low' }],
    ['gemini-3-flash', 'max', { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemini-2.0-flash', 'high', undefined],
  ])('is what %s takes for %s', (model, reasoning_effort, expected) => {
    expect(toGemini({ reasoning_effort }, model)).toEqual(expected)
  })

  test.each([
    [0, 'none'],
    [512, 'low'],
    [1024, 'low'],
    [8192, 'medium'],
    [8193, 'high'],
  ])('is read from a budget of %i', (thinkingBudget, effort) => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { thinkingConfig: { thinkingBudget } } }
    expect(sent('gemini', body, 'openai-chat', 'gpt-5.2').reasoning_effort).toBe(effort)
    expect(sent('gemini', body, 'openai-responses', 'gpt-5.2').reasoning).toEqual({ effort })
  })

  test.each([
    [{ effort: 'low' }, { budget_tokens: 1024 }],
    [{ max_tokens: 2000 }, { budget_tokens: 2000 }],
    [{ enabled: true }, { budget_tokens: 8192 }],
    [{ enabled: false }, undefined],
    [{ effort: 'none', max_tokens: 2000 }, undefined],
  ])('as clients of OpenRouter say it: %j', (reasoning, thinking) => {
    const { thinking: written } = toAnthropic({ reasoning }, 'claude-sonnet-4-5')
    expect(written).toEqual(thinking ? { type: 'enabled', ...thinking } : { type: 'disabled' })
  })

  test('that nobody wants to see is not shown', () => {
    const reasoning = { effort: 'low', exclude: true }
    expect(toGemini({ reasoning }, 'gemini-2.5-flash')).toEqual({ includeThoughts: false, thinkingBudget: 1024 })
  })

  test('of a level that is left open is the model’s own affair', () => {
    const thinkingConfig = { thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED', includeThoughts: true }
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { thinkingConfig } }
    expect(sent('gemini', body, 'openai-chat', 'gpt-5')).not.toHaveProperty('reasoning_effort')
  })

  test('is the model’s own affair where the caller says so', () => {
    const body = {
      contents: [{ parts: [{ text: 'Hi' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: -1 } },
    }
    expect(sent('gemini', body, 'openai-chat', 'gpt-5').reasoning_effort).toBeUndefined()
    expect(sent('gemini', body, 'anthropic', 'claude-opus-4-6').thinking).toMatchObject({ type: 'adaptive' })
    expect(sent('gemini', body, 'anthropic', 'claude-sonnet-4-5').thinking).toMatchObject({ budget_tokens: 8192 })
    expect(sent('gemini', body, 'gemini', 'gemini-2.5-flash')).toMatchObject(body)
  })
})

test.each([
  ['gpt-4o', 'high', undefined],
  ['gpt-5-chat-latest', 'high', undefined],
  ['o3', 'none', 'low'],
  ['o4-mini', 'max', 'high'],
  ['gpt-5', 'none', 'minimal'],
  ['gpt-5.1', 'minimal', 'none'],
  ['gpt-5.2', 'max', 'xhigh'],
  ['deepseek-reasoner', 'max', 'max'],
])('%s of OpenAI’s kind takes for %s the nearest word that it knows', (model, thinkingLevel, effort) => {
  const generationConfig = { thinkingConfig: { thinkingLevel } }
  const body = { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig }
  expect(sent('gemini', body, 'openai-chat', model).reasoning_effort).toBe(effort as never)
  expect(sent('gemini', body, 'openai-responses', model).reasoning).toEqual((effort && { effort }) as never)
})

describe('a limit', () => {
  test('holds for thoughts and answer together', () => {
    const model = 'claude-sonnet-4-5'
    expect(toAnthropic({ reasoning_effort: 'high', max_tokens: 5000 }, model)).toMatchObject({
      max_tokens: 5000,
      thinking: { budget_tokens: 4000 },
    })
    expect(toAnthropic({ reasoning_effort: 'high', max_tokens: 1000 }, model)).toMatchObject({
      max_tokens: 1000,
      thinking: undefined,
    })
  })

  test('has the name that the model knows', () => {
    const body = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], temperature: 0.3, top_k: 5 }
    expect(sent('anthropic', body, 'openai-chat', 'o3')).toEqual({
      model: 'o3',
      messages: [{ role: 'user', content: 'Hi' }],
      max_completion_tokens: 50,
    })
    expect(sent('anthropic', body, 'openai-chat', 'deepseek-chat')).toMatchObject({ max_tokens: 50, temperature: 0.3 })
    expect(sent('anthropic', { ...body, max_tokens: 5 }, 'openai-responses', 'gpt-4o')).toMatchObject({
      max_output_tokens: 16,
    })
  })
})

describe('a model that thinks', () => {
  test('takes no temperature beside it, and no forced tool', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
    const model = 'claude-sonnet-4-5'
    const rest = { reasoning_effort: 'low', temperature: 0.2 }
    expect(toAnthropic(rest, model)).toMatchObject({ temperature: undefined, thinking: { type: 'enabled' } })
    expect(toAnthropic({ ...rest, tools, tool_choice: 'required' }, model)).toMatchObject({
      temperature: 0.2,
      thinking: undefined,
    })
  })

  test('does not go on thinking in a round whose thoughts cannot be shown', () => {
    const round = (thought: Json) => ({
      model: 'm',
      reasoning_effort: 'low',
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          ...thought,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
    })
    const signed = [{ type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1', index: 0 }]
    const model = 'claude-sonnet-4-5'
    expect(sent('openai-chat', round({}), 'anthropic', model).thinking).toBeUndefined()
    expect(sent('openai-chat', round({ reasoning_content: 'Hm' }), 'anthropic', model).thinking).toBeUndefined()
    const kept = sent('openai-chat', round({ reasoning_content: 'Hm', reasoning_details: signed }), 'anthropic', model)
    expect(kept).toMatchObject({
      thinking: { type: 'enabled' },
      messages: [{}, { content: [{ type: 'thinking', thinking: 'Hm', signature: 's' }, { type: 'tool_use' }] }, {}],
    })
  })

  test('is told its own thoughts while it works with tools, where it is not OpenAI’s', () => {
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: '' },
            { type: 'tool_use', id: 'a', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      ],
    }
    const [, open] = sent('anthropic', body, 'openai-chat', 'deepseek-reasoner').messages as Json[]
    expect(open).toMatchObject({ reasoning_content: 'Hm' })
    const [, own] = sent('anthropic', body, 'openai-chat', 'gpt-5').messages as Json[]
    expect(own).not.toHaveProperty('reasoning_content')
    const closed = { ...body, messages: [...body.messages, { role: 'user', content: 'And?' }] }
    const [, over] = sent('anthropic', closed, 'openai-chat', 'deepseek-reasoner').messages as Json[]
    expect(over).not.toHaveProperty('reasoning_content')
  })
})

/** The conversation with an answer in it, as a client of the format goes on with it. */
const continued: Record<Format, (body: Json, answer: Json) => Json> = {
  'openai-chat': (body, answer) => ({
    ...body,
    messages: [...(body.messages as Json[]), (answer.choices as Json[])[0]!.message],
  }),
  'openai-responses': (body, answer) => ({ ...body, input: [...(body.input as Json[]), ...(answer.output as Json[])] }),
  anthropic: (body, { role, content }) => ({ ...body, messages: [...(body.messages as Json[]), { role, content }] }),
  gemini: (body, answer) => ({
    ...body,
    contents: [...(body.contents as Json[]), (answer.candidates as Json[])[0]!.content],
  }),
}

describe('a signed thought goes back to the provider that signed it, and to nobody else', () => {
  const callers = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
  const upstreams = ['openai-responses', 'anthropic', 'gemini'] as const
  const models = { 'openai-responses': 'gpt-5', anthropic: 'claude-sonnet-4-5', gemini: 'gemini-3-pro' }

  const signaturesIn = (request: Request) =>
    request.turns.flatMap(({ parts }) =>
      parts.flatMap(part => ('signature' in part && part.signature ? part.signature.value : [])),
    )

  test.each(callers.flatMap(caller => upstreams.map(upstream => [caller, upstream] as const)))(
    '%s, %s',
    (caller, upstream) => {
      const answer = dialects[upstream].readAnswer(wires[upstream].answers.thinking)!
      const written = wired(translateAnswer(routeOf(caller, upstream, 'thinking'), answer))
      const body = continued[caller](wires[caller].requests.thinking, written)
      for (const next of upstreams) {
        const model = models[next]
        const seen = dialects[next].readRequest(sent(caller, body, next, model), { model }) as Request
        expect(signaturesIn(seen)).toEqual(next === upstream ? ['c2ln'] : [])
      }
    },
  )

  test('a redacted one too', () => {
    const content = [
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'Hi' },
    ]
    const answer = dialects.anthropic.readAnswer({ content, stop_reason: 'end_turn' })!
    for (const caller of callers) {
      const written = wired(translateAnswer(routeOf(caller, 'anthropic', 'thinking'), answer))
      const body = continued[caller](wires[caller].requests.thinking, written)
      expect((sent(caller, body, 'anthropic', 'claude-sonnet-4-5').messages as Json[])[1]).toEqual({
        role: 'assistant',
        content,
      })
    }
  })

  test('Gemini’s signature of a call, before the call', () => {
    const parts = [{ functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'c2ln' }]
    const answer = dialects.gemini.readAnswer({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    })!
    for (const caller of callers) {
      const written = wired(translateAnswer(routeOf(caller, 'gemini', 'thinking'), answer))
      const body = continued[caller](wires[caller].requests.thinking, written)
      expect((sent(caller, body, 'gemini', 'gemini-3-pro').contents as Json[])[1]).toEqual({ role: 'model', parts })
    }
  })

  test('since Gemini 3, a call that nobody signed carries the word that stands for it', () => {
    const contents = (model: string) =>
      sent('openai-chat', wires['openai-chat'].requests.tools, 'gemini', model).contents as Json[]
    const [first, second] = contents('gemini-3-pro')[1]!.parts as Json[]
    expect(first).toHaveProperty('thoughtSignature', 'skip_thought_signature_validator')
    expect(second).not.toHaveProperty('thoughtSignature')
    expect(JSON.stringify(contents('gemini-2.5-pro'))).not.toContain('thoughtSignature')
  })
})

test('thoughts of OpenAI that come back without their names get names of their own', () => {
  const block = (text: string, value: string) => ({ type: 'thinking', thinking: text, signature: wrapped(value) })
  const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
  const messages = ['a', 'b'].flatMap(id => [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: [block('Hm', id), call(id)] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
  ])
  const input = sent('anthropic', { model: 'm', max_tokens: 9, messages }, 'openai-responses').input as Json[]
  const thoughts = input.filter(({ type }) => type === 'reasoning')
  expect(thoughts).toMatchObject([{ encrypted_content: 'a' }, { encrypted_content: 'b' }])
  expect(new Set(thoughts.map(({ id }) => id)).size).toBe(2)
})

const wrapped = (value: string) => wrap({ owner: 'openai', value }, 'anthropic')
