/** Ceilings of what callers choose freely: rate limits of keys, wildcard model names, shapes of content. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { usageHours } from '../../../src/domain/usage/table.ts'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)

test.each([
  ['rate_limit_period', 2_592_001, /30 days/],
  ['rate_limit_count', 100_001, /100000/],
  ['rate_limit_success', 100_001, /100000/],
])('a key with a %s of %d is refused at its field', async (field, value, words) => {
  const { person } = await client()
  const limits = { name: 'key', rate_limit_enabled: true, [field]: value }
  const { data } = await person.get('/api/token/')
  const [{ id }] = data.items ?? data
  for (const answer of [await person.post('/api/token/', limits), await person.put('/api/token/', { id, ...limits })]) {
    expect(answer).toMatchObject({ status: 400, success: false, field })
    expect(answer.message).toMatch(words)
  }
  expect(await person.put('/api/token/', { id, ...limits, [field]: value - 1 })).toMatchObject({ success: true })
})

test.each([
  ['ModelRequestRateLimitCount', 100_001],
  ['ModelRequestRateLimitSuccessCount', 100_001],
  ['ModelRequestRateLimitDurationMinutes', 43_201],
])('the option %s has a ceiling', async (key, value) => {
  const root = await setUp()
  expect(await root.put('/api/option/', { key, value })).toMatchObject({ status: 400, success: false })
  expect(await root.put('/api/option/', { key, value: value - 1 })).toMatchObject({ success: true })
  await root.put('/api/option/', { key, value: 1000 })
})

test('content that is an object is refused at its message', async () => {
  const ann = await client()
  const calls = upstream.journal.length
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'user', content: { a: 1 } },
  ]
  expect(await errorOf(await ann.chat({ messages }))).toMatchObject({ status: 400, param: 'messages[1].content' })
  expect(upstream.journal).toHaveLength(calls)
})

test('model names of a wildcard share one row of usage', async () => {
  await channelTo(upstream, { models: 'gpt-4o-gizmo-*' })
  await setOption('ModelRatio', JSON.stringify({ 'gpt-4o-gizmo-*': 1 }))
  const ann = await client()
  for (const id of ['a', 'b', 'c']) {
    upstream.scripts(`gpt-4o-gizmo-${id}`, chat())
    expect((await ann.chat({ model: `gpt-4o-gizmo-${id}` })).status).toBe(200)
  }
  const rows = await db.select().from(usageHours).where(eq(usageHours.user_id, ann.person.id)).orderBy(usageHours.hour)
  expect([...new Set(rows.map(({ model }) => model))]).toEqual(['gpt-4o-gizmo-*'])
  expect(rows.length).toBeLessThanOrEqual(2)
})
