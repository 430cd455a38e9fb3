// @engine sqlite
/** Signatures of Gemini's tool calls come back from clients of other formats, whose own SDKs send the history. */
import { expect, test } from 'bun:test'
import { unnamed } from '../formats/wire/sse.ts'
import { client, MODEL } from '../support/people/client.ts'
import { anthropicOf } from '../support/people/sdk-clients.ts'
import { events } from '../support/upstream/format-upstreams.ts'
import { channelFor, lastRequest, serverOf } from '../support/upstream/translation.ts'

const content = (parts: object[], rest = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
  modelVersion: 'gemini-3-pro-preview',
  responseId: 'r',
})

/** As Gemini 3 ends a response with a call. */
const called = unnamed([
  content([{ functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' }]),
  content([{ text: '', thoughtSignature: 'ZW5k' }], { finishReason: 'STOP' }),
])

const ann = await client()
await channelFor('gemini', { model_mapping: JSON.stringify({ [MODEL]: 'gemini-3-pro-preview' }) })
serverOf('gemini').says(answer => events(answer, called))

const parts = () => (lastRequest('gemini').body.contents as any[]).flatMap(({ parts }) => parts)

test('gemini: the signature of a call comes back from the SDK of Anthropic', async () => {
  const { messages } = anthropicOf(ann)
  const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } } }
  const body = { model: MODEL, max_tokens: 100, tools: [{ name: 'weather', input_schema }] }
  const question = { role: 'user', content: 'Look' } as const
  const answer = await messages.stream({ ...body, messages: [question] }).finalMessage()
  expect(answer.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use'])
  const result = {
    type: 'tool_result',
    tool_use_id: (answer.content[1] as { id: string }).id,
    content: 'sunny',
  } as const
  const history = [
    question,
    { role: 'assistant', content: answer.content },
    { role: 'user', content: [result] },
  ] as const
  await messages.stream({ ...body, messages: [...history] as any }).finalMessage()
  expect(parts()[1]).toMatchObject({ functionCall: { name: 'weather' }, thoughtSignature: 'c2ln' })
})

test('gemini: the signature of a call comes back from the SDK of OpenAI for Responses', async () => {
  const { responses } = ann.sdk()
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const body = { model: MODEL, tools: [{ type: 'function' as const, name: 'weather', parameters, strict: false }] }
  const answer = await responses.stream({ ...body, input: 'Look' }).finalResponse()
  expect(answer.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call'])
  const { call_id } = answer.output[1] as { call_id: string }
  const result = { type: 'function_call_output', call_id, output: 'sunny' } as const
  const input = [{ role: 'user', content: 'Look' }, ...answer.output, result]
  await responses.stream({ ...body, input: input as any }).finalResponse()
  expect(parts()[1]).toMatchObject({ functionCall: { name: 'weather' }, thoughtSignature: 'c2ln' })
})
