// @engine sqlite
/** Upstreams whose format has no limit of the output: a call holds the most that the model produces. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { formats } from '../../../src/formats/index.ts'
import { providers } from '../../../src/providers/index.ts'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { makeChannel } from '../../support/upstream/channel.ts'

type Json = Record<string, unknown>

const BALANCE = 10_100
const MOST = 8000
const AT_ONCE = 30

let asked: Json[] = []
/** Answers nothing before every call of a test is decided. */
let gate = Promise.withResolvers<void>()
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    asked.push((await request.json()) as Json)
    await gate.promise
    return Response.json({ error: { message: 'no more', code: 'invalid_request' } }, { status: 400 })
  },
})
afterAll(() => upstream.stop(true))
beforeEach(() => {
  asked = []
  gate = Promise.withResolvers()
})

/** Those whose usual model is served without a limit; each by a model of its own. */
const unlimited = providers
  .filter(({ apis: { chat } }) => chat && chat.format.limitOutput === undefined)
  .map(({ type, label }) => [label, type, `unlimited-${type}`] as const)

/** Of the forms that the types require. */
const keys: Record<number, string> = { 16: 'id.secret', 23: '1|id|secret' }

const root = await setUp()
const base_url = `http://127.0.0.1:${upstream.port}`
const at = (type: number, models: string) =>
  makeChannel(root, {
    type,
    key: keys[type] ?? 'sk-upstream',
    base_url,
    models,
    other: '1',
    setting: '{"dify_app":"chat"}',
  })
for (const [, type, model] of unlimited) await at(type, model)
const mixed = 'mixed-model'
await at(37, mixed)
await makeChannel(root, { type: 47, key: 'sk-upstream', base_url, models: mixed })

const models = [...unlimited.map(([, , model]) => model), mixed]
const atOne = Object.fromEntries(models.map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setOption('PreConsumedQuota', 0)
await setOption('DefaultMaxOutput', MOST)

const bodies: Record<(typeof formats)[number], (model: string, stream: boolean) => [path: string, body: Json]> = {
  'openai-chat': (model, stream) => [
    '/v1/chat/completions',
    { model, stream, messages: [{ role: 'user', content: 'Hi' }] },
  ],
  'openai-responses': (model, stream) => ['/v1/responses', { model, stream, input: 'Hi' }],
  anthropic: (model, stream) => [
    '/v1/messages',
    { model, stream, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
  ],
  gemini: (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: 5 } },
  ],
}

/** Calls at once, each decided before any is answered. @returns those that were refused */
async function burst(ann: Client, path: string, body: Json): Promise<Response[]> {
  let refused = 0
  const answers = Array.from({ length: AT_ONCE }, async () => {
    const answer = await ann.postTo(path, body)
    if (answer.status === 403 && ++refused === AT_ONCE - 1) gate.resolve()
    return answer
  })
  return (await Promise.all(answers)).filter(({ status }) => status === 403)
}

test('the list holds the formats without a limit', () => {
  expect(unlimited.map(([, type]) => type).sort((a, b) => a - b)).toEqual([11, 16, 21, 23, 37, 101])
})

describe.each(unlimited)('%s', (_, __, model) => {
  const cases = formats.flatMap(format => [true, false].map(stream => [format, stream] as const))

  test.each(cases)('%s, streamed %p: the most is held for each of 30 calls', async (format, stream) => {
    const ann = await client({}, BALANCE)
    const refusals = await burst(ann, ...bodies[format](model, stream))
    expect([refusals.length, asked.length]).toEqual([AT_ONCE - 1, 1])
    expect(await ann.balance()).toBe(BALANCE)
  })

  test('a refusal says what the call may cost and what is left', async () => {
    const poor = await client({}, MOST - 1)
    const [path, body] = bodies['openai-chat'](model, false)
    const { message } = await errorOf(await poor.postTo(path, body))
    expect(message).toMatch(/needs up to \$0\.016\d*, \$0\.015998 is left/)
  })
})

test('the most is not held where another channel is sent a limit', async () => {
  const poor = await client({}, 2000)
  gate.resolve()
  for (let calls = 0; calls < 5; calls++) {
    asked = []
    await poor.postTo(...bodies['openai-chat'](mixed, false))
    expect(asked.length).toBeGreaterThan(0)
    for (const body of asked) expect(body.max_tokens).toBeWithin(256, 2000)
  }
})
