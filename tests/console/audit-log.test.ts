// @engine both
/** The audit log: every administrative write leaves an entry, which root can search and export. */
import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { ChannelForm } from '../../src/console/channels/form.ts'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { clearingEnded } from '../../src/domain/logs/clear.ts'
import { users } from '../../src/domain/users/table.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { accessOf, routes } from '../support/app/routes.ts'
import { paymentWrites } from '../support/epay/administrative-writes.ts'
import { budgetWrites } from '../support/people/budgets.ts'
import { callWrites } from '../support/people/call-writes.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { priceWrites } from '../support/people/price-writes.ts'
import { settingsTools, settingsWrites } from '../support/people/settings-writes.ts'
import { taskProbes, taskWrites } from '../support/people/task-rows.ts'
import { channelProbes, channelWrites } from '../support/upstream/channel-writes.ts'

const CLEARING_MS = 10_000
const [root, admin, ann] = [await setUp(), await visitor(Role.admin), await visitor()]

beforeEach(async () => void (await db.delete(auditLog)))

const entries = async (query = '') => (await root.get(`/api/audit/?${query}`)).data.items

const newChannel = async () =>
  (await root.post('/api/channel/', { name: 'one', key: 'sk-canary-1,sk-canary-2', models: 'gpt-4o' })).data

const aMessage = { title: 'one', content: 'text', format: 'markdown', user_ids: [ann.id] }
const newMessage = async (): Promise<number> => (await root.post('/api/admin/messages', aMessage)).data.id

const newCode = async (): Promise<number> => {
  await root.post('/api/redemption/', { name: 'audited', quota: 5 })
  return (await root.get('/api/redemption/')).data.items[0].id
}

let retries = 0
/** The drawer as it opened, all blank: only the fields that a form sends are changes. */
const unchanged = JSON.stringify(ChannelForm.parse({}))

/** A write of each administrative route: what it needs first, and the request. */
const writes: Record<string, (person: Person) => Promise<unknown>> = {
  'POST /api/option/rest_model_ratio': async person => {
    await root.put('/api/option/', { key: 'ModelRatio', value: '{"gpt-4o":9}' })
    await db.delete(auditLog)
    return person.post('/api/option/rest_model_ratio')
  },
  ...settingsWrites,
  'POST /app/logs/api-usage/clear': async person => {
    const response = await person.form('/app/logs/api-usage/clear', { day: '1970-01-02' })
    await clearingEnded(CLEARING_MS)
    return response
  },
  ...callWrites,
  'POST /api/channel/': person => person.post('/api/channel/', { name: 'two', key: 'sk-1', models: 'gpt-4o' }),
  'PUT /api/channel/': async person => person.put('/api/channel/', { id: (await newChannel()).id, priority: 7 }),
  'PUT /api/channel/:id/keys/:key': async person => {
    const { id } = await newChannel()
    const [key] = (await root.get(`/api/channel/${id}`)).data.keys
    return person.put(`/api/channel/${id}/keys/${key.id}`, { status: 2 })
  },
  'DELETE /api/channel/:id': async person => person.delete(`/api/channel/${(await newChannel()).id}`),
  'POST /api/user/': person => person.post('/api/user/', { username: `new${++retries}`, password: 'long-enough' }),
  'PUT /api/user/': async person => person.put('/api/user/', { id: (await visitor()).id, group: 'vip' }),
  'POST /api/user/manage': async person =>
    person.post('/api/user/manage', { id: (await visitor()).id, action: 'disable' }),
  'POST /api/topup': async person => person.post('/api/topup', { user_id: (await visitor()).id, quota: 5 }),
  'DELETE /api/user/:id': async person => person.delete(`/api/user/${(await visitor()).id}`),
  'POST /admin/users': person =>
    person.form('/admin/users', { username: `new${++retries}`, password: 'long-enough', form_id: 'form-3' }),
  'POST /admin/users/:id': async person => {
    const { id, username } = await visitor()
    return person.form(`/admin/users/${id}`, { username, group: 'vip', concurrency_limit: '3' })
  },
  'POST /admin/users/:id/quota': async person =>
    person.form(`/admin/users/${(await visitor()).id}/quota`, { quota_delta: '5', form_id: 'form-4' }),
  'POST /admin/users/:id/manage': async person =>
    person.form(`/admin/users/${(await visitor()).id}/manage`, { action: 'disable' }),
  'POST /admin/users/:id/sign-out': async person => person.form(`/admin/users/${(await visitor()).id}/sign-out`),
  'POST /admin/users/:id/reset-link': async person => {
    const mail = { SMTPServer: 'localhost', SMTPFrom: 'a@b.de', ServerAddress: 'https://a.example' }
    for (const [key, value] of Object.entries(mail)) await setOption(key, value)
    await db.delete(auditLog)
    const { id } = await visitor()
    await db
      .update(users)
      .set({ email: `person${id}@example.com` })
      .where(eq(users.id, id))
    return person.form(`/admin/users/${id}/reset-link`)
  },
  'POST /admin/users/:id/delete': async person => {
    const { id, username } = await visitor()
    return person.form(`/admin/users/${id}/delete`, { confirm: username })
  },
  'POST /admin/users/:id/group': async person =>
    person.form(`/admin/users/${(await visitor()).id}/group`, { group: 'vip' }),
  'POST /admin/users/:id/add-quota': async person =>
    person.form(`/admin/users/${(await visitor()).id}/add-quota`, { quota_delta: '5', form_id: 'form-7' }),
  'POST /admin/users/selected': async person =>
    person.form('/admin/users/selected', { 'ids[]': [String((await visitor()).id)], action: 'disable' }),
  ...budgetWrites,
  'POST /api/redemption/': person => person.post('/api/redemption/', { quota: 5, count: 3 }),
  'PUT /api/redemption/': async person => person.put('/api/redemption/', { id: await newCode(), quota: 7 }),
  'PUT /api/redemption/batch-disable': async person =>
    person.put('/api/redemption/batch-disable', { ids: [await newCode()] }),
  'DELETE /api/redemption/:id': async person => person.delete(`/api/redemption/${await newCode()}`),
  'DELETE /api/redemption/delete-by-name': async person => {
    await newCode()
    return person.delete('/api/redemption/delete-by-name?name=audited')
  },
  'DELETE /api/redemption/delete-disabled': async person => {
    await root.put('/api/redemption/batch-disable', { ids: [await newCode()] })
    await db.delete(auditLog)
    return person.delete('/api/redemption/delete-disabled')
  },
  'POST /admin/coupons': person => person.form('/admin/coupons', { quota: '1', count: '1', form_id: 'form-5' }),
  'POST /admin/coupons/:id': async person =>
    person.form(`/admin/coupons/${await newCode()}`, { name: 'other', quota: '1' }),
  'POST /admin/coupons/:id/switch': async person =>
    person.form(`/admin/coupons/${await newCode()}/switch`, { status: '2' }),
  'POST /admin/coupons/:id/delete': async person =>
    person.form(`/admin/coupons/${await newCode()}/delete`, { confirm: 'audited' }),
  'POST /admin/coupons/selected': async person =>
    person.form('/admin/coupons/selected', { 'ids[]': [String(await newCode())], action: 'disable' }),
  'POST /admin/coupons/delete-by-name': async person => {
    await root.delete('/api/redemption/delete-by-name?name=audited')
    await newCode()
    await db.delete(auditLog)
    return person.form('/admin/coupons/delete-by-name?named=audited', { confirm: '1' })
  },
  'POST /admin/coupons/delete-disabled': async person => {
    await root.delete('/api/redemption/delete-disabled')
    await root.put('/api/redemption/batch-disable', { ids: [await newCode()] })
    await db.delete(auditLog)
    return person.form('/admin/coupons/delete-disabled', { confirm: '1' })
  },
  ...paymentWrites,
  'POST /api/admin/messages': person => person.post('/api/admin/messages', aMessage),
  'PUT /api/admin/messages/:id': async person =>
    person.put(`/api/admin/messages/${await newMessage()}`, { title: 'other', content: 'text', format: 'markdown' }),
  'DELETE /api/admin/messages/:id': async person => person.delete(`/api/admin/messages/${await newMessage()}`),
  'POST /admin/messages': person =>
    person.form('/admin/messages', { title: 'one', content: 'text', format: 'markdown', to: 'all', form_id: 'form-2' }),
  'POST /admin/messages/:id': async person =>
    person.form(`/admin/messages/${await newMessage()}`, { title: 'other', content: 'text', format: 'markdown' }),
  'POST /admin/messages/:id/delete': async person => person.form(`/admin/messages/${await newMessage()}/delete`),
  ...{ ...priceWrites, ...taskWrites },
  ...channelWrites,
  'POST /admin/channels': person =>
    person.form('/admin/channels', {
      ...{ name: 'three', type: '1', key: 'sk-1', models: 'gpt-4o', 'group[]': 'default' },
      ...{ priority: '0', weight: '0', form_id: 'form-1' },
    }),
  'POST /admin/channels/:id': async person =>
    person.form(`/admin/channels/${(await newChannel()).id}`, { name: 'four', was: unchanged }),
  'POST /admin/channels/:id/keys': async person => {
    const { id } = await newChannel()
    const [key] = (await root.get(`/api/channel/${id}`)).data.keys
    return person.form(`/admin/channels/${id}/keys`, { turn: `${key.id} 2` })
  },
  'POST /admin/channels/:id/delete': async person => {
    const { id, name } = await newChannel()
    return person.form(`/admin/channels/${id}/delete`, { confirm: name })
  },
}

/** They test an upstream, check a draft or the books, or run a job early, and change nothing that an operator has set. */
const notWrites = [
  'POST /api/channel/fetch_models',
  ...settingsTools,
  'POST /api/option/validate_fallback_pricing',
  'POST /admin/coupons/count-by-name',
  'POST /admin/settings/prices/import',
  'POST /admin/messages/preview',
  'POST /admin/messages/recipients',
  'POST /admin/channels/test',
  'POST /admin/channels/:id/test',
  'POST /admin/diagnostics/audit',
  'POST /admin/diagnostics/jobs/:name/run',
  ...[...channelProbes, ...taskProbes],
]

/** Keys, everyone, and the choice of columns, which is a cookie. */
const notGuarded = /\*|^\/(hf\/)?v1|^\/(setup(\/import(\/:id)?)?|preferences)$|\/columns$/

/** Routes that change something and refuse an ordinary user. */
async function administrativeRoutes(): Promise<string[]> {
  const names: string[] = []
  for (const { method, path } of routes) {
    if (['GET', 'HEAD', 'OPTIONS', 'ALL', 'WS'].includes(method) || notGuarded.test(path)) continue
    const address = path.replace(/:\w+/g, '1')
    // One user a route: some of them end the session.
    const user = await visitor()
    const response = path.startsWith('/api/')
      ? await user.fetch(address, { method, body: '{}' })
      : await user.form(address, {})
    const isRefused = response.status === 403 || (response.status === 303 && response.headers.get('location') === '/')
    if (isRefused) names.push(`${method} ${path}`)
  }
  return names
}

test('every administrative write of the route table has a row in this test', async () => {
  expect((await administrativeRoutes()).toSorted()).toEqual([...Object.keys(writes), ...notWrites].toSorted())
})

for (const [route, write] of Object.entries(writes)) {
  test(`audit log: ${route} leaves one entry by its author`, async () => {
    const author = accessOf.get(route) === 'root' ? root : admin
    await write(author)
    const mine = (await entries()).filter((entry: { actor_id: number }) => entry.actor_id === author.id)
    expect([route, mine]).toMatchObject([
      route,
      [{ actor_name: author.username, address: '127.0.0.1', request_id: expect.stringMatching(/^req_/) }],
    ])
  })
}

test('audit log: an edit shows the changed fields before and after, and a secret only as changed', async () => {
  const { id } = await newChannel()
  await db.delete(auditLog)
  const setting = JSON.stringify({ proxy: 'http://u:canary-password@9.9.9.9:9' })
  await admin.put('/api/channel/', { id, priority: 4, key: 'sk-canary-3', setting })
  const [entry] = await entries()
  expect(entry).toMatchObject({
    action: 'channel.edit',
    target_kind: 'channel',
    target_id: String(id),
    target_name: 'one',
    before: { priority: 0, key: 'changed' },
    after: { priority: 4, key: 'changed', setting: 'changed' },
  })
  await root.put('/api/option/', { key: 'SMTPToken', value: 'canary-token' })
  await root.put('/api/option/', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"mine":3}' })
  const [prices, secret] = await entries()
  expect(secret).toMatchObject({ action: 'option.change', target_id: 'SMTPToken', after: { value: 'changed' } })
  expect(prices.after).toEqual({ mine: 3 })
  expect(JSON.stringify(await db.select().from(auditLog))).not.toContain('canary')
})

test('audit log: a refused or empty edit leaves no entry', async () => {
  const { id } = await newChannel()
  await db.delete(auditLog)
  await admin.put('/api/channel/', { id, priority: 0 })
  await admin.put('/api/channel/', { id, priority: 'high' })
  await admin.put('/api/option/', { key: 'SMTPToken', value: 'x' })
  await admin.put('/api/option/', { key: 'RetryTimes', value: 'many' })
  await admin.delete('/api/channel/999999')
  expect(await entries()).toEqual([])
})

test('audit log: filters by action, author, target and time, and pages', async () => {
  await writes['POST /api/channel/']!(admin)
  await writes['PUT /api/option/']!(root)
  const [latest] = await entries()
  expect(await entries('action=channel.create')).toMatchObject([{ target_name: 'two' }])
  expect(await entries(`actor=${admin.username}`)).toHaveLength(1)
  expect(await entries('keyword=CheckInMaxQuota')).toMatchObject([{ target_id: 'CheckInMaxQuota' }])
  expect(await entries('keyword=%25')).toEqual([])
  expect(await entries(`start_timestamp=${latest.created_time + 1}`)).toEqual([])
  expect(await entries('action=nothing&start_timestamp=x')).toHaveLength(2)
  const { data } = await root.get('/api/audit/?p=2&page_size=1')
  expect(data).toMatchObject({ total: 2, page: 2, page_size: 1, items: [{ action: 'channel.create' }] })
})

test('audit log: only root reads it', async () => {
  for (const person of [anyone, ann, admin]) {
    expect((await person.get('/api/audit/')).status).toBe(person === anyone ? 401 : 403)
    expect((await person.page('/admin/audit')).status).toBe(303)
    expect((await person.page('/admin/audit/export.csv')).status).toBe(303)
  }
  const page = await (await admin.page('/admin/channels')).text()
  expect(page).not.toContain('/admin/audit')
})

test('audit log: the page opens an entry in both languages, and its export is safe for spreadsheets', async () => {
  await root.post('/api/channel/', { name: '=cmd()', key: 'sk-1', models: 'gpt-4o' })
  shiftClock(60)
  const [{ id }] = await entries()
  const english = await (await root.page(`/admin/audit?open=${id}`)).text()
  expect(english).toContain('Channel created')
  expect(english).toContain('>Models<')
  const chinese = await (await root.page('/admin/audit', { language: 'zh' })).text()
  expect(chinese).toContain('新建渠道')
  const csv = await (await root.page('/admin/audit/export.csv?action=channel.create')).text()
  expect(csv).toContain(",'=cmd(),")
  expect(csv.trim().split('\r\n')).toHaveLength(2)
})

test('audit log: a cleared usage log leaves the audit log as it is', async () => {
  await writes['POST /api/channel/']!(admin)
  await root.delete('/api/log/?target_timestamp=99999999999')
  expect((await entries()).map((entry: { action: string }) => entry.action)).toEqual(['log.clear', 'channel.create'])
})
