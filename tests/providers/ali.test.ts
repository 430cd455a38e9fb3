// @engine sqlite
/** Alibaba's DashScope: its hosts, requests and batches. */

import { describe, expect, test } from 'bun:test'
import { ali } from '../../src/formats/ali/index.ts'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import { type Operation, pickApi, providerOf } from '../../src/providers/index.ts'
import { setUp } from '../support/people/person.ts'
import { servedDashScope } from '../support/upstream/dashscope.ts'
import { requestFor, type TypedCall } from '../support/upstream/request.ts'

type Json = Record<string, any>

const messages = [{ role: 'user', content: 'Say hello' }]
const callOf = (fields: object = {}): TypedCall => ({ type: 17, base_url: '', key: 'sk-1', ...fields })
const requestOf = (body: Json, operation: Operation = 'chat', call = callOf()) =>
  requestFor(call, operation, body.model, body)!
const bodyOf = (body: Json, operation: Operation = 'chat'): Json =>
  JSON.parse(String(requestOf({ messages, ...body }, operation).body))

describe('addresses', () => {
  const own = 'https://dashscope.aliyuncs.com'
  const workspace = 'https://llm-1.cn-beijing.maas.aliyuncs.com'
  const bases: [base: string, root: string, compatible?: string][] = [
    ['', own],
    [`${own}/`, own],
    [`${own}/compatible-mode/v1`, own],
    [`${own}/compatible-mode`, own],
    [`${own}/api/v1`, own],
    [`${own}/apps/anthropic`, own],
    [`${own}/api/v2/apps/protocols/compatible-mode/v1/`, own],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'https://dashscope-intl.aliyuncs.com'],
    ['https://dashscope-us.aliyuncs.com', 'https://dashscope-us.aliyuncs.com'],
    ['https://cn-hongkong.dashscope.aliyuncs.com', 'https://cn-hongkong.dashscope.aliyuncs.com'],
    [workspace, workspace],
    [`${workspace}/compatible-mode/v1`, workspace],
    ['https://proxy.example/ali', 'https://proxy.example/ali'],
    ['https://proxy.example/v1', 'https://proxy.example', 'https://proxy.example/v1'],
    ['https://coding.dashscope.aliyuncs.com/v1', 'https://coding.dashscope.aliyuncs.com', '/v1'],
    ['https://coding-intl.dashscope.aliyuncs.com', 'https://coding-intl.dashscope.aliyuncs.com', '/v1'],
    ['https://coding.dashscope.aliyuncs.com/apps/anthropic', 'https://coding.dashscope.aliyuncs.com', '/v1'],
  ]

  test.each(bases)('base URL %p leads to every API below %s', (base_url, root, compatible = '/compatible-mode/v1') => {
    const call = callOf({ base_url })
    const at = (operation: Operation, model: string, client?: typeof anthropic) =>
      pickApi(providerOf(17)!, { operation, model, config: call, client })!.url(call, model, false, {})
    const chats = compatible.startsWith('/') ? root + compatible : compatible
    expect(at('chat', 'qwen-plus')).toBe(`${chats}/chat/completions`)
    expect(at('embeddings', 'text-embedding-v4')).toBe(`${chats}/embeddings`)
    expect(at('chat', 'qwen-plus-internet')).toBe(`${root}/api/v1/services/aigc/text-generation/generation`)
    expect(at('responses', 'qwen3-max')).toBe(`${root}/api/v2/apps/protocols/compatible-mode/v1/responses`)
    expect(at('image_generations', 'wan2.2-t2i-plus')).toBe(`${root}/api/v1/services/aigc/text2image/image-synthesis`)
    expect(at('chat', 'qwen-plus', anthropic)).toBe(`${root}/apps/anthropic/v1/messages`)
    expect(providerOf(17)!.listModels!(call).next().value).toBe(`${chats}/models`)
  })

  test('every preset is a base URL of the type', () => {
    const hosts = providerOf(17)!.presets!.map(
      ({ base_url }) => requestOf({ model: 'm', messages }, 'chat', callOf({ base_url })).url,
    )
    expect(hosts.every(url => url.includes('.aliyuncs.com/') && url.endsWith('/v1/chat/completions'))).toBe(true)
  })
})

test('a limit of the gateway lowers output and thinking budget of a native request', () => {
  const limited = (parameters: Json) => ali.limitOutput!({ model: 'm', parameters }, 1000, 'm').parameters
  expect(limited({ result_format: 'message' })).toEqual({ result_format: 'message', max_tokens: 1000 })
  expect(limited({ max_tokens: 50, thinking_budget: 40 })).toEqual({ max_tokens: 50, thinking_budget: 40 })
  expect(limited({ max_tokens: 5000, thinking_budget: 4000 })).toEqual({ max_tokens: 1000, thinking_budget: 800 })
})

describe('requests', () => {
  test('sampling that the client does not set stays unset', () => {
    expect(bodyOf({ model: 'qwen-plus' })).toEqual({ model: 'qwen-plus', messages })
    expect(bodyOf({ model: 'qwen-plus', top_p: 0.5, temperature: 0 })).toMatchObject({ top_p: 0.5, temperature: 0 })
    expect(bodyOf({ model: 'qwen-plus', top_p: -1 }).top_p).toBe(0.001)
    expect(bodyOf({ model: 'qwen-plus', top_p: 7 }).top_p).toBe(0.999)
  })

  test('open weights think in streams alone, other models as they are asked', () => {
    for (const model of ['qwen3-32b', 'qwen3-0.6b', 'qwen3-235b-a22b']) {
      expect(bodyOf({ model, thinking_budget: 9 }), model).toEqual({ model, messages, enable_thinking: false })
      expect(bodyOf({ model, stream: true }), model).not.toHaveProperty('enable_thinking')
    }
    for (const model of ['qwen3-235b-a22b-instruct-2507', 'qwen3-max', 'qwen3-coder-plus'])
      expect(bodyOf({ model }), model).toEqual({ model, messages })
  })

  test('a required tool is named where it is the only one, of several the model chooses', () => {
    const [find, read] = ['find', 'read'].map(name => ({ type: 'function', function: { name } }))
    const choiceOf = (...tools: unknown[]) => bodyOf({ model: 'qwen-plus', tools, tool_choice: 'required' }).tool_choice
    expect(choiceOf(find)).toEqual(find)
    expect(choiceOf(find, read)).toBe('auto')
  })

  test('an effort becomes the fields of thinking, as far as a model has them', () => {
    const thinking = (model: string, reasoning_effort: string) => {
      const {
        model: _,
        messages: __,
        stream: ___,
        stream_options: ____,
        ...fields
      } = bodyOf({ model, reasoning_effort, stream: true })
      return fields
    }
    expect(thinking('qwen-plus', 'low')).toEqual({ enable_thinking: true, thinking_budget: 1024 })
    expect(thinking('qwen-plus', 'xhigh')).toEqual({ enable_thinking: true })
    expect(thinking('qwen-plus', 'none')).toEqual({ enable_thinking: false })
    expect(thinking('qwq-plus', 'none')).toEqual({})
    expect(thinking('qwq-plus', 'medium')).toEqual({ thinking_budget: 8192 })
    expect(thinking('qwen-max', 'high')).toEqual({})
  })

  test('a plugin goes along with chats alone, text that is no JSON goes nowhere', () => {
    const headersOf = (operation: Operation, model: string, other: string) => {
      const config = callOf({ other })
      return pickApi(providerOf(17)!, { operation, model, config })!.provider!.authorize(config)
    }
    expect(headersOf('chat', 'qwen-plus', '{"a":{}}')).toEqual({
      authorization: 'Bearer sk-1',
      'x-dashscope-plugin': '{"a":{}}',
    })
    expect(headersOf('chat', 'qwen-plus', 'x\r\ny: z')).toEqual({ authorization: 'Bearer sk-1' })
    expect(headersOf('image_generations', 'wan2.6-t2i', '{"a":{}}')).toEqual({ authorization: 'Bearer sk-1' })
  })
})

test.each(['ws 1', 'ws-1\r\nx: y', '工作空间'])(
  'a workspace %j, which no header can hold, is not saved',
  async workspace => {
    const setting = JSON.stringify({ workspace })
    const fields = { name: 'ali', type: 17, key: 'sk-1', models: 'qwen-plus', group: 'default', setting }
    expect(await (await setUp()).post('/api/channel/', fields)).toMatchObject({ status: 400, field: 'setting' })
  },
)

const { upstream, ann, billOf } = await servedDashScope(['text-embedding-v4', 'text-embedding-v1'])

describe('embeddings', () => {
  const PATH = '/compatible-mode/v1/embeddings'

  test.each([
    ['text-embedding-v4', 23, [10, 10, 3]],
    ['text-embedding-v1', 60, [25, 25, 10]],
    ['text-embedding-v4', 10, [10]],
  ])('%s takes %i texts in parts of %p, joined in their order and billed together', async (model, count, parts) => {
    upstream.on(PATH, ({ body }) => ({
      object: 'list',
      model,
      data: body.input.map((text: string, index: number) => ({
        object: 'embedding',
        index,
        embedding: [Number(text)],
      })),
      usage: { prompt_tokens: body.input.length, total_tokens: body.input.length },
    }))
    const input = Array.from({ length: count }, (_, index) => String(index))
    const response = await ann.postTo('/v1/embeddings', { model, input })
    const { data, usage } = (await response.json()) as Json
    expect(data.map((item: Json) => [item.index, item.embedding[0]])).toEqual(
      input.map((text, index) => [index, Number(text)]),
    )
    expect(usage).toMatchObject({ prompt_tokens: count, total_tokens: count })
    const sizes = upstream.to(PATH).map(({ body }) => body.input.length)
    expect(sizes.toSorted((a, b) => b - a)).toEqual(parts)
    expect(await billOf()).toMatchObject({ prompt_tokens: count, quota: count })
  })

  test('a part that is refused refuses the whole, which is free', async () => {
    upstream.on(PATH, (_, earlier) =>
      earlier === 1
        ? Response.json({ error: { message: 'too long', code: 'invalid_parameter_error', type: 'x' } }, { status: 400 })
        : { object: 'list', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } },
    )
    const before = await ann.balance()
    const input = Array.from({ length: 30 }, String)
    const response = await ann.postTo('/v1/embeddings', { model: 'text-embedding-v4', input })
    expect(response.status).toBe(400)
    expect(await ann.balance()).toEqual(before)
  })
})
