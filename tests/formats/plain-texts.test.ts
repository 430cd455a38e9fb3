// @engine sqlite
/** Prompts of nothing but texts are estimated without the canonical form. */
import { expect, test } from 'bun:test'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'

const contents = ['Count to 12345!', '', '四 words\n\n', null, 7, [{ type: 'text', text: 'one part' }]]
const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'unknown']
const messages = roles.flatMap(role => contents.map(content => ({ role, content })))
const fields = [
  {},
  { temperature: 1, n: 2, max_tokens: 9 },
  { temperature: 'hot' },
  { unknown: 'prose' },
  { stop: 'x' },
]

test('an estimate of plain texts is that of a request with more fields', () => {
  for (const field of fields) {
    for (const first of messages) {
      for (const second of messages) {
        const body = {
          model: 'm',
          messages: [first, second, { role: 'user', content: 'go on', name: 'Ann' }],
          ...field,
        }
        for (const asked of [body, { ...body, messages: [first, second] }]) expectEqual(asked)
      }
    }
  }
})

function expectEqual(body: { model: string; messages: object[] }) {
  expect(openAiChat.promptTokens(body)).toBe(openAiChat.promptTokens({ ...body, tools: [] }))
}

test('a request of texts is estimated without reading its canonical form', () => {
  const read = () => {
    throw new Error('read')
  }
  const body = { model: 'm', messages: [{ role: 'user', content: 'Count to three' }], temperature: 1 }
  expect(openAiChat.promptTokens(body, read)).toBe(9)
  expect(() => openAiChat.promptTokens({ ...body, tools: [] }, read)).toThrow('read')
})
