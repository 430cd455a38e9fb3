// @engine sqlite
/** What models' names and the operator's settings put into requests, format by format. */
import { describe, expect, test } from 'bun:test'
import { applyModelSettings as toAnthropic } from '../../src/formats/anthropic/model-settings.ts'
import { applyModelSettings as toGemini } from '../../src/formats/gemini/model-settings.ts'
import { applyModelSettings as toChat } from '../../src/formats/openai-chat/model-settings.ts'
import { applyModelSettings as toResponses } from '../../src/formats/openai-responses/model-settings.ts'
import type { ModelSettings } from '../../src/formats/translate/model-settings.ts'

const settings: ModelSettings = {
  requested_model: 'asked',
  requested_output: 100,
  claude: { thinking: { enabled: true, share: 0.8 }, max_tokens: { default: 8192, 'claude-x': 500 }, headers: {} },
  gemini: {
    thinking: { enabled: true, share: 0.6 },
    budgeted: ['gemini-2.0-own'],
    safety: {},
    versions: { default: 'v1beta', 'gemini-old': 'v1' },
    imagining: ['gemini-draws'],
  },
}

describe('OpenAI', () => {
  const messages = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'hi' },
  ]
  const chat = (model: string, fields = {}) => toChat({ model, body: { model, messages, ...fields } }, settings)

  test.each([
    ['o3-mini-high', 'o3-mini', 'high'],
    ['o1-low', 'o1', 'low'],
    ['o4-mini-medium', 'o4-mini', 'medium'],
    ['gpt-5-minimal', 'gpt-5', 'minimal'],
    ['gpt-5.1-none', 'gpt-5.1', 'none'],
    ['gpt-5.2-codex-xhigh', 'gpt-5.2-codex', 'xhigh'],
  ])('openai: the model name %s means %s with effort %s', (name, model, effort) => {
    expect(chat(name, { reasoning_effort: 'low' })).toMatchObject({ model, body: { model, reasoning_effort: effort } })
    const input = 'hi'
    expect(toResponses({ model: name, body: { model: name, input } }, settings)).toEqual({
      model,
      body: { model, input, reasoning: { effort } },
    })
    const reasoning = { effort: 'low', summary: 'auto' }
    expect(toResponses({ model: name, body: { model: name, reasoning } }, settings).body.reasoning).toEqual({
      effort,
      summary: 'auto',
    })
  })

  test.each(['gpt-4o', 'gpt-4o-high', 'my-o3-high', 'gpt-4.1-mini', 'claude-high'])(
    'openai: the model name %s has no effort suffix',
    model => {
      const out = { model, body: { model, messages, max_tokens: 5, temperature: 0 } }
      expect(toChat(out, settings)).toBe(out)
      expect(toResponses(out, settings)).toBe(out)
    },
  )

  test('reasoning models take their limit by another name, no temperature, and instructions from a developer', () => {
    expect(chat('o3', { max_tokens: 9, temperature: 0, seed: 0 }).body).toEqual({
      model: 'o3',
      max_completion_tokens: 9,
      seed: 0,
      messages: [
        { role: 'developer', content: 'be brief' },
        { role: 'user', content: 'hi' },
      ],
    })
    expect(chat('o3', { max_tokens: 9, max_completion_tokens: 7 }).body.max_completion_tokens).toBe(7)
    expect(chat('o1-mini').body.messages).toEqual([{ role: 'user', content: 'be brief' }, messages[1]])
    expect(chat('gpt-5', { max_tokens: 9, temperature: 1, top_p: 0 }).body).toEqual({
      model: 'gpt-5',
      max_completion_tokens: 9,
      messages,
    })
    expect(chat('gpt-5.1-none', { temperature: 1 }).body).toMatchObject({ temperature: 1 })
    expect(chat('gpt-5.1-low', { temperature: 1 }).body).not.toHaveProperty('temperature')
    expect(chat('gpt-5-chat-latest', { max_tokens: 9 }).body.max_tokens).toBe(9)
    const respond = (model: string, fields: object) =>
      toResponses({ model, body: { model, input: 'hi', ...fields } }, settings)
    expect(respond('o3-pro', { temperature: 1, top_p: 1 }).body).toEqual({ model: 'o3-pro', input: 'hi' })
    expect(respond('gpt-5.1', { temperature: 0, reasoning: { effort: 'none' } }).body).toMatchObject({ temperature: 0 })
    expect(respond('gpt-5.1-codex', { temperature: 0, reasoning: { effort: 'low' } }).body).not.toHaveProperty(
      'temperature',
    )
    expect(respond('gpt-4o', { temperature: 0 }).body).toMatchObject({ temperature: 0 })
  })
})

describe('Anthropic', () => {
  const say = (model: string, fields: object = {}, changed: Partial<ModelSettings> = {}) =>
    toAnthropic({ model, body: { model, max_tokens: 100, messages: [], ...fields } }, { ...settings, ...changed })

  test('anthropic: a name ending in -thinking gets a budget from its share of the limit, and no sampling', () => {
    const { model, body } = say('claude-y-thinking', { max_tokens: 10_000, temperature: 0.2, top_p: 0.9, top_k: 3 })
    expect(model).toBe('claude-y')
    expect(body).toEqual({
      model: 'claude-y',
      messages: [],
      max_tokens: 10_000,
      thinking: { type: 'enabled', budget_tokens: 8000 },
    })
    expect(say('claude-y-thinking').body).toMatchObject({ max_tokens: 1280, thinking: { budget_tokens: 1024 } })
  })

  test('anthropic: thinking in the body overrides the name; a forced tool call turns it off', () => {
    const thinking = { type: 'disabled' }
    expect(say('claude-y-thinking', { thinking }).body).toMatchObject({ model: 'claude-y', thinking })
    const forced = say('claude-y-thinking', { tool_choice: { type: 'any' }, temperature: 0 }).body
    expect(forced).toEqual({
      model: 'claude-y',
      max_tokens: 100,
      messages: [],
      tool_choice: { type: 'any' },
      temperature: 0,
    })
  })

  test('anthropic: newer models get adaptive thinking, older ones none', () => {
    expect(say('claude-opus-4-8-thinking').body).toMatchObject({ max_tokens: 100, thinking: { type: 'adaptive' } })
    expect(say('claude-3-haiku-20240307-thinking').body).toEqual({
      model: 'claude-3-haiku-20240307',
      max_tokens: 100,
      messages: [],
    })
  })

  test('anthropic: no thinking is added while the adapter is off', () => {
    const claude = { ...settings.claude, thinking: { enabled: false, share: 0.8 } }
    expect(say('claude-y-thinking', {}, { claude })).toMatchObject({ model: 'claude-y-thinking' })
  })

  test('anthropic: default max_tokens applies when the client sets none, plus the thinking budget', () => {
    const limit = (model: string, fields = {}) => say(model, fields, { requested_output: undefined }).body.max_tokens
    expect(limit('claude-x')).toBe(500)
    expect(limit('claude-y')).toBe(8192)
    const free = { claude: { ...settings.claude, max_tokens: { 'claude-haiku-4-5': 70_000 } } }
    const own = (model: string, fields = {}) =>
      say(model, fields, { requested_output: undefined, ...free }).body.max_tokens
    expect(own('claude-3-7-sonnet-20250219')).toBe(64_000)
    expect(own('claude-opus-9')).toBe(128_000)
    expect(own('claude-opus-9', { thinking: { type: 'enabled', budget_tokens: 2000 } })).toBe(128_000)
    expect(own('claude-haiku-4-5')).toBe(70_000)
    expect(limit('claude-3-haiku-20240307')).toBe(4096)
    expect(limit('claude-3-5-haiku-20241022')).toBe(8192)
    expect(limit('claude-y', { thinking: { type: 'enabled', budget_tokens: 2000 } })).toBe(10_192)
    expect(limit('claude-x-thinking')).toBe(1280)
    expect(say('claude-x').body.max_tokens).toBe(100)
  })

  test('anthropic: extra headers follow the requested model name', () => {
    const headers = { asked: { 'anthropic-beta': ['a-2025', 'b-2025'], 'x-team': ['blue'] } }
    expect(say('claude-y', {}, { claude: { ...settings.claude, headers } }).headers).toEqual({
      'anthropic-beta': 'a-2025,b-2025',
      'x-team': 'blue',
    })
    expect(say('claude-y').headers).toBeUndefined()
  })
})

describe('Gemini', () => {
  const say = (model: string, fields: object = {}, gemini: Partial<ModelSettings['gemini']> = {}) =>
    toGemini({ model, body: { contents: [], ...fields } }, { ...settings, gemini: { ...settings.gemini, ...gemini } })
  const thinkingOf = (model: string, config?: object) => {
    const out = say(model, config ? { generationConfig: config } : {})
    return [out.model, (out.body.generationConfig as any)?.thinkingConfig]
  }

  test('gemini: the suffixes -thinking, -thinking-N and -nothinking set the budget', () => {
    expect(thinkingOf('gemini-2.5-flash-thinking', { maxOutputTokens: 1000, topP: 0 })).toEqual([
      'gemini-2.5-flash',
      { includeThoughts: true, thinkingBudget: 600 },
    ])
    expect(thinkingOf('gemini-2.5-flash-thinking')).toEqual(['gemini-2.5-flash', { includeThoughts: true }])
    expect(thinkingOf('gemini-2.5-flash-thinking-2048')).toEqual([
      'gemini-2.5-flash',
      { includeThoughts: true, thinkingBudget: 2048 },
    ])
    expect(thinkingOf('gemini-2.5-flash-nothinking')).toEqual([
      'gemini-2.5-flash',
      { includeThoughts: false, thinkingBudget: 0 },
    ])
    expect(thinkingOf('gemini-2.0-flash-thinking-exp')).toEqual(['gemini-2.0-flash-thinking-exp', undefined])
  })

  test("gemini: each model gets a budget in its range, a level, nothing, or the operator's setting", () => {
    expect(thinkingOf('gemini-2.5-pro-nothinking')[1]).toEqual({ includeThoughts: false, thinkingBudget: 128 })
    expect(thinkingOf('gemini-2.5-flash-lite-thinking-1')[1]).toEqual({ includeThoughts: true, thinkingBudget: 512 })
    expect(thinkingOf('gemini-2.5-flash-thinking-99999')[1]).toMatchObject({ thinkingBudget: 24_576 })
    expect(thinkingOf('gemini-3-pro-thinking-512')[1]).toEqual({ includeThoughts: true, thinkingLevel: 'low' })
    expect(thinkingOf('gemini-3-flash-nothinking')[1]).toEqual({ includeThoughts: false, thinkingLevel: 'minimal' })
    expect(thinkingOf('gemini-2.0-flash-thinking-512')).toEqual(['gemini-2.0-flash', undefined])
    expect(thinkingOf('gemini-2.0-own-thinking-7')[1]).toEqual({ includeThoughts: true, thinkingBudget: 7 })
  })

  test('gemini: thinking in the body overrides the name', () => {
    const thinkingConfig = { thinkingBudget: 1 }
    expect(thinkingOf('gemini-2.5-flash-thinking', { thinkingConfig })).toEqual(['gemini-2.5-flash', thinkingConfig])
    const snake = say('gemini-2.5-flash-thinking', { generation_config: { thinking_config: { thinking_budget: 1 } } })
    expect(snake.body).toEqual({ contents: [], generation_config: { thinking_config: { thinking_budget: 1 } } })
  })

  test('gemini: no thinking is added while the adapter is off', () => {
    const out = say('gemini-2.5-flash-thinking', {}, { thinking: { enabled: false, share: 0.6 } })
    expect(out).toEqual({ model: 'gemini-2.5-flash-thinking', version: 'v1beta', body: { contents: [] } })
  })

  test('gemini: safety thresholds fill the categories that the client leaves out', () => {
    const category = 'HARM_CATEGORY_HARASSMENT'
    const mine = { category, threshold: 'BLOCK_LOW_AND_ABOVE' }
    const safety = { default: 'OFF', HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE' }
    for (const name of ['safetySettings', 'safety_settings']) {
      const { body } = say('gemini', { [name]: [mine] }, { safety })
      expect(body[name]).toEqual([
        mine,
        { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' },
        { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'OFF' },
        { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'OFF' },
        { category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'OFF' },
      ])
    }
    expect(say('gemini').body).toEqual({ contents: [] })
  })

  test('gemini: image models get response modalities, and models their API version', () => {
    expect(say('gemini-draws').body.generationConfig).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
    const generationConfig = { responseModalities: ['TEXT'] }
    expect(say('gemini-draws', { generationConfig }).body.generationConfig).toBe(generationConfig)
    expect([say('gemini-old').version, say('gemini-draws').version]).toEqual(['v1', 'v1beta'])
  })
})
