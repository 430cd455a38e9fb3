/** Channels by tag: lists in tag mode, changes of all channels of a tag. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { db } from '../../src/db/database.ts'
import { abilities, channels } from '../../src/domain/channels/table.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { KEY, makeChannel, storedChannel } from '../support/upstream/channel.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

const make = async (fields: Record<string, unknown> = {}) => (await makeChannel(root, fields)).id
const abilityOf = async (id: number) =>
  (await db.select().from(abilities).where(eq(abilities.channel_id, id)).orderBy(abilities.model))[0]

beforeEach(async () => void (await db.delete(channels)))

describe('the list in tag mode', () => {
  const names = (answer: { data: { name: string }[] }) => answer.data.map(channel => channel.name)

  beforeEach(async () => {
    await make({ name: 'alone', priority: 9 })
    await make({ name: 'eu-1', tag: 'eu', priority: 1 })
    await make({ name: 'us-1', tag: 'us', priority: 5, models: 'special' })
    await make({ name: 'eu-2', tag: 'eu', priority: 3 })
    await make({ name: 'alone-too', priority: 0 })
  })

  test('a page counts tags and ends with untagged channels', async () => {
    const all = await admin.get('/api/channel/?tag_mode=true&page_size=10')
    expect(names(all as never)).toEqual(['us-1', 'eu-2', 'eu-1', 'alone', 'alone-too'])
    expect(all.total).toBe(4)
    const first = await admin.get('/api/channel/?tag_mode=true&page_size=2')
    expect(names(first as never)).toEqual(['us-1', 'eu-2', 'eu-1'])
    const second = await admin.get('/api/channel/?tag_mode=true&page_size=2&p=1')
    expect(names(second as never)).toEqual(['alone', 'alone-too'])
    const mixed = await admin.get('/api/channel/?tag_mode=true&page_size=3&p=0')
    expect(names(mixed as never)).toEqual(['us-1', 'eu-2', 'eu-1', 'alone'])
  })

  test('the newest tags and channels come first when sorted by id', async () => {
    const all = await admin.get('/api/channel/?tag_mode=true&id_sort=true&page_size=10')
    expect(names(all as never)).toEqual(['eu-2', 'eu-1', 'us-1', 'alone-too', 'alone'])
  })

  test('a search answers every channel of the tags in which it finds one', async () => {
    const found = await admin.get('/api/channel/search?tag_mode=true&keyword=eu-1')
    expect(names(found as never)).toEqual(['eu-2', 'eu-1'])
    expect(found.total).toBe(1)
    expect(names((await admin.get('/api/channel/search?tag_mode=true&model=special')) as never)).toEqual(['us-1'])
  })

  test('tag mode never answers a key', async () => {
    const list = await admin.get('/api/channel/?tag_mode=true&page_size=100')
    const found = await admin.get(`/api/channel/search?tag_mode=true&keyword=${KEY}`)
    expect(found.data).toHaveLength(5)
    for (const { key } of [...list.data, ...found.data]) expect(key).toBe('')
  })
})

describe('changes of a tag', () => {
  test('given fields change in every channel and its abilities, absent and empty ones stay', async () => {
    const ids = [await make({ tag: 'eu', models: 'a', weight: 4 }), await make({ tag: 'eu', models: 'b' })]
    const body = { tag: 'eu', models: '', groups: [], model_mapping: '', priority: 7 }
    expect(await admin.put('/api/channel/tag', body)).toMatchObject({ success: true, data: 2 })
    expect(await storedChannel(ids[0]!)).toMatchObject({ models: 'a', group: 'default', priority: 7, weight: 4 })
    expect(await abilityOf(ids[1]!)).toMatchObject({ model: 'b', priority: 7 })
    const lists = { tag: 'eu', models: ['x', 'y'], groups: ['vip'], model_mapping: '{"x":"z"}', weight: '2' }
    expect(await admin.put('/api/channel/tag', lists)).toMatchObject({ data: 2 })
    expect(await storedChannel(ids[1]!)).toMatchObject({ models: 'x,y', group: 'vip', model_mapping: '{"x":"z"}' })
    expect(await abilityOf(ids[1]!)).toMatchObject({ model: 'x', group: 'vip', priority: 7, weight: 2 })
  })

  test('a new tag renames it, and an empty one dissolves it', async () => {
    const id = await make({ tag: 'old' })
    expect(await admin.put('/api/channel/tag', { tag: 'old', new_tag: 'new' })).toMatchObject({ data: 1 })
    expect((await storedChannel(id)).tag).toBe('new')
    expect(await admin.put('/api/channel/tag', { tag: 'old', new_tag: 'x' })).toMatchObject({
      status: 404,
      code: 'channel.gone',
    })
    expect(await admin.put('/api/channel/tag', { tag: 'new', new_tag: '' })).toMatchObject({ data: 1 })
    expect((await storedChannel(id)).tag).toBe('')
  })

  test.each([
    ['priority', '1.5'],
    ['priority', -1000],
    ['weight', -1],
    ['weight', 'much'],
    ['model_mapping', '{"a":'],
    ['model_mapping', '{"a":"b","b":"a"}'],
    ['new_tag', 'x'.repeat(101)],
    ['models', 'm'.repeat(256)],
    ['tag', ' '],
  ])('an invalid %s is refused at its field: %p', async (field, value) => {
    const id = await make({ tag: 'eu' })
    const before = await storedChannel(id)
    const answer = await admin.put('/api/channel/tag', { tag: 'eu', priority: 3, [field]: value })
    expect(answer).toMatchObject({ status: 400, success: false, field })
    expect(await storedChannel(id)).toEqual(before)
  })

  test('more models and groups than one transaction can write are refused, for a tag and for one channel', async () => {
    const models = Array.from({ length: 501 }, (_, index) => `m${index}`)
    const groups = Array.from({ length: 100 }, (_, index) => `g${index}`)
    const refusal = { status: 400, field: 'models', code: 'channel.too_many_models' }
    expect(await admin.post('/api/channel/', { name: 'a', key: 'k', models, groups })).toMatchObject(refusal)
    const id = await make({ tag: 'wide', models, groups: ['g1'] })
    expect(await admin.put('/api/channel/', { id, groups })).toMatchObject(refusal)
    expect(await admin.put('/api/channel/tag', { tag: 'wide', groups })).toMatchObject(refusal)
    expect((await storedChannel(id)).group).toBe('g1')
  })

  test('a tag is switched on and off, auto-disabled channels too, each with a row in the audit log', async () => {
    const ids = [await make({ tag: 'eu', name: 'switched-one' }), await make({ tag: 'eu', status: 3 })]
    expect(await admin.post('/api/channel/tag/enabled', { tag: 'eu' })).toMatchObject({ success: true, data: 2 })
    expect((await storedChannel(ids[1]!)).status).toBe(ChannelStatus.enabled)
    expect(await abilityOf(ids[1]!)).toMatchObject({ enabled: true })
    expect(await admin.post('/api/channel/tag/disabled', { tag: 'eu' })).toMatchObject({ data: 2 })
    expect((await storedChannel(ids[0]!)).status).toBe(ChannelStatus.disabled)
    const { data } = await root.get('/api/audit/?action=channel.edit&keyword=switched-one')
    expect(data.items).toMatchObject([{ before: { status: 1 }, after: { status: 2 } }])
    expect(await admin.post('/api/channel/tag/enabled', { tag: '' })).toMatchObject({ status: 400, field: 'tag' })
  })
})
