/** What administrators may do with users, by role. */
import { expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { languageCodes } from '../../src/locales/languages.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

const rowOf = async ({ id }: Person) => (await db.select().from(users).where(eq(users.id, id)))[0]!
const lastChange = async () => (await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1))[0]
const manage = (by: Person, user: Person, action: unknown) => by.post('/api/user/manage', { id: user.id, action })

const CANNOT_UPDATE = 'You cannot change users of your own role or a higher one'
const CANNOT_DELETE = 'You cannot deregister users of your own role or a higher one'
const ONLY_ROOT = 'Only a super admin can make users admins'

type Attempt = (by: Person, user: Person) => ReturnType<typeof manage>
const does =
  (action: string): Attempt =>
  (by, user) =>
    manage(by, user, action)
const edit: Attempt = (by, user) => by.put('/api/user/', { id: user.id, display_name: 'changed' })
const newPassword: Attempt = (by, user) => by.put('/api/user/', { id: user.id, password: 'opensesame' })
const giveQuota: Attempt = (by, user) => by.put('/api/user/', { id: user.id, quota_delta: 5 })
const remove: Attempt = (by, user) => by.delete(`/api/user/${user.id}`)

test.each([
  ['edit', edit, CANNOT_UPDATE],
  ['new password', newPassword, CANNOT_UPDATE],
  ['quota', giveQuota, CANNOT_UPDATE],
  ['promote', does('promote'), CANNOT_UPDATE],
  ['demote', does('demote'), CANNOT_UPDATE],
  ['disable', does('disable'), CANNOT_UPDATE],
  ['enable', does('enable'), CANNOT_UPDATE],
  ['delete', does('delete'), CANNOT_DELETE],
  ['DELETE', remove, CANNOT_DELETE],
])('an administrator is refused at administrators, root and themselves: %s', async (_, attempt, message) => {
  const other = await visitor(Role.admin)
  for (const user of [other, root, admin]) {
    const before = await rowOf(user)
    const noted = await lastChange()
    expect(await attempt(admin, user)).toMatchObject({ status: 403, success: false, message, data: null })
    expect(await rowOf(user)).toEqual(before)
    expect(await lastChange()).toEqual(noted)
  }
})

test.each([
  ['demote', does('demote'), 'A super admin cannot be demoted'],
  ['disable', does('disable'), 'A super admin cannot be disabled'],
  ['delete', does('delete'), 'A super admin cannot be deregistered'],
  ['DELETE', remove, 'A super admin cannot be deregistered'],
  ['promote', does('promote'), 'This user is an admin already'],
])('root remains root: %s', async (_, attempt, message) => {
  const second = await visitor(Role.root)
  for (const user of [root, second]) {
    const before = await rowOf(user)
    expect(await attempt(root, user)).toMatchObject({ success: false, message })
    expect(await rowOf(user)).toEqual(before)
  }
})

test('only root promotes, and every state is reached once', async () => {
  const ann = await visitor()
  expect(await manage(admin, ann, 'promote')).toMatchObject({ status: 403, message: ONLY_ROOT })
  expect(await manage(root, ann, 'demote')).toMatchObject({ message: 'This user is an ordinary user already' })
  expect((await manage(root, ann, 'promote')).data).toEqual({ status: 1, role: Role.admin })
  expect(await manage(root, ann, 'promote')).toMatchObject({ message: 'This user is an admin already' })
  expect((await manage(root, ann, 'demote')).data).toEqual({ status: 1, role: Role.user })
  expect((await manage(admin, ann, 'disable')).data).toEqual({ status: 2, role: Role.user })
  expect((await manage(admin, ann, 'enable')).data).toEqual({ status: 1, role: Role.user })
  expect((await manage(admin, ann, 'delete')).data).toEqual({ status: 1, role: Role.user })
  expect(await manage(admin, ann, 'enable')).toMatchObject({ message: `${ann.username} is deregistered` })
  expect(await edit(root, ann)).toMatchObject({ success: false, message: `${ann.username} is deregistered` })
  expect((await root.get(`/api/user/${ann.id}`)).data.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('an unknown action, user or field is refused', async () => {
  const ann = await visitor()
  for (const action of ['ban', '', null, 5, 'constructor', ['disable']])
    expect(await manage(root, ann, action)).toMatchObject({ status: 400, code: 'user.action_unknown', field: 'action' })
  for (const id of [0, -1, 4711]) {
    expect(await root.post('/api/user/manage', { id, action: 'disable' })).toMatchObject({ status: 404 })
    expect(await root.put('/api/user/', { id, display_name: 'x' })).toMatchObject({ status: 404 })
  }
  expect(await root.delete('/api/user/4711')).toMatchObject({ status: 404, message: 'This user does not exist' })
  for (const language of languageCodes) {
    const { message } = await root.delete('/api/user/4711', { language })
    expect(message).toBe(language === 'zh' ? '用户不存在' : 'This user does not exist')
  }
})

test('an administrator creates ordinary users only, with the quota of new users', async () => {
  const created = await admin.post('/api/user/', { username: 'newcomer', password: 'opensesame' })
  expect(created).toMatchObject({
    success: true,
    data: { username: 'newcomer', display_name: 'newcomer', role: 1 },
  })
  expect(await lastChange()).toMatchObject({
    ...{ action: 'user.create', actor_id: admin.id, target_kind: 'user', target_name: 'newcomer' },
    after: { username: 'newcomer', display_name: 'newcomer' },
  })
  const refusals = [
    [{ username: 'newcomer' }, 'This username is taken', 'username'],
    [{ username: '  ' }, 'Please enter a username', 'username'],
    [
      { username: 'a@b' },
      'A username has letters of one script (A–Z, Chinese, Japanese or Korean), digits and . _ - only',
      'username',
    ],
    [{ username: 'x'.repeat(13) }, 'A username has at most 12 characters', 'username'],
    [{ password: 'seven77' }, 'Password length must not be less than 8', 'password'],
    [{ password: 'p'.repeat(21) }, 'A password has at most 20 characters', 'password'],
    [{ display_name: '名'.repeat(21) }, 'A display name has at most 20 characters', 'display_name'],
    [{ display_name: 'a\u202eb' }, 'A display name has no control characters', 'display_name'],
    [{ role: Role.root }, 'You cannot create users of your own role or a higher one', undefined],
    [{ role: Role.admin }, 'You cannot create users of your own role or a higher one', undefined],
    [{ quota: 5 }, 'Unknown field: quota', 'quota'],
    [{ group: 'vip' }, 'Unknown field: group', 'group'],
  ] as const
  const before = await db.$count(users)
  for (const [fields, message, field] of refusals) {
    const body = { username: 'another', password: 'opensesame', ...fields }
    const answer = await admin.post('/api/user/', body)
    expect([answer.success, answer.message, answer.field]).toEqual([false, message, field])
  }
  expect(await db.$count(users)).toBe(before)
  expect(await root.post('/api/user/', { username: 'chief', password: 'opensesame', role: 10 })).toMatchObject({
    ...{ status: 400, field: 'role', message: 'A new user is an ordinary user. Promote them afterwards' },
  })
  const twins = ['one', 'two'].map(() => root.post('/api/user/', { username: 'twin', password: 'opensesame' }))
  expect((await Promise.all(twins)).map(answer => answer.success).sort()).toEqual([false, true])
})

test('an edit changes only the sent fields, and a whole row may be sent back', async () => {
  const ann = await visitor(Role.user, 700)
  const { data: row } = await admin.get(`/api/user/${ann.id}`)
  const before = await rowOf(ann)
  expect((await admin.put('/api/user/', { ...row, password: '' })).data).toEqual(row)
  expect(await rowOf(ann)).toEqual(before)
  const edited = await admin.put('/api/user/', { ...row, display_name: 'Ann', concurrency_limit: 3, username: 'anna' })
  expect(edited.data).toEqual({ ...row, display_name: 'Ann', concurrency_limit: 3, username: 'anna' })
  expect(await lastChange()).toMatchObject({
    action: 'user.edit',
    before: { username: ann.username, display_name: ann.username, concurrency_limit: 0 },
    after: { username: 'anna', display_name: 'Ann', concurrency_limit: 3 },
  })
  await admin.put('/api/user/', { id: ann.id, password: 'opensesame' })
  expect(await lastChange()).toMatchObject({ before: {}, after: { password: 'changed' } })
})

test('no field outside the list is writable by an edit', async () => {
  const ann = await visitor(Role.user, 700)
  const before = await rowOf(ann)
  const fixed = { role: 100, status: 2, email: 'x@example.com', github_id: '1', oidc_id: '1', inviter_id: 1 }
  for (const [field, value] of Object.entries({ ...fixed, wechat_id: '1', telegram_id: '1', linux_do_id: '1' }))
    expect(await root.put('/api/user/', { id: ann.id, [field]: value })).toMatchObject({
      ...{ status: 400, code: 'user.field_fixed', field, message: `${field} cannot be changed here` },
    })
  for (const field of ['setting', 'access_token', 'access_token_hash', 'deleted_time', 'created_time', 'constructor'])
    expect(await root.put('/api/user/', { id: ann.id, [field]: 'x' })).toMatchObject({ status: 400, field })
  for (const field of ['used_quota', 'request_count', 'aff_quota', 'aff_history_quota', 'aff_count', 'DeletedAt'])
    expect((await root.put('/api/user/', { id: ann.id, [field]: 5 })).success).toBe(true)
  await root.put('/api/user/', `{"id":${ann.id},"__proto__":{"role":100},"display_name":"${ann.username}"}`)
  expect(await rowOf(ann)).toEqual(before)
})

test('an invalid edit is refused at its field', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const refusals = [
    [{ username: bob.username }, 'This username is taken', 'username'],
    [{ username: '' }, 'Please enter a username', 'username'],
    [
      { username: 'a b' },
      'A username has letters of one script (A–Z, Chinese, Japanese or Korean), digits and . _ - only',
      'username',
    ],
    [{ password: 'short' }, 'Password length must not be less than 8', 'password'],
    [{ group: 'nothing' }, 'There is no group “nothing”', 'group'],
    [{ concurrency_limit: -1 }, 'The limit must be a whole number; 0 uses the limit of the site', 'concurrency_limit'],
    [{ quota: 1.5 }, 'Quota must be a whole number, at most 9,007,199,254,740,991', 'quota'],
  ] as const
  const before = await rowOf(ann)
  for (const [fields, message, field] of refusals) {
    const answer = await root.put('/api/user/', { id: ann.id, display_name: 'half', ...fields })
    expect([answer.success, answer.message, answer.field]).toEqual([false, message, field])
  }
  expect(await rowOf(ann)).toEqual(before)
})

test('a generated name longer than the limit survives an edit of another field', async () => {
  const ann = await visitor()
  await db
    .update(users)
    .set({ username: `linuxdo_${100_000 + ann.id}` })
    .where(eq(users.id, ann.id))
  const { data } = await root.get(`/api/user/${ann.id}`)
  expect(await root.put('/api/user/', { ...data, display_name: 'Ann' })).toMatchObject({ success: true })
})
