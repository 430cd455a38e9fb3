// @engine sqlite
/** Quirks by channel type that its recorded calls do not show: requests, responses and events. */
import { describe, expect, test } from 'bun:test'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import type { ClientFormat } from '../../src/formats/format.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { type ModelSettings, type Operation, pickApi, providerOf } from '../../src/providers/index.ts'
import { requestFor, type TypedCall } from '../support/upstream/request.ts'

type Json = Record<string, any>

const messages = [{ role: 'user', content: 'hi' }]
const callOf = (type: number, fields: object = {}): TypedCall => ({ type, base_url: '', key: 'sk-1', ...fields })
const sent = (channel: TypedCall, body: Json, operation: Operation = 'chat'): Json =>
  JSON.parse(String(requestFor(channel, operation, body.model ?? 'm', { model: 'm', ...body })!.body))
const response = (type: number, body: Json, operation: Operation = 'chat', request: Json = {}): Json =>
  providerOf(type)!.apis[operation]!.rewriteResponse!(body, request)
const event = (type: number, body: Json, operation: Operation = 'chat') =>
  providerOf(type)!.apis[operation]!.rewriteEvent!(body)

describe('chat requests', () => {
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
  const round = [
    ...messages,
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: '' },
  ]
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const unknownTool = { type: 'function', function: { name: 'g' } }

  test('types without max_completion_tokens: max_tokens stays when a request has both', () => {
    const body = { messages, max_completion_tokens: 5, max_tokens: 9 }
    for (const type of [4, 19, 26, 31, 40, 42, 43]) {
      expect(sent(callOf(type), body), String(type)).toEqual({ model: 'm', messages, max_tokens: 9 })
      expect(sent(callOf(type), { messages, max_completion_tokens: 5 }).max_tokens, String(type)).toBe(5)
    }
    expect(sent(callOf(45), body)).toEqual({ model: 'm', messages, max_completion_tokens: 5 })
  })

  test('DeepSeek: a tool call has reasoning_content only while the model thinks', () => {
    const thought = (rest: Json) => sent(callOf(43), { messages: round, ...rest }).messages[1].reasoning_content
    expect(thought({ model: 'deepseek-chat' })).toBeUndefined()
    expect(thought({ model: 'deepseek-reasoner' })).toBe('')
    expect(thought({ model: 'deepseek-chat', thinking: { type: 'enabled' } })).toBe('')
    expect(thought({ model: 'deepseek-v9-pro' })).toBe('')
    expect(thought({ model: 'deepseek-v9-pro', thinking: { type: 'disabled' } })).toBeUndefined()
  })

  test('Azure: API versions from 2024-09 have stream_options, and the role developer stays', () => {
    const body = { messages: [{ role: 'developer', content: 'Be brief' }, ...messages], stream: true }
    const at = (other: string, operation: Operation, request: Json) =>
      sent(callOf(3, { base_url: 'https://a.example', other }), request, operation)
    const usageWish = { stream_options: { include_usage: true } }
    expect(at('2024-09-01-preview', 'chat', body)).toEqual({ model: 'm', ...body, ...usageWish })
    expect(at('2024-08-01-preview', 'chat', body)).toEqual({ model: 'm', ...body })
    const completion = { prompt: 'hi', stream: true }
    expect(at('2024-08-01-preview', 'completions', completion)).toEqual({ model: 'm', ...completion })
  })

  test('Mistral and Zhipu: a named tool that does not exist leaves the tools as they are', () => {
    const body = { messages, tools, tool_choice: unknownTool }
    expect(sent(callOf(42), body)).toEqual({ model: 'm', ...body })
    expect(sent(callOf(26), body)).toEqual({ model: 'm', messages, tools, tool_choice: 'auto' })
  })

  test('Ark: several inputs of a vision model pass unchanged', () => {
    const body = { model: 'doubao-embedding-vision', input: ['a', 'b'] }
    expect(sent(callOf(45), body, 'embeddings')).toEqual(body)
  })

  test('Anthropic: a request has the channel’s param_override and the headers of the model settings', () => {
    const settings: ModelSettings = {
      ...{ requested_model: 'm', requested_output: 9 },
      claude: {
        thinking: { enabled: false, share: 0.8 },
        max_tokens: { default: 9 },
        headers: { m: { 'anthropic-beta': ['a', 'b'] } },
      },
      gemini: { thinking: { enabled: false, share: 0.6 }, budgeted: [], safety: {}, versions: {}, imagining: [] },
    }
    const body = { model: 'm', messages, max_tokens: 9, top_k: 5 }
    const channel = callOf(14, { settings, param_override: { top_k: 0 } })
    const request = requestFor(channel, 'chat', 'm', body)!
    expect(JSON.parse(String(request.body))).toEqual({ ...body, top_k: 0 })
    expect(request.headers).toMatchObject({ 'anthropic-beta': 'a,b', 'x-api-key': 'sk-1' })
  })
})

describe('other requests', () => {
  test('Gemini: an image size becomes an aspect ratio', () => {
    const ofGemini = (size: string) =>
      sent(callOf(24), { model: 'gemini-2.5-flash-image', prompt: 'x', size }, 'image_generations').generationConfig
        .imageConfig
    const ofImagen = (size: string) =>
      sent(callOf(24), { model: 'imagen-4', prompt: 'x', size }, 'image_generations').parameters.aspectRatio
    const sizes = ['1024x1024', '1024x1792', '1792x1024', '1536x1024', '1024x1536', 'auto']
    const ratios = ['1:1', '9:16', '16:9', '3:2', '2:3']
    expect(sizes.map(ofGemini)).toEqual([...ratios.map(aspectRatio => ({ aspectRatio })), undefined])
    expect(sizes.map(ofImagen)).toEqual(['1:1', '9:16', '16:9', '4:3', '3:4', '1:1'])
  })

  test('SiliconCloud: fill-in-the-middle has messages, and image fields have the provider’s names', () => {
    const emptyMessages = [{ role: 'user', content: '' }]
    for (const gap of [{ suffix: 'b' }, { prefix: 'a' }])
      expect(sent(callOf(40), { prompt: 'a', ...gap }, 'completions').messages).toEqual(emptyMessages)
    expect(sent(callOf(40), { prompt: 'a' }, 'completions')).not.toHaveProperty('messages')
    const picture = { prompt: 'x', size: '1024x1024', n: 2 }
    expect(sent(callOf(40), picture, 'image_generations')).toEqual({
      ...{ model: 'm', prompt: 'x', image_size: '1024x1024', batch_size: 2 },
    })
  })

  test('xAI: an image request has no size, quality or style', () => {
    const picture = { prompt: 'x', size: '1024x1024', quality: 'hd', style: 'vivid', n: 2 }
    expect(sent(callOf(48), picture, 'image_generations')).toEqual({ model: 'm', prompt: 'x', n: 2 })
  })

  test('Qianfan: the key’s second part is the header appid, and web_search of the client stays', () => {
    const { headers } = requestFor(callOf(46, { key: 'bce-v3/x|app-1' }), 'chat', 'm', { model: 'm', messages })!
    expect(headers).toMatchObject({ authorization: 'Bearer bce-v3/x', appid: 'app-1' })
    const own = { enable: false }
    expect(sent(callOf(46), { model: 'ernie-search', messages, web_search: own })).toEqual({
      ...{ model: 'ernie', messages, web_search: own },
    })
  })

  test('DeepSeek: Anthropic’s clients get the Anthropic API for the models that it serves', () => {
    const deepSeek = providerOf(43)!
    const pick = (model: string, client: ClientFormat) =>
      pickApi(deepSeek, { operation: 'chat', model, client, config: callOf(43) })
    expect(pick('deepseek-chat', anthropic)).toBe(deepSeek.anthropic_api)
    expect(pick('other', anthropic)).toBe(deepSeek.apis.chat)
    expect(pick('deepseek-chat', openAiChat)).toBe(deepSeek.apis.chat)
  })
})

describe('responses', () => {
  test('Ark: usage of the response comes before the sum of the bot’s models, in events too', () => {
    const bot_usage = { model_usage: [{ prompt_tokens: 100, completion_tokens: 10 }] }
    const usage = { prompt_tokens: 7, completion_tokens: 1 }
    expect(response(45, { usage, bot_usage }).usage).toEqual(usage)
    expect(event(45, { choices: [], bot_usage })?.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 10 })
    const error = { code: 'AccountOverdueError', message: 'Pay' }
    expect(event(45, { error })).toMatchObject({ error: { type: 'insufficient_quota' } })
  })

  test('DeepSeek: a completion that ran out of resources is an error', () => {
    const choices = [{ text: 'Fo', finish_reason: 'insufficient_system_resource' }]
    for (const body of [response(43, { choices }, 'completions'), event(43, { choices }, 'completions')])
      expect(body).toMatchObject({ error: { type: 'overloaded_error' } })
  })

  test('FastGPT: usage with every count at 1 is dropped', () => {
    const counted = { usage: { prompt_tokens: 1, completion_tokens: 5 } }
    expect(response(22, counted)).toEqual(counted)
    expect(response(22, { usage: { prompt_tokens: 1, completion_tokens: 1 } })).toEqual({})
  })

  test('Gemini: usage of an image counts thoughts as output', () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 4, totalTokenCount: 7 }
    expect(response(24, { candidates: [{ content: { parts } }], usageMetadata }, 'image_generations').usage).toEqual({
      input_tokens: 1,
      output_tokens: 6,
      total_tokens: 7,
    })
  })

  test('OpenAI and Zhipu: embeddings are base64 when the client asks for it', () => {
    const encoding = { encoding_format: 'base64' }
    expect(sent(callOf(26), { input: 'a', ...encoding }, 'embeddings')).toEqual({ model: 'm', input: 'a' })
    for (const type of [1, 26])
      expect(response(type, { data: [{ embedding: [0.5, -1] }] }, 'embeddings', encoding)).toEqual({
        data: [{ embedding: 'AAAAPwAAgL8=' }],
      })
  })

  test('xAI and Zhipu: an error in an event has an error type, and xAI’s usage counts thoughts', () => {
    expect(event(48, { error: 'No credits', code: 'x' })).toMatchObject({ error: { type: 'insufficient_quota' } })
    expect(event(26, { error: { code: '1113', message: 'No' } })).toMatchObject({
      error: { type: 'insufficient_quota' },
    })
    expect(event(48, { usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 9 } })?.usage).toMatchObject({
      completion_tokens: 7,
    })
  })
})

describe('parameters', () => {
  const sampling = { temperature: 0.5, stop: 'x', presence_penalty: 1, frequency_penalty: 1 }
  const parameters = (type: number, model: string, rest: Json): Json => {
    const { messages: _, ...body } = sent(callOf(type), { model, messages, ...rest })
    return body
  }

  test('xAI: thinking models get no stop and penalties, and most get no effort', () => {
    const reasoning_effort = 'low'
    const all = { ...sampling, reasoning_effort }
    expect(parameters(48, 'grok-3', all)).toEqual({ model: 'grok-3', ...all })
    expect(parameters(48, 'grok-3-mini', all)).toEqual({ model: 'grok-3-mini', temperature: 0.5, reasoning_effort })
    expect(parameters(48, 'grok-4', all)).toEqual({ model: 'grok-4', temperature: 0.5 })
    expect(parameters(48, 'grok-4.20-reasoning', all)).toEqual({ model: 'grok-4.20-reasoning', temperature: 0.5 })
    const model = 'grok-4.20-non-reasoning'
    expect(parameters(48, model, all)).toEqual({ model, ...sampling })
  })

  test('xAI: suffixes of the model’s name set the effort and web search', () => {
    const reasoning_effort = 'low'
    expect(parameters(48, 'grok-3-mini-high', { reasoning_effort })).toEqual({ model: 'grok-3-mini', reasoning_effort })
    expect(parameters(48, 'grok-3-mini-high', { max_tokens: 9 })).toEqual({
      model: 'grok-3-mini',
      reasoning_effort: 'high',
      max_completion_tokens: 9,
    })
    expect(parameters(48, 'grok-3-search', {})).toEqual({ model: 'grok-3', search_parameters: { mode: 'on' } })
  })

  test('Moonshot: a temperature is sent only while the model does not think', () => {
    const temperatureOf = (model: string, thinking?: Json) =>
      parameters(25, model, { temperature: 0.5, thinking }).temperature
    expect([temperatureOf('kimi-k2-thinking'), temperatureOf('kimi-k2')]).toEqual([undefined, 0.5])
    expect(temperatureOf('kimi-k2-thinking', { type: 'disabled' })).toBe(0.5)
    expect(temperatureOf('kimi-k2', { type: 'enabled' })).toBeUndefined()
  })

  test('Zhipu: top_p stays below 1, and temperature 0 becomes do_sample', () => {
    expect(parameters(26, 'glm-4', { top_p: 1 })).toEqual({ model: 'glm-4', top_p: 0.99 })
    expect(parameters(26, 'glm-4', { top_p: 0.5, temperature: 0 })).toEqual({
      ...{ model: 'glm-4', top_p: 0.5 },
      do_sample: false,
    })
  })

  test('Mistral: only known fields are sent, under the provider’s names', () => {
    const known = { reasoning_effort: 'low', n: 2, prompt_mode: 'reasoning', safe_prompt: true }
    expect(parameters(42, 'm', { ...known, seed: 0, user: 'ann', logit_bias: {} })).toEqual({
      ...{ model: 'm', ...known },
      random_seed: 0,
    })
    const input = { model: 'codestral-embed', input: 'a' }
    expect(sent(callOf(42), { ...input, dimensions: 8, encoding_format: 'base64' }, 'embeddings')).toEqual({
      ...input,
      encoding_format: 'float',
      output_dimension: 8,
    })
  })

  test('Ollama: parameters of the model stand in options', () => {
    const options = { seed: 1, num_ctx: 2, top_k: 3 }
    const rest = { dimensions: 8, truncate: true, keep_alive: '5m' }
    expect(sent(callOf(4), { model: 'm', input: 'a', ...options, ...rest, user: 'ann' }, 'embeddings')).toEqual({
      ...{ model: 'm', input: ['a'] },
      ...rest,
      options,
    })
  })

  test('MiniMax: an image size becomes an aspect ratio', () => {
    const ratios = {
      '1024x1024': '1:1',
      '1792x1024': '16:9',
      '1024x1792': '9:16',
      '1536x1024': '3:2',
      '1024x1536': '2:3',
    }
    for (const [size, aspect_ratio] of Object.entries(ratios))
      expect(sent(callOf(35), { model: 'image-01', prompt: 'x', size, n: 2 }, 'image_generations')).toEqual({
        ...{ model: 'image-01', prompt: 'x', n: 2, aspect_ratio },
        response_format: 'url',
      })
  })
})
