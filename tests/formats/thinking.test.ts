// @engine sqlite
/** Thoughts: what they may cost, who is shown them again, and how they are signed. */
import { describe, expect, test } from 'bun:test'
import type { ChatRequest, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { wrap } from '../../src/formats/translate/signature.ts'
import { translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { pairOf, sent, wired } from './support.ts'
import { wires } from './wire/index.ts'

const asked = (rest: Json): Json => ({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...rest })
const toAnthropic = (rest: Json, model: string) => {
  const { max_tokens, thinking, output_config, temperature } = sent('openai-chat', asked(rest), 'anthropic', model)
  return { max_tokens, thinking, output_config, temperature }
}

describe('a limit', () => {
  test('a budget of the whole limit leaves room for text', () => {
    const request = { messages: [{ role: 'user', content: 'Hi' }], thinking: { type: 'enabled', budget_tokens: 4000 } }
    const written = (max_tokens: number) =>
      sent('anthropic', { model: 'm', ...request, max_tokens }, 'anthropic', 'claude-sonnet-4-5')
    expect(written(4001)).toMatchObject({ thinking: { budget_tokens: 4000 } })
    expect(written(4000)).toMatchObject({ thinking: { budget_tokens: 3200 } })
  })

  test('max_tokens covers thinking and text together', () => {
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

  test('max_tokens has the name that the model knows', () => {
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
  test('a thinking model gets no temperature and no forced tool', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
    const model = 'claude-sonnet-4-5'
    const rest = { reasoning_effort: 'low', temperature: 0.2 }
    expect(toAnthropic(rest, model)).toMatchObject({ temperature: undefined, thinking: { type: 'enabled' } })
    expect(toAnthropic({ ...rest, tools, tool_choice: 'required' }, model)).toMatchObject({
      temperature: 0.2,
      thinking: undefined,
    })
  })

  test('a budget of thinking is off in a tool round whose thoughts cannot be sent back, adaptive thinking on', () => {
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
    for (const adaptive of ['claude-sonnet-4-6', 'claude-opus-4-7'])
      expect(sent('openai-chat', round({}), 'anthropic', adaptive)).toMatchObject({
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low' },
      })
    const kept = sent('openai-chat', round({ reasoning_content: 'Hm', reasoning_details: signed }), 'anthropic', model)
    expect(kept).toMatchObject({
      thinking: { type: 'enabled' },
      messages: [{}, { content: [{ type: 'thinking', thinking: 'Hm', signature: 's' }, { type: 'tool_use' }] }, {}],
    })
  })

  test("a thinking model other than OpenAI's gets its thoughts back while it works with tools", () => {
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
    const [question, call, result] = body.messages
    const beside = { role: 'user', content: [...(result!.content as Json[]), { type: 'text', text: 'And?' }] }
    for (const messages of [
      [...body.messages, { role: 'user', content: 'And?' }],
      [question, call, beside],
    ]) {
      const [, over] = sent('anthropic', { ...body, messages }, 'openai-chat', 'deepseek-reasoner').messages as Json[]
      expect(over).not.toHaveProperty('reasoning_content')
    }
  })
})

/** The conversation with an answer in it, as a client of the format goes on with it. */
const continued: Record<ClientFormatName, (body: Json, answer: Json) => Json> = {
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

  const signaturesIn = (request: ChatRequest) =>
    request.messages.flatMap(({ parts }) =>
      parts.flatMap(part => ('signature' in part && part.signature ? part.signature.value : [])),
    )

  test.each(callers.flatMap(caller => upstreams.map(upstream => [caller, upstream] as const)))(
    'a signature goes back to its provider alone: client %s, upstream %s',
    (caller, upstream) => {
      const answer = chatFormats[upstream].readResponse(wires[upstream].answers.thinking)!
      const written = wired(translateResponse(pairOf(caller, upstream, 'thinking'), answer))
      const body = continued[caller](wires[caller].requests.thinking, written)
      for (const next of upstreams) {
        const model = models[next]
        const seen = chatFormats[next].readRequest(sent(caller, body, next, model), { model }) as ChatRequest
        expect(signaturesIn(seen)).toEqual(next === upstream ? ['c2ln'] : [])
      }
    },
  )

  test('a redacted thought goes back to its provider alone', () => {
    const content = [
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'Hi' },
    ]
    const answer = chatFormats.anthropic.readResponse({ content, stop_reason: 'end_turn' })!
    for (const caller of callers) {
      const written = wired(translateResponse(pairOf(caller, 'anthropic', 'thinking'), answer))
      const body = continued[caller](wires[caller].requests.thinking, written)
      expect((sent(caller, body, 'anthropic', 'claude-sonnet-4-5').messages as Json[])[1]).toEqual({
        role: 'assistant',
        content,
      })
    }
  })

  test('gemini: the signature of a tool call goes before the call', () => {
    const parts = [{ functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'c2ln' }]
    const answer = chatFormats.gemini.readResponse({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    })!
    for (const caller of callers) {
      const written = wired(translateResponse(pairOf(caller, 'gemini', 'thinking'), answer))
      const body = continued[caller](wires[caller].requests.thinking, written)
      expect((sent(caller, body, 'gemini', 'gemini-3-pro').contents as Json[])[1]).toEqual({ role: 'model', parts })
    }
  })

  test('gemini: of two signatures behind a text the first is its own', () => {
    const signed = (value: string) => ({
      ...{ type: 'thinking', thinking: '' },
      signature: wrap({ owner: 'gemini', value }, 'anthropic'),
    })
    const content = [{ type: 'text', text: 'Hi' }, signed('c2ln'), signed('b3RoZXI=')]
    const messages = [...(asked({}).messages as Json[]), { role: 'assistant', content }]
    const { contents } = sent('anthropic', { model: 'm', max_tokens: 9, messages }, 'gemini', models.gemini)
    expect((contents as Json[])[1]!.parts).toEqual([{ text: 'Hi', thoughtSignature: 'c2ln' }])
  })

  test('gemini: from Gemini 3 on, an unsigned call carries the placeholder signature', () => {
    const contents = (model: string) =>
      sent('openai-chat', wires['openai-chat'].requests.tools, 'gemini', model).contents as Json[]
    const [first, second] = contents('gemini-3-pro')[1]!.parts as Json[]
    expect(first).toHaveProperty('thoughtSignature', 'skip_thought_signature_validator')
    expect(second).not.toHaveProperty('thoughtSignature')
    expect(JSON.stringify(contents('gemini-2.5-pro'))).not.toContain('thoughtSignature')
  })
})

test('a model of OpenAI’s that thinks does not tell how likely its words were', () => {
  const ask = (reasoning_effort: string) => asked({ logprobs: true, top_logprobs: 2, reasoning_effort })
  const told = (upstream: ClientFormatName, effort: string, model: string) => {
    const { logprobs, include = [] } = sent('openai-chat', ask(effort), upstream, model)
    return logprobs === true || (include as string[]).includes('message.output_text.logprobs')
  }
  for (const upstream of ['openai-chat', 'openai-responses'] as const) {
    expect(told(upstream, 'low', 'gpt-4o')).toBe(true)
    expect(told(upstream, 'low', 'gpt-5.1')).toBe(false)
    expect(told(upstream, 'none', 'gpt-5.1')).toBe(true)
  }
})

test('a model of OpenAI’s takes no sampling while it thinks, but always the seed', () => {
  const ask = (reasoning_effort: string) => asked({ temperature: 0.5, top_p: 0.5, seed: 7, reasoning_effort })
  expect(sent('openai-chat', ask('none'), 'openai-chat', 'gpt-5.1')).toMatchObject({ temperature: 0.5, seed: 7 })
  const thinking = sent('openai-chat', ask('low'), 'openai-chat', 'gpt-5.1')
  expect(thinking).toHaveProperty('seed', 7)
  expect(thinking.temperature ?? thinking.top_p).toBeUndefined()
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
