import { afterAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus, HEALTH_HOURS } from '../../src/contracts/channel.ts'
import { db } from '../../src/db/database.ts'
import { channelNames } from '../../src/domain/channels/config/list.ts'
import { abilities, channels } from '../../src/domain/channels/table.ts'
import { countFailed, countServed, flushOutcomes, healthOf } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { recordFailure } from '../../src/domain/routing/health/outcome.ts'
import {
  channelById,
  enabledAbilities,
  enabledModels,
  servingChannels,
} from '../../src/domain/routing/routing-table.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { visitor } from '../support/people/person.ts'
import { KEY, makeChannel, storedChannel } from '../support/upstream/channel.ts'

const admin = await visitor(Role.admin)

describe('routing', () => {
  test('the routing table has every group and model of enabled channels, best first, at once after a change', async () => {
    const low = await makeChannel(admin, { models: 'shared', group: 'default, vip', priority: 1 })
    const high = await makeChannel(admin, { models: 'shared', priority: 9 })
    const serving = async (group: string) => (await servingChannels(group, 'shared')).map(one => one.id)
    expect(await serving('default')).toEqual([high.id, low.id])
    expect(await serving('vip')).toEqual([low.id])
    await admin.put('/api/channel/', { id: high.id, status: ChannelStatus.disabled })
    expect(await serving('default')).toEqual([low.id])
    await admin.put('/api/channel/', { id: low.id, group: 'vip', priority: 2 })
    expect(await serving('default')).toEqual([])
    await admin.put('/api/channel/', { id: high.id, status: ChannelStatus.enabled })
    expect(await serving('default')).toEqual([high.id])
    expect(await enabledModels(['vip', 'nobody'])).toContain('shared')
    expect(await enabledAbilities()).toContainEqual({ group: 'vip', model: 'shared' })
    expect(await channelNames([low.id, 999_999])).toEqual([{ id: low.id, name: low.name }])
  })

  test('the routing table parses the fields of a channel', async () => {
    const { id } = await makeChannel(admin, {
      model_mapping: '{"a":"b"}',
      param_override: '{"temperature":0}',
      status_code_mapping: '{"429":"500"}',
      setting: '{"proxy":"http://9.9.9.9:1"}',
      auto_ban: 0,
    })
    expect(await channelById(id)).toMatchObject({
      model_mapping: { a: 'b' },
      param_override: { temperature: 0 },
      status_code_mapping: { 429: '500' },
      setting: { proxy: 'http://9.9.9.9:1' },
      auto_ban: false,
    })
  })

  test('a model prefix is part of the name, a pattern serves every matching model', async () => {
    const prefixed = await makeChannel(admin, { models: 'plain-model', model_prefix: 'eu/' })
    expect((await servingChannels('default', 'eu/plain-model')).map(one => one.id)).toEqual([prefixed.id])
    expect(await servingChannels('default', 'plain-model')).toEqual([])
    const gizmo = await makeChannel(admin, { models: 'gpt-4-gizmo-*' })
    expect((await servingChannels('default', 'gpt-4-gizmo-g-abc')).map(one => one.id)).toEqual([gizmo.id])
  })

  test('the models of a user are each listed once, a prefixed name instead of the bare one of its group', async () => {
    const ann = await visitor(Role.user)
    for (const change of [{}, { group: 'default,vip' }, { model_prefix: 'de/' }])
      await makeChannel(admin, { models: 'twice,once', group: 'default', ...change })
    await makeChannel(admin, { models: 'once', group: 'vip', model_prefix: 'us/' })
    const listed = async () => {
      const { data } = await ann.get('/api/user/models')
      return data.filter((name: string) => /twice|once/.test(name))
    }
    expect(await listed()).toEqual(['de/once', 'de/twice', 'twice', 'us/once'])
    await admin.put('/api/option/', { key: 'UserUsableGroups', value: '{"default":"all"}' })
    expect(await listed()).toEqual(['de/once', 'de/twice'])
    await admin.put('/api/option/', { key: 'UserUsableGroups', value: '{"default":"all","vip":"some"}' })
    expect((await servingChannels('default', 'once')).length).toBe(2)
  })

  test('an unreadable channel leaves the others in the routing table', async () => {
    const { id, models } = await makeChannel(admin)
    const broken = await makeChannel(admin, { models })
    await db.update(channels).set({ key_sealed: 'v1:AAAA' }).where(eq(channels.id, broken.id))
    await admin.put('/api/channel/', { id, weight: 1 })
    expect((await servingChannels('default', models)).map(one => one.id)).toEqual([id])
    expect(await admin.put('/api/channel/', { id: broken.id, key: KEY })).toMatchObject({ success: true })
    expect((await servingChannels('default', models)).length).toBe(2)
  })

  test('the routing table lists models by group and in total', async () => {
    const { models } = await makeChannel(admin, { group: 'nobody-has-this' })
    const ann = await visitor(Role.user)
    expect((await ann.get('/api/user/models')).data).toContain('shared')
    expect((await ann.get('/api/user/models')).data).not.toContain(models)
    expect((await admin.get('/api/channel/models_enabled')).data).toContain(models)
    expect((await admin.get('/api/channel/models')).data).toContainEqual(expect.objectContaining({ id: 'gpt-4o' }))
    expect((await ann.get('/api/models')).data['1']).toContain('gpt-4o')
  })
})

test('the channel of the longest prefix serves a name, whatever the priority of another', async () => {
  await makeChannel(admin, { models: 'eu/shared', priority: 9 })
  const longest = await makeChannel(admin, { models: 'shared', model_prefix: 'eu/' })
  expect((await servingChannels('default', 'eu/shared')).map(one => one.id)).toEqual([longest.id])
})

test('the routing table follows batches, tags, copies, deletions and rebuilt abilities at once', async () => {
  const ann = await visitor(Role.user)
  const listed = async () => {
    const { data } = await ann.get('/api/user/models')
    return data.filter((name: string) => name.startsWith('batch-'))
  }
  const post = async (path: string, body: object) => {
    const answer = await admin.post(`/api/channel/${path}`, body)
    expect(answer).toMatchObject({ success: true })
    return answer.data
  }
  const ids: number[] = []
  for (const models of ['batch-a', 'batch-b']) ids.push((await makeChannel(admin, { models, tag: 'batch' })).id)
  expect(await listed()).toEqual(['batch-a', 'batch-b'])
  await post('batch/disabled', { ids })
  expect(await listed()).toEqual([])
  await post('batch/enabled', { ids })
  expect(await listed()).toEqual(['batch-a', 'batch-b'])
  await admin.put('/api/channel/tag', { tag: 'batch', models: 'batch-c' })
  expect(await listed()).toEqual(['batch-c'])
  const copy = await post(`copy/${ids[0]}`, {})
  expect((await servingChannels('default', 'batch-c')).map(({ id }) => id)).toEqual([...ids, copy.id])
  await post('batch', { ids: [...ids, copy.id] })
  expect(await listed()).toEqual([])
  const last = await makeChannel(admin, { models: 'batch-d' })
  await db.delete(abilities).where(eq(abilities.channel_id, last.id))
  await makeChannel(admin, { models: 'read-anew' })
  expect(await listed()).toEqual([])
  await post('fix', {})
  expect(await listed()).toEqual(['batch-d'])
})

test.each(['null', '[]', '5', '{"a":'])(
  'a stored mapping %p leaves the other channels in the routing table',
  async text => {
    const { id, models } = await makeChannel(admin)
    const broken = await makeChannel(admin, { models })
    await db.update(channels).set({ model_mapping: text }).where(eq(channels.id, broken.id))
    await admin.put('/api/channel/', { id, weight: 1 })
    expect((await servingChannels('default', models)).map(one => one.id)).toEqual([id])
    expect(await admin.put('/api/channel/', { id: broken.id, model_mapping: '' })).toMatchObject({ success: true })
    expect((await servingChannels('default', models)).length).toBe(2)
  },
)

test('the routing table matches the channels after concurrent changes and a deletion', async () => {
  const { id } = await makeChannel(admin)
  const other = await makeChannel(admin)
  const changes = Array.from({ length: 20 }, (_, index) => ({
    id: index % 2 ? id : other.id,
    models: `at-once-${index},at-once-${index + 1}`,
    group: index % 3 ? 'default' : 'default,vip',
  }))
  const [deleted] = await Promise.all([
    admin.delete(`/api/channel/${other.id}`),
    ...changes.map(change => admin.put('/api/channel/', change)),
  ])
  expect(deleted!.success).toBe(true)
  const { models, group } = await storedChannel(id)
  const served = (await enabledAbilities()).filter(({ model }) => model.startsWith('at-once-'))
  const said = group.split(',').flatMap(name => models.split(',').map(model => `${name} ${model}`))
  expect(served.map(one => `${one.group} ${one.model}`).sort()).toEqual(said.sort())
})

describe('health', () => {
  const enable = (on: boolean) =>
    admin.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: String(on) })
  afterAll(() => enable(false))

  test('channel health is counted by the hour', async () => {
    holdClock(true)
    const { id } = await makeChannel(admin)
    countServed(id, 'm')
    countFailed(id, 'm', 'timeout')
    await flushOutcomes()
    countServed(id, 'm')
    await flushOutcomes()
    const hours = (await healthOf([id])).get(id)!
    expect(hours.length).toBe(HEALTH_HOURS)
    expect(hours.at(-1)).toEqual({ succeeded: 2, failed: 1 })
    expect(hours[0]).toEqual({ succeeded: 0, failed: 0 })
    countFailed(id, 'm', 'timeout')
    shiftClock(3600)
    countServed(id, 'm')
    await flushOutcomes()
    expect((await healthOf([id])).get(id)!.slice(-2)).toEqual([
      { succeeded: 2, failed: 2 },
      { succeeded: 1, failed: 0 },
    ])
    shiftClock(-3600)
    // What was counted before the clock was set back is of no hour yet.
    const back = (await healthOf([id])).get(id)!
    expect([back.length, back.at(-1)]).toEqual([HEALTH_HOURS, { succeeded: 2, failed: 2 }])
    holdClock(false)
  })

  const closedBy = async (id: number, reason: string) => {
    const channel = (await channelById(id))!
    recordFailure(
      { channel, key: channel.keys[0]!, model: channel.models[0]! },
      { kind: 'refused', reason, fatal: true, of_key: true, of_model: false, trips_breaker: true },
    )
    await flushOutcomes()
    return storedChannel(id)
  }

  test('a fatal outcome disables a channel when auto-disable is on', async () => {
    await enable(false)
    const { id, models } = await makeChannel(admin)
    expect((await closedBy(id, '401')).status).toBe(ChannelStatus.enabled)
    await enable(true)
    const row = await closedBy(id, '401 invalid_api_key')
    expect(row.status).toBe(ChannelStatus.autoDisabled)
    expect(JSON.parse(row.other_info)).toMatchObject({
      status_reason: '401 invalid_api_key',
      status_time: expect.any(Number),
    })
    expect(await servingChannels('default', models)).toEqual([])
  })

  test('a fatal outcome leaves exempt and manually disabled channels alone', async () => {
    await enable(true)
    const kept = await makeChannel(admin, { auto_ban: 0 })
    expect((await closedBy(kept.id, '401')).status).toBe(ChannelStatus.enabled)
    const disabled = await makeChannel(admin, { status: ChannelStatus.disabled })
    expect((await closedBy(disabled.id, '401')).status).toBe(ChannelStatus.disabled)
  })
})
