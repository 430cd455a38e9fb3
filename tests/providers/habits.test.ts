/** What each type changes of a request, an answer or an event, where its recorded calls do not show it. */
import { describe, expect, test } from 'bun:test'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import {
  type ModelSettings,
  type Operation,
  pickApi,
  providerOf,
  requestFor,
  type UpstreamCall,
} from '../../src/providers/index.ts'

type Json = Record<string, any>

const messages = [{ role: 'user', content: 'hi' }]
const line = (type: number, fields: object = {}): UpstreamCall => ({ type, base_url: '', key: 'sk-1', ...fields })
const sent = (channel: UpstreamCall, body: Json, operation: Operation = 'chat'): Json =>
  JSON.parse(String(requestFor(channel, operation, body.model ?? 'm', { model: 'm', ...body })!.body))
const told = (type: number, answer: Json, operation: Operation = 'chat', asked: Json = {}): Json =>
  providerOf(type)!.apis[operation]!.rewriteResponse!(answer, asked)
const event = (type: number, event: Json, operation: Operation = 'chat') =>
  providerOf(type)!.apis[operation]!.rewriteEvent!(event)

describe('a request', () => {
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
  const round = [
    ...messages,
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: '' },
  ]
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const unheardOf = { type: 'function', function: { name: 'g' } }

  test('with both of OpenAI’s limits keeps the older where only that is known', () => {
    const body = { messages, max_completion_tokens: 5, max_tokens: 9 }
    for (const type of [4, 19, 26, 31, 40, 42, 43]) {
      expect(sent(line(type), body), String(type)).toEqual({ model: 'm', messages, max_tokens: 9 })
      expect(sent(line(type), { messages, max_completion_tokens: 5 }).max_tokens, String(type)).toBe(5)
    }
    expect(sent(line(45), body)).toEqual({ model: 'm', messages, max_completion_tokens: 5 })
  })

  test('to DeepSeek has thoughts where it thinks, by its name or because it is told to, and nowhere else', () => {
    const thought = (rest: Json) => sent(line(43), { messages: round, ...rest }).messages[1].reasoning_content
    expect(thought({ model: 'deepseek-chat' })).toBeUndefined()
    expect(thought({ model: 'deepseek-reasoner' })).toBe('')
    expect(thought({ model: 'deepseek-chat', thinking: { type: 'enabled' } })).toBe('')
  })

  test('to Azure asks a stream for its usage since that is understood, and its developers are developers', () => {
    const asked = { messages: [{ role: 'developer', content: 'Be brief' }, ...messages], stream: true }
    const at = (other: string, operation: Operation, body: Json) =>
      sent(line(3, { base_url: 'https://a.example', other }), body, operation)
    const wants = { stream_options: { include_usage: true } }
    expect(at('2024-09-01-preview', 'chat', asked)).toEqual({ model: 'm', ...asked, ...wants })
    expect(at('2024-08-01-preview', 'chat', asked)).toEqual({ model: 'm', ...asked })
    const completion = { prompt: 'hi', stream: true }
    expect(at('2024-08-01-preview', 'completions', completion)).toEqual({ model: 'm', ...completion })
  })

  test('that must call a tool which is not there stays as it is', () => {
    const body = { messages, tools, tool_choice: unheardOf }
    expect(sent(line(42), body)).toEqual({ model: 'm', ...body })
    expect(sent(line(26), body)).toEqual({ model: 'm', messages, tools, tool_choice: 'auto' })
  })

  test('for vectors of several things of a vision model of Ark’s is the model’s affair', () => {
    const body = { model: 'doubao-embedding-vision', input: ['a', 'b'] }
    expect(sent(line(45), body, 'embeddings')).toEqual(body)
  })

  test('has what the operator wants in it, whatever its caller says, and the headers of the settings', () => {
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
    const channel = line(14, { settings, param_override: { top_k: 0 } })
    const request = requestFor(channel, 'chat', 'm', body)!
    expect(JSON.parse(String(request.body))).toEqual({ ...body, top_k: 0 })
    expect(request.headers).toMatchObject({ 'anthropic-beta': 'a,b', 'x-api-key': 'sk-1' })
  })
})

describe('a request for another thing than a chat', () => {
  test('to Google for a picture is asked as it takes it', () => {
    const drawn = (size: string) =>
      sent(line(24), { model: 'gemini-2.5-flash-image', prompt: 'x', size }, 'image_generations').generationConfig
        .imageConfig
    const made = (size: string) =>
      sent(line(24), { model: 'imagen-4', prompt: 'x', size }, 'image_generations').parameters.aspectRatio
    const sizes = ['1024x1024', '1024x1792', '1792x1024', '1536x1024', '1024x1536', 'auto']
    const ratios = ['1:1', '9:16', '16:9', '3:2', '2:3']
    expect(sizes.map(drawn)).toEqual([...ratios.map(aspectRatio => ({ aspectRatio })), undefined])
    expect(sizes.map(made)).toEqual(['1:1', '9:16', '16:9', '4:3', '3:4', '1:1'])
  })

  test('to SiliconCloud that completes between two texts has a message, and pictures have its own words', () => {
    const nothing = [{ role: 'user', content: '' }]
    for (const gap of [{ suffix: 'b' }, { prefix: 'a' }])
      expect(sent(line(40), { prompt: 'a', ...gap }, 'completions').messages).toEqual(nothing)
    expect(sent(line(40), { prompt: 'a' }, 'completions')).not.toHaveProperty('messages')
    const picture = { prompt: 'x', size: '1024x1024', n: 2 }
    expect(sent(line(40), picture, 'image_generations')).toEqual({
      ...{ model: 'm', prompt: 'x', image_size: '1024x1024', batch_size: 2 },
    })
  })

  test('to xAI for a picture leaves out what it refuses', () => {
    const picture = { prompt: 'x', size: '1024x1024', quality: 'hd', style: 'vivid', n: 2 }
    expect(sent(line(48), picture, 'image_generations')).toEqual({ model: 'm', prompt: 'x', n: 2 })
  })

  test('to Qianfan names the application of its key, and searches as its caller says', () => {
    const { headers } = requestFor(line(46, { key: 'bce-v3/x|app-1' }), 'chat', 'm', { model: 'm', messages })!
    expect(headers).toMatchObject({ authorization: 'Bearer bce-v3/x', appid: 'app-1' })
    const own = { enable: false }
    expect(sent(line(46), { model: 'ernie-search', messages, web_search: own })).toEqual({
      ...{ model: 'ernie', messages, web_search: own },
    })
  })

  test('in the words of Anthropic goes to the mirror of a model that has one', () => {
    const deepSeek = providerOf(43)!
    expect(pickApi(deepSeek, 'chat', 'deepseek-chat', anthropic)).toBe(deepSeek.anthropic_api)
    expect(pickApi(deepSeek, 'chat', 'other', anthropic)).toBe(deepSeek.apis.chat)
    expect(pickApi(deepSeek, 'chat', 'deepseek-chat', openAiChat)).toBe(deepSeek.apis.chat)
  })
})

describe('an answer', () => {
  test('of Ark’s that reports its usage itself is believed, and its events are read as it is', () => {
    const bot_usage = { model_usage: [{ prompt_tokens: 100, completion_tokens: 10 }] }
    const usage = { prompt_tokens: 7, completion_tokens: 1 }
    expect(told(45, { usage, bot_usage }).usage).toEqual(usage)
    expect(event(45, { choices: [], bot_usage })?.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 10 })
    const error = { code: 'AccountOverdueError', message: 'Pay' }
    expect(event(45, { error })).toMatchObject({ error: { type: 'insufficient_quota' } })
  })

  test('of DeepSeek’s that was not finished is none, in completions too', () => {
    const choices = [{ text: 'Fo', finish_reason: 'insufficient_system_resource' }]
    for (const answer of [told(43, { choices }, 'completions'), event(43, { choices }, 'completions')])
      expect(answer).toMatchObject({ error: { type: 'overloaded_error' } })
  })

  test('of FastGPT’s was not counted where every count is 1, and else it was', () => {
    const counted = { usage: { prompt_tokens: 1, completion_tokens: 5 } }
    expect(told(22, counted)).toEqual(counted)
    expect(told(22, { usage: { prompt_tokens: 1, completion_tokens: 1 } })).toEqual({})
  })

  test('of Google’s that drew counts what it thought', () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 4, totalTokenCount: 7 }
    expect(told(24, { candidates: [{ content: { parts } }], usageMetadata }, 'image_generations').usage).toEqual({
      input_tokens: 1,
      output_tokens: 6,
      total_tokens: 7,
    })
  })

  test('of Zhipu’s has numbers, and who asked for letters gets letters', () => {
    const wish = { encoding_format: 'base64' }
    expect(sent(line(26), { input: 'a', ...wish }, 'embeddings')).toEqual({ model: 'm', input: 'a' })
    for (const type of [1, 26])
      expect(told(type, { data: [{ embedding: [0.5, -1] }] }, 'embeddings', wish)).toEqual({
        data: [{ embedding: 'AAAAPwAAgL8=' }],
      })
  })

  test('that fails in an event says what kind of failure it is', () => {
    expect(event(48, { error: 'No credits', code: 'x' })).toMatchObject({ error: { type: 'insufficient_quota' } })
    expect(event(26, { error: { code: '1113', message: 'No' } })).toMatchObject({
      error: { type: 'insufficient_quota' },
    })
    expect(event(48, { usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 9 } })?.usage).toMatchObject({
      completion_tokens: 7,
    })
  })
})
