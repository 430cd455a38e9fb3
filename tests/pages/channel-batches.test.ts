// @engine sqlite
/** Several channels at once on the channel page, without JavaScript. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { KEY, makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const upstream = await fakeUpstream()
upstream.scripts('good', chat())
upstream.scripts('bad', refuses(401))
afterAll(() => upstream.stop())

const PATH = '/admin/channels'
const make = async (fields: Record<string, unknown> = {}) => (await makeChannel(root, fields)).id
const page = async (path: string, cookies = '', language: 'en' | 'zh' = 'en') => {
  const cookie = [admin.cookie, cookies].filter(Boolean).join('; ')
  return (await admin.page(path, { headers: { cookie }, language })).text()
}
/** Text that a reader sees, tags removed. */
const read = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const rowsIn = (html: string) => [...html.matchAll(/<tr id="row-([^"]+)"/g)].map(match => match[1])
const locationOf = async (answer: Promise<Response>) => (await answer).headers.get('location')

beforeEach(async () => void (await db.delete(channels)))

describe('the list by tag', () => {
  const BY_TAG = 'channel-tag-mode=true'

  test('a tag is a row with the sums of its channels, which an open tag shows under it', async () => {
    const alone = await make({ name: 'alone' })
    const first = await make({ name: 'first', tag: 'eu', priority: 3, weight: 5 })
    const second = await make({ name: 'second', tag: 'eu', priority: 3, status: 2 })
    await db.update(channels).set({ used_quota: 500_000, response_time: 1000 })
    const closed = await page(PATH, BY_TAG)
    expect(rowsIn(closed)).toEqual(['tag-eu', String(alone)])
    expect(read(closed)).toContain('1 of 2 enabled')
    expect(read(closed)).toContain('$1.00')
    expect(/id="row-tag-eu".*?<\/tr>/s.exec(closed)![0]).toContain('mixed')
    const opened = await page(`${PATH}?open=eu`, BY_TAG)
    expect(rowsIn(opened)).toEqual(['tag-eu', String(second), String(first), String(alone)])
    expect(rowsIn(await page(PATH))).toHaveLength(3)
  })

  test('the filters of a phone are fields, whose values are no parts of a sentence', async () => {
    await make()
    const sheet = read((await page(PATH)).split('id="filter-sheet"')[1]!.split('</form>')[0]!)
    expect(sheet).toContain('State Any Enabled Disabled Auto-disabled')
    expect(sheet).not.toContain('any group')
  })

  test('a tag with markup is text', async () => {
    await make({ tag: '<img src=x onerror=alert(1)>' })
    const html = await page(PATH, BY_TAG)
    expect(html.includes('<img src=x')).toBe(false)
    expect(html.includes('&lt;img src=x')).toBe(true)
  })

  test('the switch, the order and hidden columns are remembered in cookies', async () => {
    const low = await make({ priority: 1 })
    const high = await make({ priority: 9 })
    const newest = await make({ priority: 0 })
    const set = await admin.form('/preferences', { 'channel-tag-mode': 'true', 'id-sort': 'true', returnTo: PATH })
    const cookies = set.headers.getSetCookie().map(cookie => cookie.split(';')[0])
    expect(cookies).toEqual(['channel-tag-mode=true', 'id-sort=true'])
    expect(rowsIn(await page(PATH))).toEqual([high, low, newest].map(String))
    expect(rowsIn(await page(PATH, 'id-sort=true'))).toEqual([newest, high, low].map(String))
    const columns = await admin.form(`${PATH}/columns`, { 'columns[]': ['tag', 'state'], returnTo: PATH })
    const cookie = columns.headers.getSetCookie()[0]!.split(';')[0]!
    expect(cookie).toStartWith('channels-table-columns=')
    const heads = [...(await page(PATH, cookie)).matchAll(/<th[^>]*scope="col"[^>]*>([^<]*)/g)].map(match => match[1])
    expect(heads).toEqual(['Channel', 'Tag', 'State'])
  })

  test('a tag is switched, edited and tested from its row', async () => {
    const id = await make({ tag: 'eu', models: 'good', key: 'sk-upstream', base_url: upstream.url })
    const off = admin.form(`${PATH}/tag/switch?tag=eu`, { status: '2', returnTo: PATH })
    expect(await locationOf(off)).toBe(PATH)
    expect((await storedChannel(id)).status).toBe(ChannelStatus.disabled)
    const fields = { new_tag: 'us', models: '', groups: 'vip', model_mapping: '', priority: '', weight: '8' }
    expect((await admin.form(`${PATH}/tag?tag=eu`, { ...fields, weight: '-8' })).status).toBe(422)
    expect(await locationOf(admin.form(`${PATH}/tag?tag=eu`, { ...fields, returnTo: PATH }))).toBe(PATH)
    expect(await storedChannel(id)).toMatchObject({ tag: 'us', group: 'vip', weight: 8, models: 'good', priority: 0 })
    expect(await locationOf(admin.form(`${PATH}/tag/test?tag=us`))).toBe(`${PATH}?run=test`)
    await jobsDone()
    expect(read(await page(`${PATH}?run=test`))).toContain('1 of 1 done')
  })
})

test('failures of a test run are grouped by their reason, and their enabled channels are disabled together', async () => {
  const [first, second] = [await make({ models: 'bad' }), await make({ models: 'bad' })]
  const good = await make({ models: 'good', key: 'sk-upstream' })
  await db.update(channels).set({ base_url: upstream.url, auto_ban: 0 })
  const closed = await make({ models: 'bad', status: 3 })
  await db.update(channels).set({ base_url: upstream.url }).where(eq(channels.id, closed))
  expect(await locationOf(root.form(`${PATH}/test`))).toBe(`${PATH}?run=test`)
  await jobsDone()
  const results = await page(`${PATH}?run=test`)
  const group = results.split('class="run-failure"')[1]!.split('</form>')[0]!
  expect(read(group)).toMatch(/[23] × .*401/)
  const ticked = [...group.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box)
  expect(ticked.map(box => Number(/value="(\d+)"/.exec(box)![1])).sort()).toEqual([first, second].sort())
  expect(ticked.every(box => box.includes('name="ids[]"') && box.includes('checked=""'))).toBe(true)
  expect(group).toContain(`href="${PATH}?edit=${first}"`)
  await admin.form(`${PATH}/selected`, { 'ids[]': [first, second].map(String), action: 'disable', returnTo: PATH })
  expect((await storedChannel(first)).status).toBe(ChannelStatus.disabled)
  expect((await storedChannel(good)).status).toBe(ChannelStatus.enabled)
  expect(await page(`${PATH}?run=test`)).not.toContain('Disable these')
})

describe('the selection bar', () => {
  const select = (ids: number[], action: string) =>
    admin.form(`${PATH}/selected`, { 'ids[]': ids.map(String), action, returnTo: PATH })

  test('selected channels are disabled and enabled', async () => {
    const ids = [await make(), await make()]
    await select(ids, 'disable')
    for (const id of ids) expect((await storedChannel(id)).status).toBe(ChannelStatus.disabled)
    await select(ids, 'enable')
    for (const id of ids) expect((await storedChannel(id)).status).toBe(ChannelStatus.enabled)
  })

  test('selected channels get a tag', async () => {
    const ids = [await make(), await make()]
    const dialog = (await locationOf(select(ids, 'tag')))!
    expect(read(await page(dialog))).toContain('Remove tag')
    const action = `${PATH}/set-tag?set_tag=${ids.join(',')}`
    expect((await admin.form(action, { tag: 'x'.repeat(101) })).status).toBe(422)
    expect(await locationOf(admin.form(action, { tag: 'eu', returnTo: PATH }))).toBe(PATH)
    for (const id of ids) expect((await storedChannel(id)).tag).toBe('eu')
    const empty = await admin.form(action, { tag: '' })
    expect([empty.status, read(await empty.text())]).toEqual([422, expect.stringContaining('Enter a tag')])
    for (const id of ids) expect((await storedChannel(id)).tag).toBe('eu')
    expect(await locationOf(admin.form(action, { tag: 'eu', remove: 'true', returnTo: PATH }))).toBe(PATH)
    for (const id of ids) expect((await storedChannel(id)).tag).toBe('')
  })

  test('selected channels are deleted after their number was typed', async () => {
    const ids = [await make(), await make()]
    expect(await locationOf(select(ids, 'delete'))).toBe(`${PATH}?delete_all=${ids.join('%2C')}`)
    const action = `${PATH}/delete-all?delete_all=${ids.join(',')}`
    expect((await admin.form(action, { confirm: '3' })).status).toBe(422)
    expect(await storedChannel(ids[0]!)).toBeDefined()
    expect((await admin.form(action, { confirm: '2' })).status).toBe(303)
    expect(await storedChannel(ids[0]!)).toBeUndefined()
  })

  test('an empty selection changes nothing', async () => {
    const id = await make()
    await admin.form(`${PATH}/selected`, { action: 'disable', returnTo: PATH })
    expect((await storedChannel(id)).status).toBe(ChannelStatus.enabled)
  })
})

test('all disabled channels are deleted after their number was typed', async () => {
  const kept = await make()
  const gone = [await make({ status: 2 }), await make({ status: 3 })]
  expect((await admin.form(`${PATH}/delete-disabled`, { confirm: '3' })).status).toBe(422)
  expect((await admin.form(`${PATH}/delete-disabled`, { confirm: '2' })).status).toBe(303)
  expect(await storedChannel(kept)).toBeDefined()
  expect(await storedChannel(gone[0]!)).toBeUndefined()
})

test('a copy opens in its drawer, and no page shows its key', async () => {
  const id = await make({ name: 'source' })
  const location = (await locationOf(admin.form(`${PATH}/${id}/copy`)))!
  const html = await page(location)
  expect(html.includes('Edit source_copy')).toBe(true)
  expect(html.includes(KEY)).toBe(false)
})

test('a test takes the chosen model', async () => {
  const id = await make({ models: 'bad,good', key: 'sk-upstream', base_url: upstream.url })
  expect(await page(`${PATH}?test=${id}`)).toContain('<option value="good">')
  await admin.form(`${PATH}/${id}/test`, { model: 'good' })
  expect(upstream.journal.at(-1)!.body.model).toBe('good')
})

test('the reason of an automatic closing is shown to each reader as the upstream gave it', async () => {
  const id = await make({ models: 'bad', key: 'sk-upstream', base_url: upstream.url })
  await root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  await root.post('/api/channel/batch/test', { ids: [id] }, { language: 'zh' })
  await jobsDone()
  const title = /title="(401 [^"]*)"/.exec(await page(PATH))![1]!
  expect(title).toStartWith('401 Incorrect API key provided')
  expect(await page(PATH, '', 'zh')).toContain(title.split(' · ')[0]!)
})

test('the balance stands under what was spent, in its currency, and is asked anew by a click', async () => {
  const id = await make({ type: 43 })
  expect(read(await page(PATH))).toContain('Check balance')
  await db.update(channels).set({ balance: 310.55, balance_updated_time: 1 })
  expect(read(await page(PATH))).toContain('¥310.55 left')
  expect((await page(PATH)).includes(`formAction="${PATH}/${id}/balance"`)).toBe(true)
})
