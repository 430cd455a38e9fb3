// @engine both
/** The list and the search of users, for administrators. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { atomic, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { now } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin, 900)
const ann = await visitor(Role.user, 700)
const bob = await visitor()

const change = (person: Person, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.id, person.id))
await change(ann, { email: 'ann@example.com', display_name: 'Ann 100% real', group: 'vip', github_id: '42' })
await change(bob, { display_name: 'Bob_by' })
await change(root, { email: 'root@hidden.example', github_id: '7' })
await change(admin, { email: 'boss@shown.example' })

const found = async (query: string, as = root): Promise<number[]> => {
  const { data } = await as.get(`/api/user/search?${query}`)
  return data.items.map((user: { id: number }) => user.id)
}

test('the list has every user, newest first, in pages', async () => {
  expect(
    (await root.get('/api/user/?keyword=root')).data.items.map((user: { username: string }) => user.username),
  ).toEqual(['root'])
  const { data } = await root.get('/api/user/?p=1&page_size=2')
  expect(data).toMatchObject({ total: 4, page: 1, page_size: 2, items: [{ id: bob.id }, { id: ann.id, quota: 700 }] })
  const next = await root.get('/api/user/?p=2&page_size=2')
  expect(next.data.items.map((user: { id: number }) => user.id)).toEqual([admin.id, root.id])
  for (const query of ['', '?p=0&page_size=0', '?p=NaN&page_size=undefined', '?p=&page_size=-5'])
    expect((await root.get(`/api/user/${query}`)).data).toMatchObject({ page: 1, page_size: 10, total: 4 })
})

test('a search finds ids, and parts of names and addresses with literal wildcards', async () => {
  expect(await found(`keyword=${ann.id}`)).toContain(ann.id)
  expect(await found(`keyword=${ann.username}`)).toEqual([ann.id])
  expect(await found('keyword=ANN@EXAMPLE')).toEqual([ann.id])
  expect(await found('keyword=100%25')).toEqual([ann.id])
  expect(await found('keyword=b_b')).toEqual([bob.id])
  expect(await found('keyword=_%25_')).toEqual([])
  expect(await found('keyword=person&group=vip')).toEqual([ann.id])
  expect(await found('group=vi')).toEqual([])
  expect(await found('keyword=&group=undefined')).toHaveLength(4)
})

test('an administrator sees only names, role and state of equal and higher users', async () => {
  const { data } = await admin.get('/api/user/')
  const row = (person: Person) => data.items.find((user: { id: number }) => user.id === person.id)
  expect(row(root)).toMatchObject({ username: 'root', role: Role.root, email: '', github_id: '', quota: 0 })
  expect(row(admin)).toMatchObject({ quota: 900 })
  expect(row(ann)).toMatchObject({ email: 'ann@example.com', github_id: '42', quota: 700 })
  expect(await found('keyword=hidden.example', admin)).toEqual([])
  expect(await found('keyword=hidden.example')).toEqual([root.id])
  expect(row(admin)).toMatchObject({ email: 'boss@shown.example' })
  expect(await found('keyword=shown.example', admin)).toEqual([admin.id])
  for (const user of data.items)
    for (const name of ['password', 'access_token', 'access_token_hash', 'setting', 'created_time'])
      expect(user).not.toHaveProperty(name)
})

test('a user reads every own field, with the webhook secret masked', async () => {
  const setting = { notify_type: 'webhook', webhook_url: 'https://a.example', webhook_secret: 'canary-secret' }
  await change(ann, { setting: JSON.stringify(setting), aff_code: 'aB3x', last_check_in_day: '2026-11-22' })
  const { data } = await ann.get('/api/user/self')
  expect(data).toMatchObject({
    ...{ id: ann.id, username: ann.username, role: 1, status: 1, email: 'ann@example.com', github_id: '42' },
    ...{ oidc_id: '', linux_do_id: '', wechat_id: '', telegram_id: '', quota: 700, used_quota: 0, request_count: 0 },
    ...{ group: 'vip', aff_code: 'aB3x', aff_count: 0, aff_quota: 0, aff_history_quota: 0, inviter_id: 0 },
    ...{ concurrency_limit: 0, tokens_per_minute: 0, DeletedAt: null, last_check_in_time: '2026-11-22T00:00:00Z' },
  })
  expect(JSON.parse(data.setting)).toMatchObject({ ...setting, webhook_secret: '********' })
  for (const name of ['password', 'access_token', 'access_token_hash']) expect(data).not.toHaveProperty(name)
})

test('the export has every user, and no cell that a spreadsheet runs', async () => {
  await change(bob, { display_name: '=1+1' })
  const response = await root.fetch('/admin/users/export.csv')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = (await response.text()).trim().split('\r\n')
  expect(head).toBe(
    'ID,Username,Display name,Email,Role,State,Group,Left,Spent,Calls,Invitations,Inviter,Calls at the same time,Tokens per minute,Created,Last seen',
  )
  expect(lines).toHaveLength(4)
  expect(lines[0]).toStartWith(`${bob.id},${bob.username},'=1+1,,User,Enabled,default,0,0,0,0,,0,0,20`)
  const own = await (await admin.fetch('/admin/users/export.csv?keyword=root')).text()
  expect(own).toContain('root,Root User,,Super admin,Enabled,default,,,,,,,,,\r\n')
  expect(own).not.toContain('hidden.example')
})

test('10,000 users are listed and searched in pages of 100', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ username: `crowd${index}`, email: `crowd${index}@example.com`, display_name: `Member ${index}` },
    created_time: now(),
  }))
  await atomic(function* (tx) {
    for (let at = 0; at < rows.length; at += 500) yield* run(tx.insert(users).values(rows.slice(at, at + 500)))
  })
  const { data } = await root.get('/api/user/?p=101&page_size=500')
  expect(data).toMatchObject({ total: 10_004, page: 101, page_size: 100 })
  expect(data.items).toHaveLength(4)
  expect((await root.get('/api/user/search?keyword=crowd999&page_size=100')).data.total).toBe(11)
  const lines = (await (await root.fetch('/admin/users/export.csv')).text()).trim().split('\r\n')
  expect(new Set(lines).size).toBe(10_005)
})

test('the list is sorted by what users have spent, have left and called, and by when they were seen', async () => {
  const crowd = await Promise.all([visitor(Role.user, 30), visitor(Role.user, 10), visitor(Role.user, 20)])
  const [one, two, three] = crowd
  await change(one, { group: 'sorted', used_quota: 1, request_count: 9, last_seen: 200 })
  await change(two, { group: 'sorted', used_quota: 3, request_count: 8, last_seen: 300 })
  await change(three, { group: 'sorted', used_quota: 2, request_count: 7, last_seen: 100 })
  const orders = {
    spent: [two, three, one],
    left: [one, three, two],
    calls: [one, two, three],
    seen: [two, one, three],
  }
  for (const [sort, people] of Object.entries(orders)) {
    const ids = people.map(({ id }) => id)
    expect(await found(`group=sorted&sort=${sort}`)).toEqual(ids)
    expect(await found(`group=sorted&sort=-${sort}`)).toEqual(ids.toReversed())
  }
  await change(root, { group: 'sorted' })
  expect((await found('group=sorted&sort=left')).at(0)).toBe(root.id)
  expect((await found('group=sorted&sort=left', admin)).at(-1)).toBe(root.id)
})

test('the list is filtered by state, role and balance, and tells no balance that it does not show', async () => {
  const [low, high] = [await visitor(Role.user, 5), await visitor(Role.user, 50)]
  for (const person of [low, high]) await change(person, { group: 'filtered' })
  expect(await found('group=filtered&below=50')).toEqual([low.id])
  expect(await found('group=filtered&below=many')).toEqual([high.id, low.id])
  await root.post('/api/user/manage', { id: low.id, action: 'disable' })
  expect(await found('group=filtered&state=enabled')).toEqual([high.id])
  expect(await found('group=filtered&state=banned')).toEqual([low.id])
  await root.delete(`/api/user/${high.id}`)
  expect(await found('group=filtered&state=gone')).toEqual([high.id])
  expect(await found(`role=${Role.admin}`)).toEqual([admin.id])
  await change(root, { group: 'filtered', quota: 1 })
  expect(await found('group=filtered&below=2')).toEqual([root.id])
  expect(await found('group=filtered&below=2', admin)).toEqual([])
})

test('the page offers changes of a user until the user is deleted', async () => {
  const eve = await visitor()
  const shown = async () => {
    const html = await (await root.page(`/admin/users?keyword=${eve.username}`)).text()
    return [`row-${eve.id}`, `/admin/users/${eve.id}/manage`, `edit=${eve.id}`].map(text => html.includes(text))
  }
  expect(await shown()).toEqual([true, true, true])
  await change(eve, { deleted_time: now() })
  expect(await shown()).toEqual([true, false, false])
})
