// @engine both
/** Budgets of a channel for each of its keys: a key without room is passed over, under any parallelism. */
import { afterEach, expect, test } from 'bun:test'
import type { NewBudget } from '../../../src/contracts/budget.ts'
import { LOGS_PATH } from '../../../src/contracts/log.ts'
import { auditBudgets } from '../../../src/domain/budgets/index.ts'
import { auditWallets } from '../../../src/domain/wallet/index.ts'
import { setOption } from '../../support/app/options.ts'
import { budgetsOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, quotaOf } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const [PROMPT, OUTPUT] = [8, 4]
const ONE = quotaOf(PROMPT, OUTPUT)
const [FIRST, SECOND] = ['sk-first-of-both', 'sk-second-of-both']
const root = await setUp()
await setOption('PreConsumedQuota', 0)

afterEach(async () => {
  expect((await auditBudgets()).difference).toBeUndefined()
  expect((await auditWallets()).difference).toBeUndefined()
})

let made = 0

/** A channel with two keys, alone with its model, and a budget for each of them. */
async function keyed(fields: Partial<NewBudget>) {
  const model = `gpt-4o-${made++}`
  await setOption('ModelRatio', JSON.stringify({ [model]: 1.25 }))
  const upstream = await startUpstream(chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } }), model)
  for (const key of [FIRST, SECOND]) upstream.keys.add(key)
  const { id } = await channelTo(upstream, { models: model, key: `${FIRST}\n${SECOND}` })
  const budget = await makeBudget('channel', id, { per_key: true, ...fields })
  return { budget, id, model, upstream, used: async () => (await budgetsOf('channel', id))[0]! }
}

async function statuses(who: Client, count: number, model: string) {
  const counted: Record<number, number> = {}
  const one = async () => {
    const response = await who.chat({ model, max_tokens: 4 })
    await response.text()
    counted[response.status] = (counted[response.status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: count }, one))
  return counted
}

test('a budget for seven calls of each of two keys: fourteen of a hundred calls at once pass', async () => {
  const { model, upstream, used } = await keyed({ amount: 7, window: 'day', zone: 'UTC' })
  expect(await statuses(await client(), 100, model)).toEqual({ 200: 14, 429: 86 })
  const byKey = Map.groupBy(upstream.journal, ({ key }) => key)
  expect([...byKey].map(([key, calls]) => [key, calls.length]).sort()).toEqual([
    [FIRST, 7],
    [SECOND, 7],
  ])
  const use = { used: 7, reserved: 0 }
  expect(await used()).toMatchObject({ ...use, per_key: true, keys: [use, use] })
})

test('a key without room is passed over to the next, and a channel without any to the next channel', async () => {
  const { id, model, upstream } = await keyed({ amount: 1, name: 'secret', window: 'rolling', seconds: 60 })
  const who = await client()
  expect(await statuses(who, 1, model)).toEqual({ 200: 1 })
  expect(await statuses(who, 2, model)).toEqual({ 200: 1, 429: 1 })
  const refused = await who.chat({ model })
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(50, 61)
  expect(await errorOf(refused)).toMatchObject({ status: 429, message: expect.not.stringContaining('secret') })
  const finder = await root.page(`/admin/routes?group=default&model=${model}`)
  expect(await finder.text()).toContain('has used up its budget secret')
  const { id: spare } = await channelTo(upstream, { models: model, key: FIRST, priority: -1 })
  await makeBudget('channel', spare, { amount: 3, window: 'rolling', seconds: 3600 })
  expect(await statuses(who, 3, model)).toEqual({ 200: 3 })
  expect(Number((await who.chat({ model })).headers.get('retry-after'))).toBeWithin(1, 61)
  expect((await budgetsOf('channel', id))[0]).toMatchObject({ used: 1, keys: [{ used: 1 }, { used: 1 }] })
})

test('a change of the budget holds for all keys, a new key has the whole amount, and a deleted budget limits none', async () => {
  const { budget, id, model, upstream } = await keyed({ amount: 1 })
  const who = await client()
  expect(await statuses(who, 4, model)).toEqual({ 200: 2, 429: 2 })
  await root.put(`/api/budget/${budget.id}`, { amount: 2 })
  expect(await statuses(who, 4, model)).toEqual({ 200: 2, 429: 2 })
  upstream.keys.add('sk-third-of-them')
  await root.put('/api/channel/', { id, key: `${FIRST}\n${SECOND}\nsk-third-of-them` })
  expect(await statuses(who, 4, model)).toEqual({ 200: 2, 429: 2 })
  expect((await root.delete(`/api/budget/${budget.id}`)).success).toBe(true)
  expect(await statuses(who, 4, model)).toEqual({ 200: 4 })
  expect(await budgetsOf('channel', id)).toEqual([])
})

test('the refund of a call is given back to the key that has served it', async () => {
  const { model, used } = await keyed({ unit: 'quota', amount: 10 * ONE })
  const who = await client()
  expect(await statuses(who, 1, model)).toEqual({ 200: 1 })
  const response = await who.chat({ model, max_tokens: 4 })
  const request_id = response.headers.get('x-request-id')!
  await response.text()
  const taken = async () => (await used()).keys!.map(key => key.used).sort()
  const [, cost] = await taken()
  expect(cost).toBeGreaterThan(0)
  const { data } = await root.get(`/api/log/?request_id=${request_id}`)
  await root.form(`${LOGS_PATH}/${data.items[0].id}/refund`, { amount: String(cost! / 500_000), remark: 'cut off' })
  expect(await taken()).toEqual([0, cost!])
})

test('the form of a channel makes such a budget, and its drawer has a meter for each key', async () => {
  const { budget, id, model } = await keyed({ amount: 7 })
  await root.delete(`/api/budget/${budget.id}`)
  const form = { name: 'By key', amount: '4', unit: 'calls', window: 'all', refuses: 'true', per_key: 'true' }
  expect((await root.form(`/admin/channels/${id}/budgets`, form)).status).toBe(303)
  expect(await statuses(await client(), 1, model)).toEqual({ 200: 1 })
  const drawer = await (await root.page(`/admin/channels?edit=${id}`)).text()
  expect(drawer).toContain('for each key')
  const meters = [...drawer.matchAll(/role="meter" aria-label="sk-[^"]+"[^>]*aria-valuetext="([^"]+)"/g)]
  expect(meters.map(([, text]) => text)).toEqual(['1 of 4 calls', '0 of 4 calls'])
})

test('only budgets of channels count each key by itself', async () => {
  const body = { owner: 'user', owner_id: (await visitor()).id, name: 'a', unit: 'calls', amount: 1, window: 'all' }
  expect(await root.post('/api/budget/', { ...body, per_key: true })).toMatchObject({
    success: false,
    message: 'Only budgets of channels can count each key by itself',
  })
})
