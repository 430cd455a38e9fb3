/** The cost of a call in header and usage. */
import { afterEach, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { setOption } from '../../support/app/options.ts'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import { chat, says, streams } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

afterEach(async () => {
  await setOption('CostInAnswersEnabled', true)
  upstream.scripts(MODEL, chat())
})

const usage = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 200 } }

test('a whole response shows the exact billed amount', async () => {
  upstream.scripts(MODEL, chat({ usage }))
  const before = await ann.balance()
  const answer = await ann.chat()
  expect(before - (await ann.balance())).toBe(3625)
  expect(answer.headers.get('x-tollgate-cost')).toBe('0.00725')
  expect(answer.headers.get('access-control-expose-headers')).toContain('x-tollgate-cost')
  expect(((await answer.json()) as any).usage).toEqual({ ...usage, cost: 0.00725 })
})

test('no other byte of the response changes', async () => {
  const parts = [
    '{ "x" : 1.0,"choices":[{"message":{"content":"say \\"usage\\":{ 你好 \\u4f60","usage":{"a":1}}}], "usage" :{"prompt_tokens":9,"completion_tokens":2',
    '} , "z":[ ]}\n',
  ] as const
  upstream.scripts(MODEL, says(parts.join(''), 'application/json'))
  expect(await (await ann.chat()).text()).toBe(`${parts[0]},"cost":0.000042${parts[1]}`)
})

test("an upstream's own cost is removed", async () => {
  for (const theirs of ['"cost":0.5,"prompt_tokens":9', '"prompt_tokens":9 , "cost" : 1e-3']) {
    const body = `{"choices":[],"usage":{${theirs},"completion_tokens":2}}`
    upstream.scripts(MODEL, says(body, 'application/json'))
    const text = await (await ann.chat()).text()
    expect(text.match(/"cost"/g)).toHaveLength(1)
    expect(JSON.parse(text).usage).toEqual({ prompt_tokens: 9, completion_tokens: 2, cost: 0.000042 })
  }
})

test('a response built to be slow to scan is delivered in time', async () => {
  const blanks = ' '.repeat(1_000_000)
  const many = `{"usage":{"a":1}},`.repeat(40_000)
  for (const [body, told] of [
    [`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2${blanks}}}`, true],
    [`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2},"z":[${many}0]}`, false],
  ] as const) {
    upstream.scripts(MODEL, says(body, 'application/json'))
    const answer = await ann.chat()
    expect([answer.headers.get('x-tollgate-cost'), (await answer.text()).includes('"cost":0.000042')]).toEqual([
      '0.000042',
      told,
    ])
  }
})

test('a stream shows its cost in the usage, by whoever counted it', async () => {
  const asked = { stream_options: { include_usage: true } }
  upstream.scripts(MODEL, chat({ text: 'one two three', usage }))
  expect((await readStream(await ann.stream(asked))).usage).toEqual({ ...usage, cost: 0.00725 })

  upstream.scripts(MODEL, chat({ text: 'one two three', usage: null }))
  const before = await ann.balance()
  const counted = await readStream(await ann.stream(asked))
  expect(counted.usage.cost).toBe((before - (await ann.balance())) / 500_000)
  expect(counted.done).toBe(true)

  expect((await readStream(await ann.stream())).usage).toBeUndefined()
})

test('a usage report in the last event carries the cost', async () => {
  const event = (value: object) => `data: ${JSON.stringify({ id: 'x', ...value })}\n\n`
  const piece = event({ choices: [{ index: 0, delta: { content: 'hello' } }], usage: null })
  const last = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })
  upstream.scripts(MODEL, streams([piece, last, 'data: [DONE]\n\n']))
  const stream = await readStream(await ann.stream())
  expect(stream.raw.startsWith(piece)).toBe(true)
  expect(stream.usage).toEqual({ ...usage, cost: 0.00725 })
})

test('the events of a Responses stream carry the cost in the usage of the response', async () => {
  const event = (type: string, response: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, response: { id: 'resp_1', object: 'response', output: [], ...response } })}\n\n`
  const counts = { input_tokens: 9, output_tokens: 2, total_tokens: 11 }
  const begun = event('response.created', { status: 'in_progress' })
  upstream.scripts(MODEL, streams([begun, event('response.completed', { status: 'completed', usage: counts })]))
  const text = await (await ann.postTo('/v1/responses', { model: MODEL, input: 'hello', stream: true })).text()
  expect(text.startsWith(begun)).toBe(true)
  const { response } = JSON.parse(text.trim().split('data: ').at(-1)!)
  expect(response.usage).toEqual({ ...counts, cost: quotaOf(9, 2) / 500_000 })
})

test('repeated usage reports carry the cost in the last one', async () => {
  const event = (value: object) => `data: ${JSON.stringify({ id: 'x', ...value })}\n\n`
  const counts = (completion_tokens: number) => ({ usage: { prompt_tokens: 9, completion_tokens } })
  const words = ['one', 'two', 'three'].map((content, at) =>
    event({ choices: [{ index: 0, delta: { content } }], ...counts(at + 1) }),
  )
  const last = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...counts(4) })
  upstream.scripts(MODEL, streams([...words, last, 'data: [DONE]\n\n']))
  const { events, raw } = await readStream(await ann.stream())
  expect(raw.startsWith(words.join(''))).toBe(true)
  expect(events.at(-1).usage).toEqual({ ...counts(4).usage, cost: quotaOf(9, 4) / 500_000 })
})

test('a free call costs 0, and a failed call shows no cost', async () => {
  upstream.scripts(MODEL, says('{"choices":[],"usage":{}}', 'application/json'))
  const free = await ann.chat()
  expect([free.headers.get('x-tollgate-cost'), await free.json()]).toEqual(['0', { choices: [], usage: { cost: 0 } }])
  expect((await ann.chat({ model: 'nobody-serves-this' })).headers.has('x-tollgate-cost')).toBe(false)
})

test("the operator's option hides the cost", async () => {
  await setOption('CostInAnswersEnabled', false)
  const body = `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}`
  upstream.scripts(MODEL, says(body, 'application/json'))
  const answer = await ann.chat()
  expect([answer.headers.has('x-tollgate-cost'), await answer.text()]).toEqual([false, body])
})

test("OpenAI's client exposes the cost", async () => {
  const bob = await client()
  const openai = new OpenAI({ apiKey: `sk-${bob.key}`, baseURL: `${bob.url}/v1` })
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const { data, response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse()
  const cost = quotaOf(9, 2) / 500_000
  expect(data.usage).toMatchObject({ prompt_tokens: 9, cost })
  expect(response.headers.get('x-tollgate-cost')).toBe(String(cost))
  expect(await bob.balance()).toBe(RICH - quotaOf(9, 2))
})
