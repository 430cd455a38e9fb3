/** Traits and kinds of models, by name. */
import { expect, test } from 'bun:test'
import { kindOf, type ModelKind } from '../../src/models/kinds.ts'
import { effortFor, isReasoningModel, takesSampling, traitsOf } from '../../src/models/traits.ts'

test('OpenAI: o-series and GPT-5 think, their chat models do not', () => {
  expect(['o3', 'gpt-5.1', 'gpt-5-chat-latest', 'gpt-4o', 'openai/gpt-5'].map(isReasoningModel)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('OpenAI: an effort becomes the nearest that the model accepts', () => {
  expect(effortFor('o3', { effort: 'minimal' })).toBe('low')
  expect(effortFor('gpt-5-pro', { effort: 'none' })).toBe('high')
  expect(effortFor('gpt-5.2', { effort: 'max' })).toBe('xhigh')
  expect(effortFor('gpt-4o', { effort: 'low' })).toBeUndefined()
  expect(effortFor('model-of-another-maker', { effort: 'max' })).toBe('max')
})

test('OpenAI: sampling is accepted by GPT-5.1 and later while thinking is off', () => {
  expect(takesSampling('gpt-5.1', { effort: 'none' })).toBe(true)
  expect(takesSampling('gpt-5.1', { effort: 'low' })).toBe(false)
  expect(takesSampling('gpt-5', { effort: 'none' })).toBe(false)
})

test('Anthropic: a date in the name is no minor version', () => {
  const dated = traitsOf('claude-opus-4-20250514', 'anthropic')
  expect(dated).toMatchObject({ schema: false, sampling: 'all', thinking: { budget: { min: 1024 } } })
  expect(traitsOf('anthropic/claude-opus-4.1', 'anthropic')).toMatchObject({ schema: true, strict_tools: true })
  expect(traitsOf('claude-3-opus-20240229', 'anthropic')).toMatchObject({ max_output: 4096, thinking: undefined })
  expect(traitsOf('claude-opus-4-7', 'anthropic').thinking).not.toHaveProperty('budget')
})

test('Google: Gemini 2.5 thinks by budget, Gemini 3 by effort', () => {
  expect(traitsOf('gemini-2.5-flash', 'google').thinking).toEqual({ budget: { min: 1, max: 24_576 }, can_stop: true })
  expect(traitsOf('gemini-3-pro-preview', 'google').thinking).toEqual({ efforts: ['low', 'high'] })
  expect(traitsOf('gemini-2.5-flash-image', 'google')).toMatchObject({ thinking: undefined, output: 'image' })
})

test('models of other makers have the defaults of the format’s maker', () => {
  expect(traitsOf('gpt-5', 'anthropic')).toEqual(traitsOf('llama-3', 'anthropic'))
  expect(traitsOf('claude-opus-4-7', 'google')).toEqual(traitsOf('llama-3', 'google'))
})

test('the name tells what a model is for', () => {
  const names = ['bge-reranker-v2-m3', 'text-embedding-3-small', 'omni-moderation-latest', 'dall-e-3', 'whisper-1']
  expect([...names, 'gemini-2.5-flash-image', 'gpt-4o'].map(kindOf)).toEqual([
    ...['rerank', 'embeddings', 'moderations', 'images', 'audio'],
    ...['chat', 'chat'],
  ] as ModelKind[])
})
