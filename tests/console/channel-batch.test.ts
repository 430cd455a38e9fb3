// @engine both
/** Several channels at once: batches by ids, disabled ones, abilities, copies. */
import { afterAll, describe, expect, test } from 'bun:test'
import { count, eq } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { db } from '../../src/db/database.ts'
import { abilities, channels } from '../../src/domain/channels/table.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { KEY, makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())

const make = async (fields: Record<string, unknown> = {}) => (await makeChannel(root, fields)).id
const abilitiesOf = async (id: number) => {
  const rows = await db.select().from(abilities).where(eq(abilities.channel_id, id)).orderBy(abilities.group)
  return rows.map(({ channel_id, ...row }) => row)
}
const changes = async (action: string, name?: string) => {
  const { data } = await root.get(`/api/audit/?action=${action}&page_size=100${name ? `&keyword=${name}` : ''}`)
  return data.items
}

describe('by ids', () => {
  test('the buttons of the selection ask before they delete or tag, and switch at once', async () => {
    const ids = [String(await make()), String(await make())]
    const press = async (action: string) =>
      (await admin.form('/admin/channels/selected', { 'ids[]': ids, action })).headers.get('location')
    expect(await press('delete')).toBe(`/admin/channels?delete_all=${ids.join('%2C')}`)
    expect(await press('tag')).toBe(`/admin/channels?set_tag=${ids.join('%2C')}`)
    for (const [action, status] of [
      ['disable', ChannelStatus.disabled],
      ['enable', ChannelStatus.enabled],
    ] as const) {
      expect(await press(action)).toBe('/admin/channels')
      expect((await storedChannel(Number(ids[1]))).status).toBe(status)
    }
  })

  test('a batch deletes channels with their abilities and counts those that were there', async () => {
    const ids = [await make(), await make({ name: 'batch-gone' })]
    expect(await admin.post('/api/channel/batch', { ids: [...ids, 999_999] })).toMatchObject({ success: true, data: 2 })
    expect(await storedChannel(ids[0]!)).toBeUndefined()
    expect(await abilitiesOf(ids[1]!)).toEqual([])
    expect(await changes('channel.delete', 'batch-gone')).toHaveLength(1)
    expect(await admin.post('/api/channel/batch', { ids })).toMatchObject({ success: true, data: 0 })
  })

  test('a batch switches channels and their abilities', async () => {
    const ids = [await make(), await make()]
    expect(await admin.post('/api/channel/batch/disabled', { ids })).toMatchObject({ success: true, data: 2 })
    expect((await storedChannel(ids[0]!)).status).toBe(ChannelStatus.disabled)
    expect(await abilitiesOf(ids[1]!)).toMatchObject([{ enabled: false }])
    expect(await admin.post('/api/channel/batch/enabled', { ids })).toMatchObject({ success: true, data: 2 })
    expect(await abilitiesOf(ids[1]!)).toMatchObject([{ enabled: true }])
  })

  test('a batch sets a tag as it was typed, and an empty one clears it', async () => {
    const ids = [await make(), await make()]
    const tag = '<b>eu & "us"</b>'
    expect(await admin.post('/api/channel/batch/tag', { ids, tag: ` ${tag} ` })).toMatchObject({ data: 2 })
    expect((await storedChannel(ids[0]!)).tag).toBe(tag)
    expect(await admin.post('/api/channel/batch/tag', { ids, tag: null })).toMatchObject({ data: 2 })
    expect((await storedChannel(ids[1]!)).tag).toBe('')
  })

  test('a batch without channels, with too long a tag, or of deleted channels is refused', async () => {
    const ids = [await make()]
    for (const path of ['', '/tag', '/enabled', '/test']) {
      const body = { ids: [], ...(path === '/tag' ? { tag: 'x' } : {}) }
      expect(await admin.post(`/api/channel/batch${path}`, body)).toMatchObject({ status: 400, field: 'ids' })
    }
    const long = await admin.post('/api/channel/batch/tag', { ids, tag: 'x'.repeat(101) })
    expect(long).toMatchObject({ status: 400, field: 'tag' })
    await admin.post('/api/channel/batch', { ids })
    const gone = { status: 404, success: false, code: 'channel.gone' }
    expect(await admin.post('/api/channel/batch/tag', { ids, tag: 'x' })).toMatchObject(gone)
    expect(await admin.post('/api/channel/batch/enabled', { ids })).toMatchObject(gone)
    expect(await admin.post('/api/channel/batch/test', { ids })).toMatchObject(gone)
    expect(await admin.post(`/api/channel/copy/${ids[0]}`, {})).toMatchObject(gone)
  })

  test('a batch takes a thousand channels at once', async () => {
    const row = { ...(await storedChannel(await make())), tag: 'thousand' }
    const { id: _, ...values } = row
    const made: { id: number }[] = []
    for (let n = 0; n < 10; n++) {
      made.push(
        ...(await db
          .insert(channels)
          .values(Array.from({ length: 100 }, () => values))
          .returning()),
      )
    }
    const ids = made.map(({ id }) => id)
    expect(await admin.post('/api/channel/batch/tag', { ids, tag: 'all' })).toMatchObject({ data: 1000 })
    expect(await admin.post('/api/channel/batch', { ids })).toMatchObject({ data: 1000 })
  })
})

test('all disabled and auto-disabled channels are deleted with their abilities, and counted', async () => {
  const kept = await make()
  const ids = [await make({ status: 2 }), await make({ status: 3 })]
  expect(await admin.delete('/api/channel/disabled')).toMatchObject({ success: true, data: 2 })
  expect(await storedChannel(kept)).toBeDefined()
  for (const id of ids) expect(await abilitiesOf(id)).toEqual([])
})

test('the abilities of every channel are rebuilt and counted', async () => {
  const id = await make({ models: 'x,y', group: 'a,b', model_prefix: 'p/', priority: 3 })
  await db.delete(abilities)
  const { data } = await admin.post('/api/channel/fix', {})
  expect(await abilitiesOf(id)).toHaveLength(4)
  expect(await abilitiesOf(id)).toContainEqual({ group: 'a', model: 'p/x', enabled: true, priority: 3, weight: 0 })
  const [rows] = await db.select({ n: count() }).from(abilities)
  expect(data).toBe(Number(rows!.n))
  expect(await changes('channel.fix')).toMatchObject([{ after: { abilities: data } }])
})

describe('copies', () => {
  test('a copy has the keys of its source, another name, and figures that start anew', async () => {
    const source = await make({ name: 'original', models: 'copied', status: 2 })
    await db
      .update(channels)
      .set({ used_quota: 5, response_time: 7, test_time: 8, balance: 9, balance_updated_time: 10 })
      .where(eq(channels.id, source))
    const { data, ...answer } = await admin.post(`/api/channel/copy/${source}`, {})
    expect(answer).toMatchObject({ success: true })
    expect(JSON.stringify(data)).not.toContain(KEY)
    const before = await storedChannel(source)
    const after = await storedChannel(data.id)
    expect(after).toMatchObject({ name: 'original_copy', status: 2, models: 'copied', key_sealed: before.key_sealed })
    expect(after).toMatchObject({ used_quota: 0, response_time: 0, test_time: 0, balance: 0, balance_updated_time: 0 })
    expect(await abilitiesOf(data.id)).toHaveLength(1)
    expect(await changes('channel.copy', 'original_copy')).toHaveLength(1)
  })

  test('a copy of a channel with the longest name fits', async () => {
    const source = await make({ name: 'n'.repeat(100) })
    const { data } = await admin.post(`/api/channel/copy/${source}`, {})
    expect(data.name).toBe(`${'n'.repeat(95)}_copy`)
  })
})

describe('runs', () => {
  test('the progress of a test of several channels is read with each result', async () => {
    upstream.scripts('good', chat())
    upstream.scripts('bad', refuses(401))
    const good = await make({ models: 'good', key: 'sk-upstream', base_url: upstream.url, status: 2 })
    const bad = await make({ models: 'bad', key: 'sk-upstream', base_url: upstream.url, name: 'bad-key' })
    expect(await admin.post('/api/channel/batch/test', { ids: [good, bad] })).toMatchObject({ success: true })
    await jobsDone()
    const { data } = await admin.get('/api/channel/run/test')
    expect(data).toMatchObject({ is_running: false, total: 2 })
    expect(data.results).toHaveLength(2)
    const of = (id: number) => data.results.find((result: { id: number }) => result.id === id)
    expect(of(good)).toMatchObject({ value: expect.any(Number) })
    expect(of(bad)).toMatchObject({ name: 'bad-key', message: expect.stringContaining('Incorrect API key') })
    expect((await storedChannel(good)).status).toBe(ChannelStatus.disabled)
  })

  test('the reason of a closing by a test is the status and the words of the upstream', async () => {
    await root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
    upstream.scripts('bad', refuses(401))
    const id = await make({ models: 'bad', key: 'sk-upstream', base_url: upstream.url, tag: 'closing' })
    await admin.post('/api/channel/tag/test', { tag: 'closing' })
    await jobsDone()
    const { status, other_info } = await storedChannel(id)
    expect(status).toBe(ChannelStatus.autoDisabled)
    expect(JSON.parse(other_info).status_reason).toBe('401 Incorrect API key provided: ***')
  })

  test('a run that has not taken place has no progress, and an unknown kind has no address', async () => {
    expect(await admin.get('/api/channel/run/balance')).toMatchObject({ success: true, data: null })
    expect(await admin.get('/api/channel/run/other')).toMatchObject({ status: 404 })
  })
})
