// @engine both
/** The quota that is reserved before a call. */
import { expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { chatBody, client, MODEL, quotaOf } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const short = chat({ usage: { prompt_tokens: 8, completion_tokens: 1 } })
const upstream = await startUpstream(short)
await channelTo(upstream, { models: `${MODEL},gpt-3.5-turbo-instruct` })

/** What a thousand tokens of answer come to, and the prompt. */
const ONE_ANSWER = quotaOf(8, 1000) + 100

const dearer: [name: string, fields: Record<string, unknown>][] = [
  ['many answers', { max_tokens: 1000, n: 128 }],
  ['very long tools', { max_tokens: 1000, tools: [toolOf('lorem ipsum dolor '.repeat(20_000))] }],
]

function toolOf(description: string) {
  return { type: 'function', function: { name: 'f', description, parameters: { type: 'object', properties: {} } } }
}

test.each(dearer)('more quota is reserved for %s', async (_, fields) => {
  const poor = await client({}, 2 * ONE_ANSWER)
  expect((await poor.chat({ max_tokens: 1000 })).status).toBe(200)
  const before = upstream.journal.length
  expect(await errorOf(await poor.chat(fields))).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  expect(upstream.journal).toHaveLength(before)
  expect((await poor.chat({ max_tokens: 1000 })).status).toBe(200)
})

test.each([
  ['the larger limit', { max_tokens: 1, max_completion_tokens: 200_000 }, { max_tokens: 1 }],
  ['either limit', { max_completion_tokens: 1, max_tokens: 200_000 }, { max_completion_tokens: 1 }],
])('%s is reserved for, and cut to what is paid', async (_, fields, kept) => {
  const poor = await client({}, 2 * ONE_ANSWER)
  expect((await poor.chat(fields)).status).toBe(200)
  const sent = upstream.journal.at(-1)!.body
  expect(sent).toMatchObject(kept)
  expect(Math.max(Number(sent.max_tokens), Number(sent.max_completion_tokens))).toBeWithin(1000, 2100)
})

test('output is reserved for as reasoning where that is dearer', async () => {
  const limits: number[] = []
  for (const ratio of [2, 8]) {
    await setPrice('ReasoningRatio', { [MODEL]: ratio })
    expect((await (await client({}, ONE_ANSWER)).chat({ max_tokens: 1000 })).status).toBe(200)
    limits.push(Number(upstream.journal.at(-1)!.body.max_tokens))
  }
  await setPrice('ReasoningRatio', {})
  expect(limits[0]).toBe(1000)
  expect(limits[1]).toBeWithin(450, 600)
})

test('the quota of all choices is there for a stream: it asks for no more until they are used up', async () => {
  const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
  const words = (index: number) => data({ choices: [{ index, delta: { content: 'word '.repeat(300) } }] })
  const { promise: areRead, resolve } = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (_call, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    for (const index of [0, 1]) await answer.write(words(index))
    await areRead
    await answer.write(data({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 600 } }))
    await answer.write('data: [DONE]\n\n')
    await answer.end()
  })
  const ann = await client({}, quotaOf(8, 2 * 400) + 100)
  const response = await ann.stream({ n: 2, max_tokens: 400 })
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes('"index":1')) resolve()
  }
  upstream.scripts(MODEL, short)
  expect([text.includes('error'), text.endsWith('data: [DONE]\n\n')]).toEqual([false, true])
  expect(await ann.balance()).toBe(quotaOf(0, 200) + 100)
})

test('the best_of choices are reserved for', async () => {
  const poor = await client({}, 2 * ONE_ANSWER)
  const { messages: _, ...rest } = chatBody({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello', max_tokens: 1000 })
  const answer = await poor.postTo('/v1/completions', { ...rest, best_of: 128 })
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
})

test('PreConsumedQuota covers prompt and output together', async () => {
  await setOption('PreConsumedQuota', 1500)
  const least = quotaOf(500, 1000)
  const [enough, little] = [await client({}, least), await client({}, least - 1)]
  const limit = () => upstream.journal.at(-1)!.body.max_tokens
  expect((await enough.chat({ max_tokens: 1000 })).status).toBe(200)
  expect(limit()).toBe(1000)
  expect((await little.chat({ max_tokens: 1000 })).status).toBe(200)
  expect(limit()).toBe(999)
  const poor = await client({}, quotaOf(1500 - 256, 256) - 1)
  expect(await errorOf(await poor.chat({ max_tokens: 1000 }))).toMatchObject({ status: 403 })
  await setOption('PreConsumedQuota', 500)
})
