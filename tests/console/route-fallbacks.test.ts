/** Groups and fallback models of a call in the route finder. */
import { beforeEach, expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

const NEXT = 'next-model'

beforeEach(async () => {
  await setPrice('ModelRatio', { [MODEL]: 1.25, [NEXT]: 1.25 })
  await setPrice('GroupRatio', { default: 1, vip: 2 })
  await setPrice('UserUsableGroups', { default: '', vip: '' })
})

test('route finder: groups and models of a key stand in their order, with what passes each over, for operators', async () => {
  const root = await setUp()
  const ann = await client({ group: 'vip', fallback_groups: 'default', fallback_models: NEXT })
  await served(chat(), { models: NEXT })
  const [{ id }] = (await ann.person.get('/api/token/')).data
  const { data } = await root.get(`/api/channel/routes?model=${MODEL}&key=${id}`)
  expect([data.group, data.fallbacks]).toEqual([
    'vip',
    [
      { group: 'vip', model: MODEL, why: 'no_channel' },
      { group: 'default', model: MODEL, why: 'no_channel' },
      { group: 'vip', model: NEXT, why: 'no_channel' },
      { group: 'default', model: NEXT },
    ],
  ])
  const page = (language: 'en' | 'zh', key = id) =>
    root.page(`/admin/routes?model=${MODEL}&key=${key}`, { language }).then(response => response.text())
  expect(await page('en')).toMatch(/next-model.*default.*serves the call/s)
  expect(await page('zh')).toContain('分组与模型的尝试顺序')
  expect(await page('en', 999_999)).not.toContain('Groups and models in their order')
  expect((await root.get(`/api/channel/routes?model=${MODEL}&key=999999`)).status).toBe(404)
  await setPrice('UserUsableGroups', { default: '' })
  const changed = await root.get(`/api/channel/routes?model=${MODEL}&key=${id}`)
  expect(changed.data.fallbacks[0]).toEqual({ group: 'vip', model: MODEL, why: 'forbidden' })
})

test('route finder: a model of a list that the key may not use is forbidden to it', async () => {
  await setOption('GroupFallbacks', JSON.stringify({ default: { '*': [NEXT] } }))
  await served(chat())
  await served(chat(), { models: NEXT })
  const ann = await client({ model_limits_enabled: true, model_limits: MODEL })
  const [{ id }] = (await ann.person.get('/api/token/')).data
  const { data } = await (await setUp()).get(`/api/channel/routes?model=${MODEL}&key=${id}`)
  await setOption('GroupFallbacks', '{}')
  expect(data.fallbacks).toEqual([
    { group: 'default', model: MODEL },
    { group: 'default', model: NEXT, why: 'forbidden' },
  ])
})

test('route finder: a group shows its own list, and a model of it whose price is gone', async () => {
  await setOption('GroupFallbacks', JSON.stringify({ default: { '*': [NEXT] } }))
  await served(chat())
  await served(chat(), { models: NEXT })
  await setPrice('ModelRatio', { [MODEL]: 1.25 })
  const { data } = await (await setUp()).get(`/api/channel/routes?model=${MODEL}`)
  expect(data.fallbacks).toEqual([
    { group: 'default', model: MODEL },
    { group: 'default', model: NEXT, why: 'unpriced' },
  ])
  await setOption('GroupFallbacks', '{}')
})
