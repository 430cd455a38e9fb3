// @engine sqlite
/** OpenAI's own client reads what callers of its two formats are told, whoever the upstream is. */
import { describe, expect, test } from 'bun:test'
import OpenAI, { APIError } from 'openai'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { translateResponse } from '../../src/formats/translate/translate.ts'
import { pairOf, streamOf, toldBy } from './support.ts'
import { wires } from './wire/index.ts'
import type { Feature } from './wire/sse.ts'

/** A client whose only upstream answers this. */
const client = (answer: Response) =>
  new OpenAI({ apiKey: 'sk', baseURL: 'http://localhost', maxRetries: 0, fetch: async () => answer })

const whole = (caller: ClientFormatName, upstream: ClientFormatName, feature: Feature) => {
  const answer = chatFormats[upstream].readResponse(wires[upstream].answers[feature])!
  return Response.json(translateResponse(pairOf(caller, upstream, feature), answer))
}

function streamed(caller: ClientFormatName, upstream: ClientFormatName, feature: Feature): Response {
  const text = toldBy(streamOf(caller, upstream, feature), wires[upstream].streams[feature])
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

const cities = ['{"city":"Oslo"}', '{"city":"Bergen"}']
const messages = [{ role: 'user', content: 'Hi' }] as const

describe.each([...formats])('from %s', upstream => {
  test('the OpenAI SDK reads a chat, whole and streamed', async () => {
    const body = { model: 'm', messages: [...messages] }
    const answer = await client(whole('openai-chat', upstream, 'tools')).chat.completions.create(body)
    const stream = client(streamed('openai-chat', upstream, 'tools')).chat.completions.stream(body)
    for (const { choices, usage } of [answer, await stream.finalChatCompletion()]) {
      expect(choices[0]).toMatchObject({
        message: {
          content: 'I look.',
          tool_calls: cities.map(text => ({ function: { name: 'weather', arguments: text } })),
        },
        finish_reason: 'tool_calls',
      })
      expect(usage).toMatchObject({ prompt_tokens: 80, completion_tokens: 30, total_tokens: 110 })
    }
  })

  test('the OpenAI SDK reads a response, whole and streamed', async () => {
    const body = { model: 'm', input: 'Hi' }
    const answer = await client(whole('openai-responses', upstream, 'tools')).responses.create(body)
    const stream = client(streamed('openai-responses', upstream, 'tools')).responses.stream(body)
    for (const { output, output_text, usage, status } of [answer, await stream.finalResponse()]) {
      expect(output_text).toBe('I look.')
      expect(output.slice(1)).toMatchObject(cities.map(text => ({ type: 'function_call', arguments: text })))
      expect(usage).toMatchObject({ input_tokens: 80, output_tokens: 30 })
      expect(status).toBe('completed')
    }
  })

  test('the OpenAI SDK reads reasoning in a response', async () => {
    const stream = client(streamed('openai-responses', upstream, 'thinking')).responses.stream({
      model: 'm',
      input: 'Hi',
    })
    expect((await stream.finalResponse()).output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Two and two.' }], encrypted_content: expect.any(String) },
      { type: 'message', content: [{ text: 'Four.' }] },
    ])
  })

  test('the OpenAI SDK raises an error', async () => {
    const { status, body } = wires[upstream].errors
    const failure = chatFormats[upstream].readError(body, status)!
    const answer = Response.json(chatFormats['openai-chat'].writeError(failure), { status })
    const error = await client(answer)
      .chat.completions.create({ model: 'm', messages: [...messages] })
      .catch(error => error)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status: 429, type: 'rate_limit_error' })
  })
})
