// @engine sqlite
/** Signatures of Gemini's tool calls and texts come back from clients of other formats, whose own SDKs send the history. */
import { beforeEach, expect, test } from 'bun:test'
import { unnamed } from '../../formats/wire/sse.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { anthropicOf } from '../../support/people/sdk-clients.ts'
import { events } from '../../support/upstream/format-upstreams.ts'
import { channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

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

/** As Gemini 3 ends a response of text. */
const spoken = [
  content([{ text: 'Sunny' }]),
  content([{ text: '', thoughtSignature: 'dGV4' }], { finishReason: 'STOP' }),
]

const ann = await client()
await channelFor('gemini', { model_mapping: JSON.stringify({ [MODEL]: 'gemini-3-pro-preview' }) })
beforeEach(() => serverOf('gemini').scripts(answer => events(answer, called)))
const saysText = () =>
  serverOf('gemini').scripts(answer =>
    lastRequest('gemini').target.includes(':stream')
      ? events(answer, unnamed(spoken))
      : answer.json(content([signedText], { finishReason: 'STOP' })),
  )
const signedText = { text: 'Sunny', thoughtSignature: 'dGV4' }

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
  const { responses } = openAiOf(ann)
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

test.each([false, true])(
  'gemini: the signature of a text comes back from a chat of OpenAI, streamed %p',
  async stream => {
    saysText()
    const question = { role: 'user', content: 'Look' } as const
    const { completions } = openAiOf(ann).chat
    const message = stream
      ? await completions
          .stream({ model: MODEL, messages: [question] })
          .finalChatCompletion()
          .then(({ choices }) => choices[0]!.message)
      : (await completions.create({ model: MODEL, messages: [question] })).choices[0]!.message
    expect(message).not.toHaveProperty('reasoning_content')
    await completions.create({ model: MODEL, messages: [question, message, question] })
    expect(parts()[1]).toEqual(signedText)
  },
)

test.each([false, true])('gemini: the signature of a text comes back from Responses, streamed %p', async stream => {
  saysText()
  const { responses } = openAiOf(ann)
  const body = { model: MODEL, input: 'Look', include: ['reasoning.encrypted_content' as const] }
  const answer = await (stream ? responses.stream(body).finalResponse() : responses.create(body))
  expect([answer.output_text, answer.output.map(({ type }) => type)]).toEqual(['Sunny', ['message', 'reasoning']])
  const input = [{ role: 'user', content: 'Look' }, ...answer.output, { role: 'user', content: 'And?' }]
  await responses.create({ ...body, input: input as any })
  expect(parts()[1]).toEqual(signedText)
})

test('gemini: the signature of a text stays out of responses that have no place for it', async () => {
  saysText()
  const { output } = await openAiOf(ann).responses.create({ model: MODEL, input: 'Look' })
  expect(output.map(({ type }) => type)).toEqual(['message'])
  const messages = [{ role: 'user', content: 'Look' }] as const
  const { content } = await anthropicOf(ann).messages.create({ model: MODEL, max_tokens: 100, messages: [...messages] })
  expect(content).toMatchObject([{ type: 'text', text: 'Sunny' }])
})

test.each([
  ['a thought of another maker', { type: 'thinking', thinking: 'Hm', signature: 'bm9uZQ==' }],
  ['a redacted thought', { type: 'redacted_thinking', data: 'bm9uZQ==' }],
  ['a thought without a signature', { type: 'thinking', thinking: '', signature: '' }],
  ['an empty text', { type: 'text', text: '' }],
])('gemini: %s between a signature and its call is passed over', async (_, between) => {
  const { messages } = anthropicOf(ann)
  const body = { model: MODEL, max_tokens: 100 }
  const question = { role: 'user', content: 'Look' } as const
  const { content } = await messages.stream({ ...body, messages: [question] }).finalMessage()
  const [thought, call] = content as any[]
  const result = { type: 'tool_result', tool_use_id: call.id, content: 'sunny' } as const
  const history = [
    question,
    { role: 'assistant', content: [thought, between, call] },
    { role: 'user', content: [result] },
  ]
  await messages.stream({ ...body, messages: history as any }).finalMessage()
  expect(parts()[1]).toMatchObject({ functionCall: { name: 'weather' }, thoughtSignature: 'c2ln' })
})
