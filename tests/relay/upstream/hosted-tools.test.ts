// @engine sqlite
/** Tools that OpenAI runs beside a model. */
import { afterAll, expect, test } from 'bun:test'
import { client, MODEL, quotaOf } from '../../support/people/client.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'

const made = (...types: string[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: MODEL,
  output: [
    ...types.map((type, at) => ({ id: `x_${at}`, type, status: 'completed', result: 'AAAA' })),
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
})

let answer = made()
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    return Response.json(answer)
  },
})
afterAll(() => upstream.stop(true))
await channelOf('openai-responses', { url: `http://127.0.0.1:${upstream.port}` }, { models: MODEL })
const ann = await client()
const ask = (fields: object = {}) => ann.postTo('/v1/responses', { model: MODEL, input: 'Draw', ...fields })

test.each([
  [[], 0],
  [['web_search_call'], 5000],
  [['code_interpreter_call'], 15_000],
  [['image_generation_call', 'image_generation_call'], 40_000],
  [['function_call'], 0],
] as [string[], number][])('hosted tool calls %p add %p to the bill', async (types, more) => {
  answer = made(...types)
  const before = await ann.balance()
  expect((await ask()).status).toBe(200)
  expect(before - (await ann.balance())).toBe(quotaOf(100, 10) + more)
})
