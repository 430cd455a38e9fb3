// @engine sqlite
/** What operators can have changed about the shape of a chat's answers. */
import { expect, test } from 'bun:test'
import { formatForcer } from '../../src/formats/openai-chat/force-format.ts'

const known = { id: 'chatcmpl-ours', created: 5, model: 'asked' }

test('events have OpenAI’s fields alone, under the name that the first of them had', () => {
  const shape = formatForcer({ force_format: true }, known)
  const event = (id: unknown) =>
    shape.event({ id, model: 'm', created: 7, own: 1, choices: [{ index: 0, delta: { content: 'a', own: 1 } }] })
  const choices = [{ index: 0, delta: { content: 'a' }, logprobs: null, finish_reason: null }]
  const told = (id: string) => ({ id, model: 'm', created: 7, object: 'chat.completion.chunk', choices })
  expect([null, 'a', 'b'].map(event)).toEqual([told('chatcmpl-ours'), told('a'), told('a')])
})

test('forced format: service tier and usage stay', () => {
  const beside = { service_tier: 'flex', system_fingerprint: 'f', usage: { prompt_tokens: 1 } }
  const shape = formatForcer({ force_format: true }, known)
  expect(shape.response({ choices: [{ message: { role: 'assistant', content: 'a' } }], ...beside, own: 1 })).toEqual({
    ...known,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, logprobs: null, finish_reason: null }],
    ...beside,
  })
})
