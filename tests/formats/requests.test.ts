// @engine sqlite
/** What a target must have is supplied. */
import { describe, expect, test } from 'bun:test'
import { formats } from '../../src/formats/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user } from './support.ts'

describe('messages', () => {
  test('anthropic: messages begin with the user, alternate and are never empty', () => {
    const messages = [
      { role: 'assistant', content: 'Hello' },
      user('A'),
      user(''),
      user([
        { type: 'text', text: '' },
        { type: 'text', text: 'B' },
      ]),
      { role: 'assistant', content: null },
      { role: 'assistant', content: 'C  ' },
    ]
    expect(sent('openai-chat', chat(messages), 'anthropic').messages).toEqual([
      { role: 'user', content: '...' },
      { role: 'assistant', content: 'Hello' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
      { role: 'assistant', content: 'C' },
    ])
    expect(sent('openai-chat', chat(messages), 'gemini').contents).toEqual([
      { role: 'user', parts: [{ text: '...' }] },
      { role: 'model', parts: [{ text: 'Hello' }] },
      { role: 'user', parts: [{ text: 'A' }, { text: 'B' }] },
      { role: 'model', parts: [{ text: 'C  ' }] },
    ])
  })

  test('instructions from the middle stand in front where there is no other place', () => {
    const messages = [{ role: 'system', content: 'One' }, user('A'), { role: 'developer', content: 'Two' }, user('B')]
    expect(sent('openai-chat', chat(messages), 'anthropic')).toMatchObject({
      system: [{ text: 'One' }, { text: 'Two' }],
      messages: [{ role: 'user', content: [{ text: 'A' }, { text: 'B' }] }],
    })
    expect(sent('openai-chat', chat(messages), 'gemini').systemInstruction).toEqual({
      parts: [{ text: 'One' }, { text: 'Two' }],
    })
    expect(sent('openai-chat', chat(messages), 'openai-responses')).toMatchObject({
      instructions: 'One',
      input: [{ role: 'user' }, { role: 'system' }, { role: 'user' }],
    })
  })

  test('an instruction of Anthropic’s callers may stand in the middle too', () => {
    const messages = [user('A'), { role: 'system', content: 'Be brief' }, user('B')]
    expect(sent('anthropic', { model: 'm', max_tokens: 9, messages }, 'openai-chat').messages).toEqual(messages)
  })

  test('a model without a system role gets the instructions as first message', () => {
    const messages = [{ role: 'system', content: 'One' }, user('A')]
    expect(sent('openai-chat', chat(messages), 'gemini', 'gemma-3-27b-it')).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'One' }, { text: 'A' }] }],
    })
  })
})

test('openai: a long user id becomes a short one, always the same', () => {
  const ask = (user_id: string) => ({ model: 'm', max_tokens: 9, messages: [user('Hi')], metadata: { user_id } })
  const long = `user_${'x'.repeat(90)}`
  for (const upstream of ['openai-chat', 'openai-responses'] as const) {
    expect(sent('anthropic', ask('ann'), upstream).user).toBe('ann')
    const { user } = sent('anthropic', ask(long), upstream)
    expect(user).toMatch(/^\w{64}$/)
    expect(sent('anthropic', ask(long), upstream).user).toBe(user as string)
    expect(sent('anthropic', ask(`${long}y`), upstream).user).not.toBe(user as string)
  }
})

describe('a strict tool', () => {
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 } },
    required: ['city'],
    additionalProperties: false,
  }
  const tools = [{ type: 'function', function: { name: 'f', strict: true, parameters } }]
  const tool = (model: string) =>
    (sent('openai-chat', chat([user('Hi')], { tools }), 'anthropic', model).tools as Json[])[0]

  test('anthropic: a strict tool is strict where the model can, without refused keywords', () => {
    const { minLength: _, ...city } = parameters.properties.city
    expect(tool('claude-sonnet-4-5')).toEqual({
      name: 'f',
      strict: true,
      input_schema: { ...parameters, properties: { city } },
    })
    expect(tool('claude-3-7-sonnet-20250219')).toEqual({ name: 'f', input_schema: parameters })
  })
})

describe('tools', () => {
  const tools = ['a', 'b'].map(name => ({ type: 'function', function: { name } }))

  test('tools: an empty list and its tool choice are not sent', () => {
    for (const upstream of formats) {
      const body = sent('openai-chat', chat([user('Hi')], { tools: [], tool_choice: 'auto' }), upstream)
      expect(Object.keys(body).filter(key => /tool/i.test(key))).toEqual([])
    }
  })

  test('max_tokens of zero is no limit', () => {
    expect(sent('openai-chat', chat([user('Hi')], { max_tokens: 0 }), 'gemini')).not.toHaveProperty('generationConfig')
    expect(sent('openai-chat', chat([user('Hi')], { max_tokens: 0 }), 'anthropic').max_tokens).toBe(8192)
  })

  test('tools: parallel_tool_calls false is kept in every format', () => {
    const rest = { tools, parallel_tool_calls: false }
    expect(sent('openai-chat', chat([user('Hi')], rest), 'anthropic').tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    })
    expect(sent('openai-chat', chat([user('Hi')], rest), 'openai-responses').parallel_tool_calls).toBe(false)
  })

  test('tools: a named tool and allowed tools are kept', () => {
    const named = { tools, tool_choice: { type: 'function', function: { name: 'b' } } }
    const some = {
      tools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'b' } }] },
      },
    }
    expect(sent('openai-chat', chat([user('Hi')], named), 'gemini').toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['b'] },
    })
    expect(sent('openai-chat', chat([user('Hi')], named), 'openai-responses').tool_choice).toEqual({
      type: 'function',
      name: 'b',
    })
    expect(sent('openai-chat', chat([user('Hi')], some), 'openai-chat', 'gpt-5').tool_choice).toEqual(some.tool_choice)
    expect(sent('openai-chat', chat([user('Hi')], some), 'openai-chat', 'qwen3')).toMatchObject({
      tools: [{ function: { name: 'b' } }],
      tool_choice: 'required',
    })
    expect(sent('openai-chat', chat([user('Hi')], some), 'anthropic')).toMatchObject({
      tools: [{ name: 'b' }],
      tool_choice: { type: 'any' },
    })
  })
})
