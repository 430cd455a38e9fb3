// @engine sqlite
/** Results of tools stand where each format has them, and find their calls. */
import { expect, test } from 'bun:test'
import { bedrock } from '../../src/formats/bedrock/index.ts'
import type { ChatRequest } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user, wired } from './support.ts'
import { picture } from './wire/sse.ts'

const call = { type: 'tool_use', id: 'a', name: 'shoot', input: {} }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }
const result = {
  type: 'tool_result',
  tool_use_id: 'a',
  is_error: true,
  content: [{ type: 'text', text: 'Blurred' }, image],
}
const body = {
  model: 'm',
  max_tokens: 9,
  tools: [{ name: 'shoot', input_schema: { type: 'object', properties: {} } }],
  messages: [
    user('Go'),
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'text', text: 'See' }, result] },
  ],
}

test('tool results with images and failures are written for OpenAI', () => {
  const url = `data:image/png;base64,${picture}`
  expect((sent('anthropic', body, 'openai-chat').messages as Json[]).slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: 'Blurred' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'text', text: 'See' },
      ],
    },
  ])
  expect(sent('anthropic', body, 'openai-responses').input).toContainEqual({
    type: 'function_call_output',
    call_id: 'a',
    output: [
      { type: 'input_text', text: 'Blurred' },
      { type: 'input_image', image_url: url, detail: 'auto' },
    ],
  })
})

test('tool results with images and failures are written for Gemini', () => {
  const inlineData = { mimeType: 'image/png', data: picture }
  const response = { id: 'a', name: 'shoot', response: { error: 'Blurred' } }
  const last = (model: string) => (sent('anthropic', body, 'gemini', model).contents as Json[])[2]!.parts
  expect(last('gemini-2.5-pro')).toEqual([{ functionResponse: response }, { inlineData }, { text: 'See' }])
  expect(last('gemini-3-pro')).toEqual([
    { functionResponse: { ...response, parts: [{ inlineData }] } },
    { text: 'See' },
  ])
})

test('tool results stand in the order of their calls for Gemini', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: id })
  const messages = [
    user('Go'),
    { role: 'assistant', tool_calls: ['a', 'b', 'c'].map(call) },
    ...['c', 'a', 'b'].map(result),
    user('And?'),
  ]
  const parts = (sent('openai-chat', chat(messages), 'gemini').contents as Json[])[2]!.parts as Json[]
  expect(parts).toMatchObject([
    ...['a', 'b', 'c'].map(id => ({ functionResponse: { id, response: { result: id } } })),
    { text: 'And?' },
  ])
})

test('tool results follow the shortened id of a call that OpenAI refuses', () => {
  const id = `toolu_${'x'.repeat(60)}`
  const messages = [
    user('Go'),
    { role: 'assistant', content: [{ ...call, id }] },
    user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]),
  ]
  const chat = sent('anthropic', { ...body, messages }, 'openai-chat').messages as Json[]
  const [asked] = chat[1]!.tool_calls as Json[]
  expect(String(asked!.id)).toHaveLength(40)
  expect(chat[2]!.tool_call_id).toBe(asked!.id as string)
  const items = sent('anthropic', { ...body, messages }, 'openai-responses').input as Json[]
  expect(items.slice(1)).toMatchObject([{ call_id: asked!.id }, { call_id: asked!.id }])
})

test('tool results follow long ids that differ at their ends to Bedrock', () => {
  const ids = ['1', '2'].map(end => 'x'.repeat(70) + end)
  const messages = [
    user('Go'),
    { role: 'assistant', content: ids.map(id => ({ ...call, id })) },
    user(ids.map(id => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }))),
  ]
  const request = chatFormats.anthropic.readRequest({ ...body, messages }, { model: 'm' }) as ChatRequest
  const [, asked, answered] = wired(bedrock.writeRequest(request) as Json).messages as Json[]
  const short = ids.map(id => id.slice(-64))
  expect((asked!.content as Json[]).map(({ toolUse }) => (toolUse as Json).toolUseId)).toEqual(short)
  expect((answered!.content as Json[]).map(({ toolResult }) => (toolResult as Json).toolUseId)).toEqual(short)
})

test('tool results stand first for Anthropic, with ids of allowed letters', () => {
  const messages = [
    user('Go'),
    { role: 'assistant', tool_calls: [{ id: 'call:1/x', type: 'function', function: { name: 'f', arguments: '' } }] },
    { role: 'tool', tool_call_id: 'call:1/x', content: 'ok' },
    user('And?'),
  ]
  expect((sent('openai-chat', chat(messages), 'anthropic').messages as Json[]).slice(1)).toEqual([
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1_x', name: 'f', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1_x', content: 'ok' },
        { type: 'text', text: 'And?' },
      ],
    },
  ])
})

test('tool calls have ids that differ in the letters that every format allows', () => {
  const ids = ['a.b', 'a_b', 'a:b']
  const tool_calls = ids.map(id => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }))
  const results = ids.map(tool_call_id => ({ role: 'tool', tool_call_id, content: tool_call_id }))
  const messages = [user('Go'), { role: 'assistant', tool_calls }, ...results]
  const [, calls, answers] = sent('openai-chat', chat(messages), 'anthropic').messages as { content: Json[] }[]
  const own = calls!.content.map(({ id }) => id)
  expect(new Set(own).size).toBe(ids.length)
  expect(answers!.content).toMatchObject(ids.map((content, at) => ({ tool_use_id: own[at], content })))
})

test('tool results of legacy clients find their calls by name', () => {
  const messages = [
    user('Go'),
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"x":1}' } },
    { role: 'function', name: 'f', content: 'ok' },
  ]
  const functions = [{ name: 'f', parameters: { type: 'object', properties: { x: { type: 'number' } } } }]
  expect(sent('openai-chat', chat(messages, { functions, function_call: { name: 'f' } }), 'anthropic')).toMatchObject({
    messages: [{}, { content: [{ id: 'call_0', input: { x: 1 } }] }, { content: [{ tool_use_id: 'call_0' }] }],
    tools: [{ name: 'f' }],
    tool_choice: { type: 'tool', name: 'f' },
  })
})
