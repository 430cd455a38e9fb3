// @engine sqlite
/** How hard to think, in the words and numbers that each model takes. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../src/pure/json.ts'
import { sent } from './support.ts'

const asked = (rest: Json): Json => ({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...rest })
const toGemini = (rest: Json, model: string) =>
  (sent('openai-chat', asked(rest), 'gemini', model).generationConfig as Json | undefined)?.thinkingConfig
const toAnthropic = (rest: Json, model: string) => {
  const { max_tokens, thinking, output_config, temperature } = sent('openai-chat', asked(rest), 'anthropic', model)
  return { max_tokens, thinking, output_config, temperature }
}

describe('an effort', () => {
  test.each([
    ['claude-sonnet-4-5', 'low', { max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-sonnet-4-5', 'high', { max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 24_576 } }],
    ['claude-sonnet-4-5', 'none', { max_tokens: 64_000, thinking: { type: 'disabled' } }],
    ['claude-3-5-haiku-20241022', 'high', { max_tokens: 8192 }],
    ['claude-3-opus-20240229', 'high', { max_tokens: 4096 }],
    [
      'claude-opus-4-7',
      'xhigh',
      { max_tokens: 128_000, thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
    ],
    ['claude-opus-5', 'minimal', { max_tokens: 128_000, thinking: { type: 'disabled' } }],
  ])('effort: the request to %s carries %s', (model, reasoning_effort, expected) => {
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
  ])('effort: the request to %s carries the level %s', (model, reasoning_effort, expected) => {
    expect(toGemini({ reasoning_effort }, model)).toEqual(expected)
  })

  test.each([
    [0, 'none'],
    [512, 'low'],
    [1024, 'low'],
    [8192, 'medium'],
    [8193, 'high'],
  ])('effort: a budget of %i tokens is read as a level', (thinkingBudget, effort) => {
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
  ])("effort: OpenRouter's reasoning field %j is read", (reasoning, thinking) => {
    const { thinking: written } = toAnthropic({ reasoning }, 'claude-sonnet-4-5')
    expect(written).toEqual(thinking ? { type: 'enabled', ...thinking } : { type: 'disabled' })
  })

  test('effort: excluded thinking is not shown', () => {
    const reasoning = { effort: 'low', exclude: true }
    expect(toGemini({ reasoning }, 'gemini-2.5-flash')).toEqual({ includeThoughts: false, thinkingBudget: 1024 })
  })

  test('effort: an open level is left to the model', () => {
    const thinkingConfig = { thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED', includeThoughts: true }
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { thinkingConfig } }
    expect(sent('gemini', body, 'openai-chat', 'gpt-5')).not.toHaveProperty('reasoning_effort')
  })

  test('effort: adaptive thinking is left to the model', () => {
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
