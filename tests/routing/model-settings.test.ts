/** Suffixes of model names: effort and price. */
import { expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client, RICH } from '../support/people/client.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat({ usage: { prompt_tokens: 100, completion_tokens: 10 } }), 'o3-mini')
const ann = await client()

test('a suffix of the model name sets the effort and is priced by its own name', async () => {
  await setOption('ModelRatio', JSON.stringify({ 'o3-mini-high': 7, 'o3-mini': 1 }))
  await setOption('CompletionRatio', JSON.stringify({ 'o3-mini-high': 1, 'o3-mini': 1 }))
  await channelTo(upstream, { models: 'o3-mini-high,o3-mini' })
  const answer = await ann.chat({ model: 'o3-mini-high', max_tokens: 50, unknown: 0 })
  expect(answer.status).toBe(200)
  expect(upstream.violations).toEqual([])
  expect(upstream.journal.at(-1)!.body).toEqual({
    model: 'o3-mini',
    max_completion_tokens: 50,
    messages: [{ role: 'user', content: 'Say hello' }],
    unknown: 0,
    reasoning_effort: 'high',
  })
  expect(await ann.balance()).toBe(RICH - 770)
  expect((await logsOf(ann.person))[0]).toMatchObject({ model_name: 'o3-mini-high' })
})

test('a suffixed name without a price costs what the model costs, and other spellings are unknown', async () => {
  await setOption('ModelRatio', JSON.stringify({ 'o3-mini': 3 }))
  await setOption('CompletionRatio', JSON.stringify({ 'o3-mini': 1 }))
  await channelTo(upstream, { models: 'o3-mini-none' })
  const before = await ann.balance()
  expect((await ann.chat({ model: 'o3-mini-none' })).status).toBe(200)
  expect(before - (await ann.balance())).toBe(330)
  expect((await ann.chat({ model: 'O3-MINI' })).status).toBe(404)
})

test('a mapping may lead to a suffixed name', async () => {
  await setOption('ModelRatio', JSON.stringify({ thinker: 2 }))
  await setOption('CompletionRatio', JSON.stringify({ thinker: 1 }))
  await channelTo(upstream, { models: 'thinker', model_mapping: '{"thinker":"o3-mini-low"}' })
  const before = await ann.balance()
  expect((await ann.chat({ model: 'thinker' })).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toMatchObject({ model: 'o3-mini', reasoning_effort: 'low' })
  expect(before - (await ann.balance())).toBe(220)
})
