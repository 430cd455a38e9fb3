// @engine sqlite
/** Tools that are called with a text: only OpenAI has them, everyone can be asked. */
import { expect, test } from 'bun:test'
import type { ChatRequest, ChatResponse, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, labelFor, sent, user } from './support.ts'
import { eventsOfText } from './wire/sse.ts'

const PATCH = '*** Begin Patch\n+ "四"\n*** End Patch'
const lark = { syntax: 'lark', definition: 'start: /.+/' }
const about = { name: 'patch', description: 'Changes files' }

const bodies: Partial<Record<ClientFormatName, Json>> = {
  'openai-responses': {
    model: 'm',
    input: [
      { role: 'user', content: 'Go' },
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: PATCH },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'Done' },
    ],
    tools: [{ type: 'custom', ...about, format: { type: 'grammar', ...lark } }],
  },
  'openai-chat': chat(
    [
      user('Go'),
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: PATCH } }] },
      { role: 'tool', tool_call_id: 'c', content: 'Done' },
    ],
    { tools: [{ type: 'custom', custom: { ...about, format: { type: 'grammar', grammar: lark } } }] },
  ),
}
const callers = Object.keys(bodies) as ClientFormatName[]

test.each(callers)('custom tools: clients of %s have them sent as functions of one argument', caller => {
  const body = sent(caller, bodies[caller]!, 'anthropic')
  expect(body.tools).toEqual([
    {
      name: 'patch',
      description: 'Changes files\n\nThe input follows this grammar (lark):\nstart: /.+/',
      input_schema: {
        type: 'object',
        properties: { input: { type: 'string' } },
        required: ['input'],
        additionalProperties: false,
      },
    },
  ])
  expect((body.messages as Json[]).slice(1)).toMatchObject([
    { content: [{ type: 'tool_use', id: 'c', name: 'patch', input: { input: PATCH } }] },
    { content: [{ type: 'tool_result', tool_use_id: 'c', content: 'Done' }] },
  ])
})

const pairOf = (caller: ClientFormatName) => {
  const request = chatFormats[caller].readRequest(bodies[caller]!) as ChatRequest
  return { client: chatFormats[caller], upstream: chatFormats.anthropic, label: labelFor(request) }
}
const called = (input: string): ChatResponse => ({
  ...{ id: '', model: 'm', doubts: [] },
  choices: [
    {
      parts: [{ kind: 'tool_call', id: 'c', name: 'patch', arguments: input }],
      finish: { reason: 'tool_calls' },
    },
  ],
})

test.each([JSON.stringify({ input: PATCH }), PATCH])('custom tools: the arguments %j become the input text', input => {
  const custom = { name: 'patch', input: PATCH }
  expect(translateResponse(pairOf('openai-chat'), called(input))).toMatchObject({
    choices: [{ message: { tool_calls: [{ id: 'c', type: 'custom', custom }] }, finish_reason: 'tool_calls' }],
  })
  expect(translateResponse(pairOf('openai-responses'), called(input))).toMatchObject({
    output: [{ type: 'custom_tool_call', call_id: 'c', ...custom }],
  })
})

test('custom tools: streamed arguments become the input text', () => {
  const answer = called(JSON.stringify({ input: PATCH }))
  const chunks = eventsOfText(streamResponse(pairOf('openai-chat'), answer)).flatMap(data =>
    data === '[DONE]' ? [] : (JSON.parse(data).choices[0]?.delta.tool_calls ?? []),
  )
  expect(chunks).toEqual([
    { index: 0, id: 'c', type: 'custom', custom: { name: 'patch', input: '' } },
    { index: 0, custom: { input: PATCH } },
  ])
  const events = eventsOfText(streamResponse(pairOf('openai-responses'), answer)).map(data => JSON.parse(data))
  const item = { type: 'custom_tool_call', call_id: 'c', name: 'patch' }
  expect(events.slice(2)).toMatchObject([
    { type: 'response.output_item.added', item: { ...item, input: '' } },
    { type: 'response.custom_tool_call_input.delta', delta: PATCH },
    { type: 'response.custom_tool_call_input.done', input: PATCH },
    { type: 'response.output_item.done', item: { ...item, input: PATCH } },
    { type: 'response.completed', response: { output: [{ ...item, input: PATCH }] } },
  ])
})

test('a call with an empty text has no arguments instead', () => {
  const text = streamResponse(pairOf('openai-chat'), called(JSON.stringify({ input: '' })))
  expect(text).toContain('"custom":{"name":"patch","input":""}')
  expect(text).not.toContain('"function"')
})
