// @engine both
/** Undo in the toast of a change: a form without a body, which restores what was and leaves later changes alone. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { RedemptionStatus } from '../../src/contracts/redemption.ts'
import { digest } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { abilities, channels, disabledKeys } from '../../src/domain/channels/table.ts'
import { redemptions } from '../../src/domain/redemption/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { priceFields } from '../support/people/price-forms.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
await setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.8 }))

/** What the toast after a form says, and where its undo is posted. */
function toastOf(response: Response): { text?: string; undo?: string } {
  const [, notice = '{}'] = /notice=([^;]+)/.exec(response.headers.getSetCookie().join()) ?? []
  const { text, undo } = JSON.parse(decodeURIComponent(notice))
  return { text, undo: undo?.action }
}

/** Sends the form of the toast, and answers with what the next one says. */
async function undo(response: Response, as: Person = admin): Promise<string | undefined> {
  return toastOf(await as.form(toastOf(response).undo!)).text
}

const text = (ids: number[]) => ids.map(String)
const make = async (fields = {}) => (await makeChannel(root, fields)).id
const channelsNow = async (ids: number[], name: 'status' | 'tag' | 'priority' = 'status') =>
  Promise.all(ids.map(async id => (await storedChannel(id))[name]))

test('channels: undo enables those that a batch has disabled, and not those that were disabled before', async () => {
  const [a, b, off] = [await make(), await make(), await make()]
  const ids = [a, b, off]
  await root.form(`/admin/channels/${off}/status`, { status: '2' })
  const done = await admin.form('/admin/channels/selected', { 'ids[]': text(ids), action: 'disable' })
  expect(await channelsNow(ids)).toEqual([2, 2, 2])
  expect(await undo(done)).toBe('Change undone')
  expect(await channelsNow(ids)).toEqual([1, 1, 2])
  const served = await db.select().from(abilities).where(eq(abilities.channel_id, a))
  expect(served.map(({ enabled }) => enabled)).toEqual([true])
  expect(await undo(done)).toBe('Nothing was undone: it has been changed since')
  expect(await channelsNow(ids)).toEqual([1, 1, 2])
  const again = await admin.form('/admin/channels/selected', { 'ids[]': text([off]), action: 'disable' })
  expect(toastOf(again)).toEqual({ text: '1 channel disabled', undo: undefined })
})

test('channels: undo leaves alone what was changed since, also when it has the same value again', async () => {
  const ids = [await make(), await make(), await make()]
  const done = await admin.form('/admin/channels/selected', { 'ids[]': text(ids), action: 'disable' })
  await root.form(`/admin/channels/${ids[0]}/status`, { status: '1' })
  await root.form(`/admin/channels/${ids[1]}/status`, { status: '1' })
  await root.form(`/admin/channels/${ids[1]}/status`, { status: '2' })
  expect(await undo(done)).toBe('Undone. 2 were changed since and stay as they are')
  expect(await channelsNow(ids)).toEqual([1, 2, 1])
})

test('channels: undo of enabling one that has disabled itself restores its reason and its disabled keys', async () => {
  const id = await make({ key: 'sk-a,sk-b' })
  const reason = JSON.stringify({ status_reason: '401', status_time: 7 })
  const row = { channel_id: id, key_hash: digest('sk-a'), status: 3, reason: '401', closed_time: 7 }
  await db.update(channels).set({ status: ChannelStatus.autoDisabled, other_info: reason }).where(eq(channels.id, id))
  await db.insert(disabledKeys).values(row)
  const keys = () => db.select().from(disabledKeys).where(eq(disabledKeys.channel_id, id))
  for (const [path, form] of [
    [`/admin/channels/${id}/status`, { status: '1' }],
    ['/admin/channels/selected', { 'ids[]': [String(id)], action: 'enable' }],
  ] as [string, Record<string, string | string[]>][]) {
    const done = await admin.form(path, form)
    expect([(await storedChannel(id)).status, (await keys()).length]).toEqual([1, 0])
    expect(await undo(done)).toBe('Change undone')
    expect(await storedChannel(id)).toMatchObject({ status: ChannelStatus.autoDisabled, other_info: reason })
    expect(await keys()).toEqual([row])
  }
})

test('channels: undo of one switched key restores its state with the reason, and not after a later switch', async () => {
  const id = await make({ key: 'sk-first-0001,sk-second-0002' })
  const keys = () => db.select().from(disabledKeys).where(eq(disabledKeys.channel_id, id))
  const ids = ['sk-first-0001', 'sk-second-0002'].map(key => digest(key).slice(0, 16))
  const turn = (at: number, status: number) =>
    admin.form(`/admin/channels/${id}/keys`, { turn: `${ids[at]} ${status}` })
  const disabled = await turn(0, 2)
  expect((await keys()).map(({ status }) => status)).toEqual([2])
  expect(await undo(disabled)).toBe('Change undone')
  expect(await keys()).toEqual([])
  expect(await undo(disabled)).toBe('Nothing was undone: it has been changed since')

  const row = { channel_id: id, key_hash: digest('sk-first-0001'), status: 3, reason: '401', closed_time: 7 }
  await db.insert(disabledKeys).values(row)
  const enabled = await turn(0, 1)
  expect(await keys()).toEqual([])
  expect(await undo(enabled)).toBe('Change undone')
  expect(await keys()).toEqual([row])

  const again = await turn(0, 1)
  await turn(1, 2)
  expect(await undo(again)).toBe('Nothing was undone: it has been changed since')
  expect((await keys()).map(({ key_hash }) => key_hash)).toEqual([digest('sk-second-0002')])
})

test('channels: undo restores the tag and what a tag has set, of each channel its own', async () => {
  const ids = [await make({ tag: 'eu', priority: 5 }), await make({ priority: 9 })]
  const tagged = await admin.form(`/admin/channels/set-tag?set_tag=${ids}`, { tag: 'us' })
  expect(await channelsNow(ids, 'tag')).toEqual(['us', 'us'])
  const fields = await admin.form('/admin/channels/tag?tag=us', {
    ...{ new_tag: 'asia', models: '', groups: '', model_mapping: '', priority: '1', weight: '' },
  })
  expect([await channelsNow(ids, 'tag'), await channelsNow(ids, 'priority')]).toEqual([
    ['asia', 'asia'],
    [1, 1],
  ])
  expect(await undo(tagged)).toBe('Nothing was undone: it has been changed since')
  expect(await undo(fields)).toBe('Change undone')
  expect([await channelsNow(ids, 'tag'), await channelsNow(ids, 'priority')]).toEqual([
    ['us', 'us'],
    [5, 9],
  ])
  const off = await admin.form('/admin/channels/tag/switch?tag=us', { status: '2' })
  expect(await channelsNow(ids)).toEqual([2, 2])
  expect(await undo(off)).toBe('Change undone')
  expect(await channelsNow(ids)).toEqual([1, 1])
})

test('redemption: undo enables the codes that were disabled, and leaves a deleted one alone', async () => {
  await root.post('/api/redemption/', { quota: 500, count: 3, name: 'undo' })
  const codes = () => db.select().from(redemptions).where(eq(redemptions.name, 'undo')).orderBy(redemptions.id)
  const ids = (await codes()).map(({ id }) => id)
  const states = async () => (await codes()).map(({ status }) => status)
  const { unused, disabled } = RedemptionStatus
  const one = await admin.form(`/admin/coupons/${ids[0]}/switch`, { status: String(disabled) })
  const rest = await admin.form('/admin/coupons/selected', { 'ids[]': text(ids), action: 'disable' })
  expect(await states()).toEqual([disabled, disabled, disabled])
  expect(await undo(rest)).toBe('Change undone')
  expect(await states()).toEqual([disabled, unused, unused])
  expect(await undo(one)).toBe('Change undone')
  expect(await states()).toEqual([unused, unused, unused])
  const all = await admin.form('/admin/coupons/selected', { 'ids[]': text(ids), action: 'disable' })
  await root.delete(`/api/redemption/${ids[1]}`)
  expect(await undo(all)).toBe('Undone. 1 was changed since and stays as it is')
  expect(await states()).toEqual([unused, disabled, unused])
})

test('users: undo restores state and group of each, within the reach of its author, for a quarter of an hour', async () => {
  const [ann, bob, eve] = [await visitor(), await visitor(), await visitor()]
  const ids = [ann, bob, eve].map(({ id }) => id)
  const now = async (name: 'status' | 'group') =>
    Promise.all(ids.map(async id => (await db.select().from(users).where(eq(users.id, id)))[0]![name]))
  await root.form(`/admin/users/${eve.id}/manage`, { action: 'disable' })
  const off = await admin.form('/admin/users/selected', { 'ids[]': text(ids), action: 'disable' })
  expect((await root.form(toastOf(off).undo!)).status).toBe(404)
  expect(await undo(off)).toBe('Change undone')
  expect(await now('status')).toEqual([1, 1, 2])
  await root.form(`/admin/users/${bob.id}/group`, { group: 'vip' })
  const moved = await admin.form(`/admin/users/${ids.slice(0, 2)}/group`, { group: 'vip' })
  expect(await now('group')).toEqual(['vip', 'vip', 'default'])
  expect(await undo(moved)).toBe('Change undone')
  expect(await now('group')).toEqual(['default', 'vip', 'default'])
  const late = await admin.form(`/admin/users/${ann.id}/manage`, { action: 'disable' })
  await root.form(`/admin/users/${ann.id}/manage`, { action: 'promote' })
  expect(await undo(late)).toBe('Nothing was undone: it has been changed since')
  await root.form(`/admin/users/${ann.id}/manage`, { action: 'demote' })
  shiftClock(901)
  expect((await admin.form(toastOf(late).undo!)).status).toBe(404)
  shiftClock(-901)
  expect(await now('status')).toEqual([2, 1, 2])
})

test('users: undo of enabling ends the sessions of the user', async () => {
  const ann = await visitor()
  await db.update(users).set({ status: 2 }).where(eq(users.id, ann.id))
  const open = () => db.select().from(sessions).where(eq(sessions.user_id, ann.id))
  const on = await admin.form(`/admin/users/${ann.id}/manage`, { action: 'enable' })
  expect(await open()).toHaveLength(1)
  expect(await undo(on)).toBe('Change undone')
  expect(await open()).toEqual([])
})

test('users: undo of enabling leaves a user alone who has become root since', async () => {
  const ann = await visitor()
  await db.update(users).set({ status: 2 }).where(eq(users.id, ann.id))
  const on = await root.form(`/admin/users/${ann.id}/manage`, { action: 'enable' })
  await db.update(users).set({ role: Role.root }).where(eq(users.id, ann.id))
  await undo(on, root)
  const [row] = await db.select().from(users).where(eq(users.id, ann.id))
  expect(row).toMatchObject({ status: 1, role: Role.root })
  await db.update(users).set({ role: Role.user }).where(eq(users.id, ann.id))
})

test('users: undo leaves an entry of its own, and brings back no group that is gone', async () => {
  const ann = await visitor()
  const latest = async () => (await root.get('/api/audit/?page_size=1')).data.items[0]
  const manage = (action: string) => admin.form(`/admin/users/${ann.id}/manage`, { action })
  const changes: [Response, object][] = [
    [await manage('disable'), { action: 'user.enable', before: { status: 2 }, after: { status: 1 } }],
    [
      await admin.form(`/admin/users/${ann.id}/group`, { group: 'vip' }),
      { action: 'user.edit', before: { group: 'vip' }, after: { group: 'default' } },
    ],
  ]
  for (const [response, entry] of changes) {
    expect(await undo(response)).toBe('Change undone')
    expect(await latest()).toMatchObject({ ...entry, actor_name: admin.username, target_id: String(ann.id) })
  }
  await manage('disable')
  expect(await undo(await manage('enable'))).toBe('Change undone')
  expect(await latest()).toMatchObject({ action: 'user.disable', after: { status: 2 } })
  await setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.8, old: 1 }))
  await db.update(users).set({ group: 'old' }).where(eq(users.id, ann.id))
  const moved = await admin.form(`/admin/users/${ann.id}/group`, { group: 'vip' })
  await setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.8 }))
  expect(await undo(moved)).toBe('Nothing was undone: it has been changed since')
  const again = await admin.form(`/admin/users/${ann.id}/group`, { group: 'default' })
  shiftClock(899)
  expect(await undo(again)).toBe('Change undone')
  shiftClock(-899)
})

test('prices: undo restores the price of a model, and keeps that of another one which was changed since', async () => {
  const save = (name: string, model_price: string) =>
    root.form('/admin/settings/prices/models', { name, mode: 'call', model_price })
  const prices = async () => JSON.parse((await root.get('/api/option/')).data.find(isPrice).value)
  const isPrice = ({ key }: { key: string }) => key === 'ModelPrice'
  await setOption('ModelPrice', JSON.stringify({ 'undo-a': 1 }))
  const groups = await priceFields(root, '/admin/settings?area=groups')
  const done = await root.form('/admin/settings/prices/groups', { ...groups, GroupRatio: '{"default":1,"vip":0.5}' })
  expect(await undo(done, root)).toBe('Change undone')
  const ratio = (await root.get('/api/option/')).data.find(({ key }: { key: string }) => key === 'GroupRatio')
  expect(JSON.parse(ratio.value)).toEqual({ default: 1, vip: 0.8 })
  const added = await save('undo-b', '2')
  expect(await prices()).toEqual({ 'undo-a': 1, 'undo-b': 2 })
  await setOption('ModelPrice', JSON.stringify({ 'undo-a': 3, 'undo-b': 2 }))
  expect(await undo(added, root)).toBe('Change undone')
  expect(await prices()).toEqual({ 'undo-a': 3 })
})

test('keys: undo enables those of the selection that were enabled, and none that was enabled since', async () => {
  const ann = await visitor()
  const keys: { id: number }[] = (await ann.post('/api/token/', { name: 'laptop', count: 3 })).data
  const ids = keys.map(({ id }) => id).sort((a, b) => a - b)
  const states = async () => Promise.all(ids.map(async id => (await ann.get(`/api/token/${id}`)).data.status))
  await ann.form(`/app/tokens/${ids[0]}/disable`)
  const done = await ann.form('/app/tokens/selected', { 'ids[]': text(ids), action: 'disable' })
  expect([toastOf(done).text, await states()]).toEqual(['Disabled 2 API keys', [2, 2, 2]])
  const on = await ann.form(`/app/tokens/${ids[1]}/enable`)
  expect(await undo(done, ann)).toMatch(/^Enabled laptop-\w{6}$/)
  expect(await states()).toEqual([2, 1, 1])
  await ann.form(toastOf(on).undo!)
  expect(await states()).toEqual([2, 2, 1])
})

test('undo of a request takes back nothing where one of its changes cannot be taken back', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const done = await admin.form(`/admin/users/${ann.id}/manage`, { action: 'disable' })
  expect(await admin.put('/api/user/', { id: bob.id, display_name: 'Bob' })).toMatchObject({ success: true })
  const entryOf = async ({ id }: Person) =>
    (
      await db
        .select()
        .from(auditLog)
        .where(eq(auditLog.target_id, String(id)))
    ).at(-1)!
  const { request_id } = await entryOf(ann)
  const other = await entryOf(bob)
  await db.update(auditLog).set({ request_id, action: 'user.delete' }).where(eq(auditLog.id, other.id))
  expect((await admin.form(toastOf(done).undo!)).status).toBe(404)
  const [now] = await db.select().from(users).where(eq(users.id, ann.id))
  expect(now!.status).toBe(2)
  await db.update(auditLog).set({ request_id: other.request_id }).where(eq(auditLog.id, other.id))
  expect(await undo(done)).toBe('Change undone')
})
