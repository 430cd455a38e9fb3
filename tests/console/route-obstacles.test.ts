/** The route finder's lists: which channel stands where, and each reason for which one is passed over. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import type { PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { recordFailure, recordStart } from '../../src/domain/routing/health/breaker.ts'
import { servingChannels } from '../../src/domain/routing/routing-table.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'

const MODEL = 'gpt-4o'
let root: Person
beforeAll(async () => {
  root = await setUp()
})
afterEach(deleteChannels)

const routeOf = async (model = MODEL, group = 'default'): Promise<PricedRoutePreview> =>
  (await root.get(`/api/channel/routes?${new URLSearchParams({ group, model })}`)).data

const channel = async (fields: Record<string, unknown> = {}): Promise<number> =>
  (await makeChannel(root, { models: MODEL, ...fields })).id

const trip = (place: { channel_id: number; key?: string }, retry_after_ms?: number) =>
  recordFailure(place, { reason: '500', at_once: true, retry_after_ms })

test('others with fewer reasons come first, then by priority and id, and those without the model last', async () => {
  const off = { status: ChannelStatus.disabled }
  const without = await channel({ models: 'else', priority: 99 })
  const low = await channel(off)
  const lowToo = await channel(off)
  const twofold = await channel({ ...off, group: 'vip', priority: 50 })
  const high = await channel({ ...off, priority: 9 })
  const elsewhere = await channel({ models: 'else', group: 'vip' })
  const { others } = await routeOf()
  expect(others.map(({ id }) => id)).toEqual([high, low, lowToo, twofold, without, elsewhere])
})

test('steps of a tier stand in the order of their shares, and the heaviest is the trial when all cool down', async () => {
  const ids = [await channel({ weight: 1 }), await channel({ weight: 3 }), await channel({ weight: 2 })]
  const [light, heavy, middle] = ids as [number, number, number]
  const { tiers, trial } = await routeOf()
  expect(tiers[0]!.steps.map(({ id }) => id)).toEqual([heavy, middle, light])
  expect(trial).toBeUndefined()
  expect((await servingChannels('default', MODEL)).map(({ id }) => id)).toEqual([heavy, middle, light])
  for (const channel_id of ids) trip({ channel_id })
  expect(await routeOf()).toMatchObject({ tiers: [], trial: heavy })
})

test('names like an unlisted one are those of the group alone, with their prefix', async () => {
  await channel({ models: 'gpt-4o-mini' })
  await channel({ models: 'gpt-4o-audio', group: 'vip' })
  await channel({ models: 'gpt-4o-x', model_prefix: 'eu/' })
  expect(await routeOf('gpt-4o-min')).toMatchObject({ listed: false, near: ['gpt-4o-mini', 'eu/gpt-4o-x'] })
  expect(await routeOf('gpt-4o-mini')).toMatchObject({ listed: true, near: [] })
})

test('a disabled channel still lists a model by its pattern', async () => {
  await channel({ models: 'gpt-4-gizmo-*', status: ChannelStatus.disabled })
  expect((await routeOf('gpt-4-gizmo-g-abc')).listed).toBe(true)
  expect((await routeOf('gpt-4o-gizmo-g-abc')).listed).toBe(false)
  expect((await routeOf('gpt-4-gizmo-g-abc', 'vip')).listed).toBe(false)
})

const reasons: [string, fields: Record<string, unknown>, (id: number) => unknown, obstacles: unknown[]][] = [
  ['disabled', { status: ChannelStatus.disabled }, () => {}, [{ code: 'disabled' }]],
  ['of another group', { group: 'vip' }, () => {}, [{ code: 'not_in_group' }]],
  ['without the model', { models: 'else' }, () => {}, [{ code: 'not_listed' }]],
  ['with the model under a prefix', { model_prefix: 'eu/' }, () => {}, [{ code: 'not_listed' }]],
  ['without an API for it', { type: 38 }, () => {}, [{ code: 'no_api' }]],
  [
    'that cools down',
    {},
    id => trip({ channel_id: id }, 45_000),
    [{ code: 'cooling', reason: '500', scope: 'channel', seconds: expect.any(Number) }],
  ],
  [
    'whose trial runs',
    {},
    id => {
      trip({ channel_id: id }, 1)
      Bun.sleepSync(5)
      recordStart({ channel_id: id })
    },
    [{ code: 'trial_running' }],
  ],
]

test.each(reasons)('a channel %s is named with its reason alone', async (_, fields, begin, obstacles) => {
  const id = await channel(fields)
  begin(id)
  expect((await routeOf()).others).toMatchObject([{ id, obstacles }])
})

test('a channel of another group lists a model by its pattern', async () => {
  const id = await channel({ models: 'gpt-4-gizmo-*', group: 'vip' })
  expect((await routeOf('gpt-4-gizmo-g-abc')).others).toMatchObject([{ id, obstacles: [{ code: 'not_in_group' }] }])
})

test('a channel counts its enabled keys, and says so when an edit leaves disabled ones alone', async () => {
  const id = await channel({ key: 'sk-number-one,sk-number-two' })
  const keys = (await root.get(`/api/channel/${id}/`)).data.keys as { id: string }[]
  await root.put(`/api/channel/${id}/keys/${keys[0]!.id}`, { status: ChannelStatus.disabled })
  expect((await routeOf()).tiers[0]!.steps).toMatchObject([{ id, good_keys: 1, keys: 2 }])
  await root.put('/api/channel/', { id, key: 'sk-number-one' })
  expect(await routeOf()).toMatchObject({ tiers: [], others: [{ id, obstacles: [{ code: 'keys_disabled' }] }] })
})

test('a shorter prefix gives way to the longest that serves the same name', async () => {
  const short = await channel({ models: 'eu/de/m' })
  const middle = await channel({ models: 'de/m', model_prefix: 'eu/' })
  const long = await channel({ models: 'm', model_prefix: 'eu/de/' })
  const { tiers, others } = await routeOf('eu/de/m')
  expect(tiers.map(({ steps }) => steps.map(({ id }) => id))).toEqual([[long]])
  expect(others.map(({ id, obstacles }) => [id, obstacles])).toEqual(
    [short, middle].map(id => [id, [{ code: 'shorter_prefix' }]]),
  )
})
