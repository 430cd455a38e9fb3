/** Traits and kinds of models, by name. */
import { expect, test } from 'bun:test'
import { effortIn } from '../../src/models/effort.ts'
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
  expect(traitsOf('claude-3-opus-20240229', 'anthropic')).toMatchObject({ thinking: undefined })
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
  const tasks = ['mj_imagine', 'swap_face', 'suno_lyrics', 'sora-2-pro', 'veo-3.1-fast', 'kling-v2-6', 'wan2.6-i2v']
  expect([...names, ...tasks, 'gemini-2.5-flash-image', 'gpt-4o'].map(kindOf)).toEqual([
    ...['rerank', 'embeddings', 'moderations', 'images', 'audio'],
    ...['drawings', 'drawings', 'music', 'videos', 'videos', 'videos', 'videos'],
    ...['chat', 'chat'],
  ] as ModelKind[])
})

const wordsOf = (model: string) => traitsOf(model, 'openai').thinking?.efforts?.join(' ')

test.each([
  ['gpt-5.1', 'none low medium high'],
  ['gpt-5.1-codex-max', 'none low medium high xhigh'],
  ['gpt-5.5-pro', 'medium high xhigh'],
  ['gpt-5.6-terra', 'none low medium high xhigh'],
  ['gpt-6-astra', 'low medium high xhigh max'],
  ['gpt-6-sol', 'none low medium high xhigh max'],
  ['gpt-6.1-sol', 'low medium high xhigh max'],
  ['gpt-7', 'low medium high xhigh max'],
  ['gpt-12.3-luna', 'none low medium high xhigh max'],
  ['gpt-daybreak-red-latest', 'low medium high xhigh max'],
  ['o7-mini', 'low medium high'],
  ['o11', 'low medium high'],
])('OpenAI: %p reasons with the efforts %p', (model, words) => {
  expect([isReasoningModel(model), wordsOf(model)]).toEqual([true, words])
  expect(traitsOf(model, 'openai').limit).toBe('max_completion_tokens')
})

test('OpenAI: newer chat models, pictures and sounds do not reason', () => {
  const others = ['gpt-7-chat-latest', 'gpt-6.2-chat', 'gpt-image-3', 'gpt-audio-2', 'gpt-realtime-3', 'gpt-oss-240b']
  expect(others.filter(isReasoningModel)).toEqual([])
})

test('OpenAI: newer professional and code models are served by Responses alone', () => {
  const models = ['gpt-7-pro', 'gpt-6.2-codex', 'o9-pro', 'gpt-6-sol', 'gpt-7']
  expect(models.filter(model => traitsOf(model, 'openai').responses_only)).toEqual(models.slice(0, 3))
})

test('OpenAI: an effort is read from the end of names that do not exist yet', () => {
  expect(effortIn('gpt-7.1-sol-xhigh')).toEqual({ model: 'gpt-7.1-sol', effort: 'xhigh' })
  expect(effortIn('gpt-6-sol-max')).toEqual({ model: 'gpt-6-sol', effort: 'max' })
  expect(effortIn('gpt-5.1-codex-max')).toEqual({ model: 'gpt-5.1-codex-max', effort: undefined })
})

test.each(['claude-opus-9', 'claude-opus-6-2', 'claude-fable-7', 'claude-mythos-preview', 'claude-opus-12-20301231'])(
  'Anthropic: %p always thinks, by effort, and is forced to no tool',
  model => {
    const traits = traitsOf(model, 'anthropic')
    expect(traits).toMatchObject({ sampling: 'none', schema: true, forces_tools: false, thinking: { can_stop: false } })
    expect(traits.thinking).not.toHaveProperty('budget')
  },
)

test.each(['claude-opus-5', 'claude-sonnet-5-5', 'claude-sonnet-9', 'claude-haiku-5-5', 'claude-haiku-11'])(
  'Anthropic: %p thinks by effort and can stop',
  model => {
    const traits = traitsOf(model, 'anthropic')
    expect(traits).toMatchObject({ sampling: 'none', forces_tools: true, thinking: { by_default: true } })
    expect(traits.thinking).not.toContainAnyKeys(['budget', 'can_stop'])
  },
)

test.each([
  ['gemini-3-pro-preview', 'low high'],
  ['gemini-3.1-pro-preview', 'low medium high'],
  ['gemini-3.5-flash-lite', 'minimal low medium high'],
  ['gemini-3.8-flash', 'low medium high'],
  ['gemini-4-argon', 'low medium high'],
  ['gemini-flash-latest', 'low medium high'],
  ['gemini-11-pro', 'low medium high'],
])('Google: %p thinks with the levels %p, and mixes tools', (model, words) => {
  const traits = traitsOf(model, 'google')
  expect(traits.thinking?.efforts?.join(' ')).toBe(words)
  expect(traits).toMatchObject({ signed_calls: true, mixes_tools: true })
})

test('newer models of other makers have the traits of the newest known', () => {
  expect(traitsOf('grok-6', 'xai')).toEqual(traitsOf('grok-4.7', 'xai'))
  expect(traitsOf('deepseek-v7-pro', 'deepseek')).toEqual(traitsOf('deepseek-v4-flash', 'deepseek'))
  expect(traitsOf('kimi-k5', 'moonshot')).toEqual(traitsOf('kimi-k3', 'moonshot'))
  expect(traitsOf('gemini-2.0-flash', 'google')).toMatchObject({ mixes_tools: false, thinking: undefined })
})
