// @engine both
/** The users page, as a browser without JavaScript uses it. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { setOption } from '../support/app/options.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
await setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.8 }))

const at = (response: Response) => response.headers.get('location')
const htmlOf = async (path: string, as = root) => (await as.page(`/admin/users${path}`)).text()
const rowOf = async ({ id }: Person) => (await db.select().from(users).where(eq(users.id, id)))[0]!
const cell = (html: string, person: Person) =>
  new RegExp(`<tr id="row-${person.id}"[\\s\\S]*?</tr>`).exec(html)?.[0] ?? ''

test('the list names every state, and hides the figures of higher users from administrators', async () => {
  const [ann, bob, eve] = [await visitor(Role.user, 500_000), await visitor(), await visitor()]
  await root.post('/api/user/manage', { id: bob.id, action: 'disable' })
  await root.post('/api/user/manage', { id: eve.id, action: 'delete' })
  await db.update(users).set({ role: 7, status: 3 }).where(eq(users.id, ann.id))
  const html = await htmlOf('')
  expect(cell(html, ann)).toContain('Unknown identity')
  expect(cell(html, ann)).toContain('Unknown state')
  expect(cell(html, ann)).not.toContain('value="enable"')
  expect(cell(html, bob)).toContain('Banned')
  expect(cell(html, bob)).toContain('value="enable"')
  expect(cell(html, eve)).toContain('Deregistered')
  expect(cell(html, eve)).not.toContain('<form')
  expect(cell(html, root)).toContain('$200.00')
  const seen = await htmlOf('', admin)
  expect(cell(seen, root)).not.toContain('$200.00')
  expect(cell(seen, root)).not.toContain('href')
  expect(cell(seen, bob)).not.toContain('value="promote"')
})

test('old addresses lead to the page, and users are sent home', async () => {
  expect(at(await root.page('/user/edit/5'))).toBe('/admin/users?edit=5')
  expect(at(await root.page('/user/edit'))).toBe('/admin/users')
  expect(at(await (await visitor()).page('/admin/users'))).toBe('/')
})

test('a user is added once, and an invalid form stays open with its errors', async () => {
  const refused = await root.form('/admin/users?new', { username: 'a b', password: 'short' })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  for (const text of ['A username has letters of one script', 'must not be less than 8', 'value="a b"'])
    expect(html).toContain(text)
  const form = { username: 'added', display_name: '', password: 'opensesame', form_id: 'once' }
  const twice = await Promise.all([root.form('/admin/users', form), root.form('/admin/users', form)])
  expect(twice.map(at)).toEqual(['/admin/users', '/admin/users'])
  expect(await db.$count(users, eq(users.username, 'added'))).toBe(1)
})

test('the drawer edits a user and shows what is bound', async () => {
  const ann = await visitor()
  await db.update(users).set({ github_id: '583231', email: 'ann@example.com' }).where(eq(users.id, ann.id))
  const html = await htmlOf(`?edit=${ann.id}`)
  for (const text of ['583231', 'ann@example.com', 'Not bound']) expect(html).toContain(text)
  const form = { username: ann.username, display_name: 'Ann <b>', password: '', group: 'vip', concurrency_limit: '4' }
  const tokens_per_minute = '90,000'
  const saved = await root.form(`/admin/users/${ann.id}`, {
    ...{ ...form, tokens_per_minute, returnTo: '/admin/users?keyword=a' },
  })
  expect(at(saved)).toBe('/admin/users?keyword=a')
  expect(await rowOf(ann)).toMatchObject({ display_name: 'Ann <b>', group: 'vip', concurrency_limit: 4 })
  expect(await rowOf(ann)).toMatchObject({ tokens_per_minute: 90_000 })
  expect(await htmlOf(`?edit=${ann.id}`)).toMatch(/<input(?=[^>]*name="tokens_per_minute")[^>]*value="90000"/)
  expect((await root.form(`/admin/users/${ann.id}`, { ...form, tokens_per_minute: ' ' })).status).toBe(303)
  expect(await rowOf(ann)).toMatchObject({ tokens_per_minute: 0 })
  const many = await root.form(`/admin/users/${ann.id}`, { ...form, tokens_per_minute: '-1' })
  expect([many.status, await many.text()]).toEqual([422, expect.stringContaining('field-tokens_per_minute-error')])
  expect(await htmlOf('')).toContain('Ann &lt;b&gt;')
  const refused = await root.form(`/admin/users/${ann.id}`, { ...form, concurrency_limit: 'many', group: 'none' })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('The limit must be a whole')])
  expect((await admin.page(`/admin/users?edit=${root.id}`)).status).toBe(403)
  expect((await root.page('/admin/users?edit=4711')).status).toBe(404)
})

test('quota is added and taken away by a dialog, once for a double click', async () => {
  const ann = await visitor(Role.user, 500_000)
  expect(await htmlOf(`?quota=${ann.id}`)).toContain('$1.00')
  const add = (quota_delta: string, form_id = '') => root.form(`/admin/users/${ann.id}/quota`, { quota_delta, form_id })
  await Promise.all([add('2.5', 'once'), add('2.5', 'once')])
  expect(await balance(ann)).toBe(1_750_000)
  expect(at(await add('-3.5'))).toBe('/admin/users')
  expect(await balance(ann)).toBe(0)
  for (const [typed, message] of [
    ['-1', 'The balance of 0 is less than'],
    ['', 'Quota must be a whole number'],
    ['much', 'Quota must be a whole number'],
  ] as const) {
    const refused = await add(typed)
    expect([typed, refused.status, await refused.text()]).toEqual([typed, 422, expect.stringContaining(message)])
  }
  expect(await balance(ann)).toBe(0)
})

test('ledger, API keys and devices of a user are one click away, without a key', async () => {
  const ann = await visitor(Role.user, 500_000)
  const { data } = await ann.post('/api/token/', { name: 'laptop' })
  await root.put('/api/user/', { id: ann.id, quota_delta: -250_000 })
  const ledger = await htmlOf(`?ledger=${ann.id}`)
  for (const text of ['−$0.50', '+$1.00', 'by root']) expect(ledger.replaceAll(/<[^>]+>/g, '')).toContain(text)
  for (let change = 0; change < 9; change++) await root.put('/api/user/', { id: ann.id, quota_delta: 1 })
  const tens = { headers: { cookie: `${root.cookie}; page-size=10` } }
  const newest = await (await root.page(`/admin/users?ledger=${ann.id}`, tens)).text()
  const next = /href="([^"]*)&amp;lp=2"/.exec(newest)![1]!
  const oldest = await (await root.page(`${next}&lp=2`, tens)).text()
  expect([newest, oldest].map(html => html.replaceAll(/<[^>]+>/g, '').includes('+$1.00'))).toEqual([false, true])
  const keys = await htmlOf(`?tokens=${ann.id}`)
  expect(keys).toContain('laptop')
  expect(keys).not.toContain(data.key)
  expect(await htmlOf(`?devices=${ann.id}`)).toContain('127.0.0.1')
  expect(at(await root.form(`/admin/users/${ann.id}/sign-out`))).toBe('/admin/users')
  expect(await htmlOf(`?devices=${ann.id}`)).toContain('Not signed in anywhere')
  for (const open of ['ledger', 'tokens', 'devices', 'quota', 'delete'])
    expect([open, (await admin.page(`/admin/users?${open}=${root.id}`)).status]).toEqual([open, 403])
})

test('a user is deregistered after the name was typed', async () => {
  const ann = await visitor()
  const remove = (confirm: string) => root.form(`/admin/users/${ann.id}/delete`, { confirm })
  expect((await remove('other')).status).toBe(422)
  expect((await rowOf(ann)).deleted_time).toBeNull()
  expect((await remove(ann.username)).status).toBe(303)
  expect((await rowOf(ann)).deleted_time).toBeNumber()
})

test('a selection is disabled or moved to a group, and leaves out who cannot be changed', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const ids = [ann, bob, root, admin].map(({ id }) => String(id))
  const opened = await admin.form('/admin/users/selected', { 'ids[]': ids, action: 'group' })
  expect(at(opened)).toBe(`/admin/users?regroup=${ids.join('%2C')}`)
  const moved = await admin.form(`/admin/users/${ids.join(',')}/group`, { group: 'vip' })
  expect(decodeURIComponent(moved.headers.get('set-cookie')!)).toContain(
    'Moved 2 users to vip. 2 were left as they are',
  )
  expect([(await rowOf(ann)).group, (await rowOf(root)).group]).toEqual(['vip', 'default'])
  const refused = await admin.form(`/admin/users/${ids.join(',')}/group`, { group: 'none' })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('There is no group “none”')])
  await admin.form('/admin/users/selected', { 'ids[]': ids, action: 'disable' })
  expect(await Promise.all([ann, bob, root, admin].map(async who => (await rowOf(who)).status))).toEqual([2, 2, 1, 1])
  expect((await ann.get('/api/user/self')).status).toBe(401)
})

test('names with markup are shown as text', async () => {
  const ann = await visitor()
  const script = '<script>x</script>'
  await db.update(users).set({ display_name: script, username: '"><svg/onload=1>' }).where(eq(users.id, ann.id))
  for (const path of ['', `?edit=${ann.id}`, `?delete=${ann.id}`, `?ledger=${ann.id}`, `?quota=${ann.id}`]) {
    const html = await htmlOf(path)
    expect([path, html.includes(script), html.includes('<svg/onload')]).toEqual([path, false, false])
  }
})

test('the list shows when users came and what they spend, and its headings sort it', async () => {
  const ann = await visitor(Role.user, 500_000)
  await db.update(users).set({ email: 'ann@sorted.example', used_quota: 5_000_000 }).where(eq(users.id, ann.id))
  const html = await htmlOf(`?keyword=${ann.username}`)
  for (const text of ['This month', '<time', `sort=spent`]) expect(html).toContain(text)
  expect(cell(html, ann)).not.toContain('ann@sorted.example')
  await root.form('/admin/users/columns', { 'columns[]': ['email', 'last_seen'] })
  const sorted = await htmlOf('?sort=spent')
  expect(sorted).toContain('aria-sort="descending"')
  expect(sorted).toContain('href="/admin/users?sort=-spent"')
  expect(/<tr id="row-(\d+)"/.exec(sorted)?.[1]).toBe(String(ann.id))
  expect(await htmlOf('?below=1.5&state=enabled')).toContain(`id="row-${ann.id}"`)
  expect(await htmlOf('?below=0.5&state=enabled')).not.toContain(`id="row-${ann.id}"`)
})

const undoIn = (response: Response) =>
  /\/admin\/undo\/req_[\w-]+/.exec(decodeURIComponent(response.headers.get('set-cookie') ?? ''))![0]

test('selected users are disabled, enabled, given quota and written to, and a switch is taken back', async () => {
  const [ann, bob] = [await visitor(Role.user, 1000), await visitor(Role.user, 1000)]
  const ids = [ann.id, bob.id].map(String)
  const states = async () => [(await rowOf(ann)).status, (await rowOf(bob)).status]
  const disabled = await root.form('/admin/users/selected', { 'ids[]': ids, action: 'disable' })
  expect(await states()).toEqual([2, 2])
  await root.form(undoIn(disabled), {})
  expect(await states()).toEqual([1, 1])
  const one = await root.form(`/admin/users/${ann.id}/manage`, { action: 'disable' })
  expect(await states()).toEqual([2, 1])
  await root.form(undoIn(one), {})
  expect(await states()).toEqual([1, 1])
  const asked = await root.form('/admin/users/selected', { 'ids[]': ids, action: 'add_quota' })
  expect(await (await root.page(at(asked)!)).text()).toContain('Add quota to 2 users')
  const add = (quota_delta: string, form_id = '') =>
    root.form(`/admin/users/${ids.join(',')}/add-quota`, { quota_delta, remark: 'Thank you', form_id })
  await Promise.all([add('2', 'once'), add('2', 'once')])
  expect([await balance(ann), await balance(bob)]).toEqual([1_001_000, 1_001_000])
  const refused = await add('-50')
  expect(refused.status).toBe(422)
  expect([await balance(ann), await balance(bob)]).toEqual([1_001_000, 1_001_000])
  const message = await root.form('/admin/users/selected', { 'ids[]': ids, action: 'message' })
  const drawer = await (await root.page(at(message)!)).text()
  for (const id of ids) expect(drawer).toMatch(new RegExp(`<input[^>]*name="user_ids\\[\\]"[^>]*value="${id}"`))
})
