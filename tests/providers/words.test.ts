// @engine sqlite
/** What words, numbers and names mean at each type: why it fails, why an answer ends, what a model takes. */
import { describe, expect, test } from 'bun:test'
import { type Operation, providerOf, requestFor } from '../../src/providers/index.ts'

type Json = Record<string, any>

const messages = [{ role: 'user', content: 'hi' }]
const sent = (type: number, body: Json, operation: Operation = 'chat'): Json => {
  const model = body.model ?? 'm'
  return JSON.parse(String(requestFor({ type, base_url: '', key: 'k' }, operation, model, { ...body, model })!.body))
}
const told = (type: number, answer: Json, operation: Operation = 'chat'): Json =>
  providerOf(type)!.apis[operation]!.rewriteResponse!(answer, {})

describe('an error', () => {
  const meant: [type: number, error: (code: number) => Json, kinds: Record<string, number[]>][] = [
    [
      35,
      status_code => ({ base_resp: { status_code, status_msg: 'No' } }),
      {
        rate_limit_error: [1002, 1039, 1041, 2056],
        authentication_error: [1004, 2049],
        insufficient_quota: [1008],
        invalid_request_error: [1026, 1027, 1042, 2013],
        server_error: [1000, 10080],
      },
    ],
    [
      26,
      code => ({ error: { code: String(code), message: 'No' } }),
      { authentication_error: [1000, 1001, 1002, 1003, 1004, 1112], insufficient_quota: [1113] },
    ],
    [
      40,
      code => ({ code, message: 'No' }),
      { not_found_error: [20012], insufficient_quota: [30001], overloaded_error: [50505] },
    ],
    [20, code => ({ error: { code, message: 'No' } }), { insufficient_quota: [402] }],
  ]
  test.each(meant)('of type %i is known by its number', (type, error, kinds) => {
    for (const [kind, codes] of Object.entries(kinds))
      for (const code of codes) expect(told(type, error(code)), String(code)).toMatchObject({ error: { type: kind } })
  })

  test('of xAI’s is about money where it says so', () => {
    const kind = (error: string) => told(48, { error, code: 'x' }).error.type
    expect(['Your credits are used up', 'No credit left', 'Be accredited'].map(kind)).toEqual([
      'insufficient_quota',
      'insufficient_quota',
      '',
    ])
  })

  test('is none where all went well', () => {
    const answer = { base_resp: { status_code: 0 }, choices: [] }
    expect(told(35, answer)).toBe(answer)
  })
})

test('Zhipu’s and Mistral’s own reasons to end are told as OpenAI’s', () => {
  const ended = (type: number, finish_reason: string) =>
    told(type, { choices: [{ finish_reason }] }).choices[0].finish_reason
  expect(['sensitive', 'model_context_window_exceeded', 'network_error', 'stop'].map(word => ended(26, word))).toEqual([
    'content_filter',
    'length',
    'stop',
    'stop',
  ])
  expect(ended(42, 'model_length')).toBe('length')
})

describe('a model', () => {
  const draws = { temperature: 0.5, stop: 'x', presence_penalty: 1, frequency_penalty: 1, reasoning_effort: 'low' }
  const asked = (type: number, model: string, rest: Json = draws) => {
    const { messages: _, ...body } = sent(type, { model, messages, ...rest })
    return body
  }

  test('of xAI’s that thinks stops nowhere, and most of them decide how hard', () => {
    const { reasoning_effort, ...sampling } = draws
    expect(asked(48, 'grok-3')).toEqual({ model: 'grok-3', ...draws })
    expect(asked(48, 'grok-3-mini')).toEqual({ model: 'grok-3-mini', temperature: 0.5, reasoning_effort })
    expect(asked(48, 'grok-4')).toEqual({ model: 'grok-4', temperature: 0.5 })
    expect(asked(48, 'grok-4.20-reasoning')).toEqual({ model: 'grok-4.20-reasoning', temperature: 0.5 })
    const restful = 'grok-4.20-non-reasoning'
    expect(asked(48, restful)).toEqual({ model: restful, ...sampling })
    expect(asked(48, 'grok-3-mini-high', { reasoning_effort })).toEqual({ model: 'grok-3-mini', reasoning_effort })
    expect(asked(48, 'grok-3-mini-high', { max_tokens: 9 })).toEqual({
      model: 'grok-3-mini',
      reasoning_effort: 'high',
      max_completion_tokens: 9,
    })
    expect(asked(48, 'grok-3-search', {})).toEqual({ model: 'grok-3', search_parameters: { mode: 'on' } })
  })

  test('of Moonshot’s takes a temperature where it is told not to think', () => {
    const heat = (model: string, thinking?: Json) => asked(25, model, { temperature: 0.5, thinking }).temperature
    expect([heat('kimi-k2-thinking'), heat('kimi-k2')]).toEqual([undefined, 0.5])
    expect(heat('kimi-k2-thinking', { type: 'disabled' })).toBe(0.5)
    expect(heat('kimi-k2', { type: 'enabled' })).toBeUndefined()
  })

  test('of Zhipu’s draws below 1, and not at all at no heat', () => {
    expect(asked(26, 'glm-4', { top_p: 1 })).toEqual({ model: 'glm-4', top_p: 0.99 })
    expect(asked(26, 'glm-4', { top_p: 0.5, temperature: 0 })).toEqual({ model: 'glm-4', top_p: 0.5, do_sample: false })
  })

  test('of Mistral’s is told what it knows, under its own names', () => {
    const known = { reasoning_effort: 'low', n: 2, prompt_mode: 'reasoning', safe_prompt: true }
    expect(asked(42, 'm', { ...known, seed: 0, user: 'ann', logit_bias: {} })).toEqual({
      model: 'm',
      ...known,
      random_seed: 0,
    })
    const vectors = { model: 'codestral-embed', input: 'a' }
    expect(sent(42, { ...vectors, dimensions: 8, encoding_format: 'base64' }, 'embeddings')).toEqual({
      ...vectors,
      encoding_format: 'float',
      output_dimension: 8,
    })
  })

  test('of Ollama’s has what does not concern the words among its options', () => {
    const options = { seed: 1, num_ctx: 2, top_k: 3 }
    const rest = { dimensions: 8, truncate: true, keep_alive: '5m' }
    expect(sent(4, { model: 'm', input: 'a', ...options, ...rest, user: 'ann' }, 'embeddings')).toEqual({
      ...{ model: 'm', input: ['a'] },
      ...rest,
      options,
    })
  })

  test('of MiniMax’s draws in the shape that was asked for', () => {
    const sizes = {
      '1024x1024': '1:1',
      '1792x1024': '16:9',
      '1024x1792': '9:16',
      '1536x1024': '3:2',
      '1024x1536': '2:3',
    }
    for (const [size, aspect_ratio] of Object.entries(sizes))
      expect(sent(35, { model: 'image-01', prompt: 'x', size, n: 2 }, 'image_generations')).toEqual({
        ...{ model: 'image-01', prompt: 'x', n: 2, aspect_ratio },
        response_format: 'url',
      })
  })
})
