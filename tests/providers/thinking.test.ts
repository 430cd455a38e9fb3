// @engine sqlite
/** Thinking as makers of OpenAI's format turn it on and off, for models that do not exist yet too. */
import { expect, test } from 'bun:test'
import { passedApi, pickApi, providerOf } from '../../src/providers/index.ts'
import { draftRequest } from '../../src/providers/kit/request.ts'
import type { Json } from '../../src/pure/json.ts'

const [MOONSHOT, ZHIPU, DEEPSEEK, ARK] = [25, 26, 43, 45]
const messages = [{ role: 'user', content: 'Hi' }]
const config = { base_url: 'https://a.example', key: 'k' }

function fields(type: number, model: string, body: Json): Json {
  const api = pickApi(providerOf(type)!, { operation: 'chat', model, config })!
  const { messages: _, model: __, ...rest } = draftRequest(passedApi(api), config, model, { messages, ...body }).body
  return rest
}

test.each([
  [DEEPSEEK, 'deepseek-v9-pro'],
  [ZHIPU, 'glm-7'],
  [ARK, 'doubao-seed-9-pro'],
  [MOONSHOT, 'kimi-k2.6'],
])('channel type %p turns thinking of %p off by an object', (type, model) => {
  expect(fields(type, model, { reasoning_effort: 'none' })).toEqual({ thinking: { type: 'disabled' } })
})

test('Kimi that always thinks gets the least effort that it has, and no sampling', () => {
  const sampling = { temperature: 0, top_p: 1, n: 1 }
  expect(fields(MOONSHOT, 'kimi-k7', { reasoning_effort: 'none', ...sampling })).toEqual({ reasoning_effort: 'low' })
  expect(fields(MOONSHOT, 'kimi-k7', { reasoning_effort: 'xhigh' })).toEqual({ reasoning_effort: 'high' })
  expect(fields(MOONSHOT, 'kimi-k2.7-code', { reasoning_effort: 'none', ...sampling })).toEqual({})
  expect(fields(MOONSHOT, 'moonshot-v1-8k', sampling)).toEqual(sampling)
})

test('DeepSeek since V4 gets the thoughts of every turn with a tool call back', () => {
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }],
  }
  const thoughts = (model: string, said: Json = { reasoning_content: 'Hm' }) => {
    const api = pickApi(providerOf(DEEPSEEK)!, { operation: 'chat', model, config })!
    const history = [...messages, { ...call, ...said }, { role: 'tool', tool_call_id: 'c' }, ...messages]
    const { body } = draftRequest(passedApi(api), config, model, { messages: history })
    return (body.messages as Json[])[1]!.reasoning_content
  }
  expect(thoughts('deepseek-v9-pro')).toBe('Hm')
  expect(thoughts('deepseek-reasoner')).toBeUndefined()
  // Without any, an empty one is required; a translated message states its absence as undefined.
  expect([{}, { reasoning_content: undefined }].map(said => thoughts('deepseek-v9-pro', said))).toEqual(['', ''])
})
