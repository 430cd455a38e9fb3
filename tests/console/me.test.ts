/** The account in its owner's hands, through the API and through forms. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { anyone, cheapHash, type Person, setUp, signIn, visitor } from '../support/people/person.ts'
import { spend, spendingUser } from '../support/people/spending-user.ts'

const PASSWORD = 'first-secret'

async function withPassword(): Promise<Person> {
  const person = await visitor()
  await db
    .update(users)
    .set({ password: await cheapHash(PASSWORD) })
    .where(eq(users.id, person.id))
  return signIn(person.username, PASSWORD)
}

const self = async (person: Person) => (await person.get('/api/user/self')).data
const rowOf = async ({ id }: Person) => (await db.select().from(users).where(eq(users.id, id)))[0]!

test('PUT /api/user/self changes the given fields and no other', async () => {
  const ann = await visitor()
  const before = await rowOf(ann)
  const username = `Ann${ann.id}`
  const sent = { ...(await self(ann)), display_name: 'Ann', username }
  expect(await ann.put('/api/user/self', sent)).toMatchObject({ success: true, data: null })
  const username_folded = username.toLowerCase()
  expect(await rowOf(ann)).toEqual({ ...before, display_name: 'Ann', username, username_folded })
})

test('PUT /api/user/self leaves every field of the account alone that is not the profile', async () => {
  const ann = await visitor()
  const before = await rowOf(ann)
  const hostile = {
    ...{ id: 1, role: 100, quota: 9e9, used_quota: 0, group: 'vip', status: 2, aff_quota: 9, aff_count: 9 },
    ...{ inviter_id: 1, email: 'a@b.de', github_id: '1', setting: '{}', access_token: 'x', DeletedAt: 'now' },
  }
  await ann.put('/api/user/self', hostile)
  await ann.put('/api/user/self', '{"__proto__":{"role":100},"display_name":""}')
  for (const field of ['access_token_hash', 'deleted_time', 'password_hash', 'created_time'])
    expect((await ann.put('/api/user/self', { [field]: 'x' })).status).toBe(400)
  expect(await rowOf(ann)).toEqual(before)
})

test('a taken, reserved-looking or malformed name is refused at its field', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  expect(await ann.put('/api/user/self', { username: bob.username })).toMatchObject({
    success: false,
    code: 'account.username_taken',
    field: 'username',
  })
  for (const username of ['a b', 'a@b', 'a'.repeat(13)])
    expect((await ann.put('/api/user/self', { username })).field).toBe('username')
  expect((await ann.put('/api/user/self', { display_name: 'x'.repeat(21) })).code).toBe('user.display_name_too_long')
  expect((await ann.put('/api/user/self', { display_name: '名'.repeat(20) })).success).toBe(true)
})

test('the form keeps a generated name that is longer than one may choose', async () => {
  const ann = await visitor()
  await db
    .update(users)
    .set({ username: `long-name-of-${ann.id}` })
    .where(eq(users.id, ann.id))
  const fields = { username: `long-name-of-${ann.id}`, display_name: 'Ann' }
  expect((await ann.form('/app/me/profile', fields)).status).toBe(303)
  expect(await rowOf(ann)).toMatchObject(fields)
})

test('a new password needs the current one and signs out other devices and the access token', async () => {
  const ann = await withPassword()
  const elsewhere = await signIn(ann.username, PASSWORD)
  const { data: token } = await ann.get('/api/user/token')
  const wrong = { password: 'second-secret', original_password: 'not-mine-at-all' }
  expect(await ann.put('/api/user/self', wrong)).toMatchObject({
    code: 'me.original_password_wrong',
    field: 'original_password',
  })
  expect(await ann.put('/api/user/self', { password: 'second-secret' })).toMatchObject({ success: false })
  const right = { password: 'second-secret', original_password: PASSWORD }
  expect(await ann.put('/api/user/self', right)).toMatchObject({ success: true })
  expect((await ann.get('/api/user/self')).status).toBe(200)
  expect((await elsewhere.get('/api/user/self')).status).toBe(401)
  const headers = { authorization: token, 'tollgate-user': String(ann.id) }
  expect((await anyone.get('/api/user/self', { headers })).status).toBe(401)
  expect((await signIn(ann.username, 'second-secret')).id).toBe(ann.id)
})

test('wrong current passwords lock the account like wrong sign-ins', async () => {
  const ann = await withPassword()
  const answers = []
  for (let guess = 0; guess < 12; guess++)
    answers.push(
      (await ann.put('/api/user/self', { password: 'second-secret', original_password: `guess-${guess}` })).status,
    )
  expect(answers.slice(-2)).toEqual([429, 429])
  const right = { password: 'second-secret', original_password: PASSWORD }
  expect((await ann.put('/api/user/self', right)).status).toBe(429)
})

test('an account without a password sets one after a recent sign-in only', async () => {
  const ann = await visitor()
  shiftClock(301)
  expect((await ann.put('/api/user/self', { password: 'second-secret' })).code).toBe('security.confirm_required')
  shiftClock(-301)
  expect((await ann.put('/api/user/self', { password: 'second-secret' })).success).toBe(true)
})

test('the form shows its errors at its fields and keeps the session', async () => {
  const ann = await withPassword()
  const send = (fields: Record<string, string>) =>
    ann.form('/app/me/password', {
      original_password: PASSWORD,
      password: 'second-secret',
      password2: 'second-secret',
      ...fields,
    })
  const differing = await send({ password2: 'other-secret' })
  expect([differing.status, await differing.text()]).toEqual([
    422,
    expect.stringContaining('The two passwords do not match'),
  ])
  const short = await (await send({ password: '7777777', password2: '7777777' })).text()
  expect(short).toContain('Password length must not be less than 8')
  expect(await (await send({ original_password: 'wrong-one' })).text()).toContain('The current password is wrong')
  expect((await send({})).status).toBe(303)
  expect((await ann.page('/app/me')).status).toBe(200)
})

test('GET /api/user/token gives 32 characters once, stores a hash, and replaces the last one', async () => {
  const ann = await visitor()
  const { data: first } = await ann.get('/api/user/token')
  const { data: second } = await ann.get('/api/user/token')
  expect(first).toMatch(/^[0-9A-Za-z]{32}$/)
  expect(JSON.stringify(await rowOf(ann))).not.toContain(second)
  const by = (token: string) =>
    anyone.get('/api/user/self', { headers: { authorization: `Bearer ${token}`, 'tollgate-user': String(ann.id) } })
  expect([(await by(first)).status, (await by(second)).status]).toEqual([401, 200])
})

test('an access token makes no new one, and neither does a session that was confirmed long ago', async () => {
  const ann = await visitor()
  const { data: token } = await ann.get('/api/user/token')
  const headers = { authorization: token, 'tollgate-user': String(ann.id) }
  expect((await anyone.get('/api/user/token', { headers })).code).toBe('security.confirm_required')
  shiftClock(301)
  expect((await ann.get('/api/user/token')).status).toBe(403)
  expect((await ann.form('/app/me/token')).headers.get('location')).toStartWith('/app/me/confirm')
  shiftClock(-301)
  expect((await ann.fetch('/api/user/token', { headers: { 'tollgate-user': '' } })).status).toBe(401)
})

test('the page shows a new token once', async () => {
  const ann = await visitor()
  const shown = await (await ann.form('/app/me/token')).text()
  const [token] = /(?<=value=")[0-9A-Za-z]{32}(?=")/.exec(shown)!
  expect(await (await ann.page('/app/me')).text()).not.toContain(token)
})

test('a deleted account is signed out at once, its keys die, and its name stays taken', async () => {
  const who = await spendingUser(5000)
  const { person } = who
  await person.post('/api/token/', { name: 'second', unlimited_quota: true })
  expect(await person.delete('/api/user/self')).toMatchObject({ success: true })
  expect((await person.get('/api/user/self')).status).toBe(401)
  expect(await db.$count(sessions, eq(sessions.user_id, person.id))).toBe(0)
  const call = await anyone.fetch('/v1/models', { headers: { authorization: `Bearer sk-${who.token.key}` } })
  expect(call.status).toBe(401)
  expect(await rowOf(person)).toMatchObject({
    quota: 5000,
    username: person.username,
    deleted_time: expect.any(Number),
  })
  const other = await visitor()
  expect((await other.put('/api/user/self', { username: person.username })).code).toBe('account.username_taken')
})

test('the form deletes once the name is typed, and root stays', async () => {
  const ann = await visitor()
  const wrong = await ann.form('/app/me/delete', { confirm: 'somebody' })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('Please enter your account name')])
  const right = await ann.form('/app/me/delete', { confirm: ann.username })
  expect([right.status, right.headers.get('location')]).toEqual([303, '/login'])
  const root = await setUp()
  expect(await root.delete('/api/user/self')).toMatchObject({ success: false, code: 'me.root_stays' })
  expect((await root.get('/api/user/self')).status).toBe(200)
})

test('PUT /api/user/setting merges, and shows the secret only as a mask', async () => {
  const ann = await visitor()
  const hook = { notify_type: 'webhook', webhook_url: 'https://example.com/hook', webhook_secret: 'canary' }
  expect((await ann.put('/api/user/setting', hook)).success).toBe(true)
  await ann.put('/api/user/setting', { notify_type: 'email', webhook_secret: '', quota_warning_threshold: 7 })
  await ann.put('/api/user/setting', { webhook_secret: '********', accept_unset_model_ratio_model: true })
  expect(JSON.parse((await rowOf(ann)).setting)).toEqual({
    ...hook,
    notify_type: 'email',
    quota_warning_threshold: 7,
    notification_email: '',
    accept_unset_model_ratio_model: true,
  })
  const { setting } = await self(ann)
  expect(setting).not.toContain('canary')
  expect(JSON.parse(setting)).toMatchObject({ webhook_secret: '********', webhook_url: hook.webhook_url })
})

test('invalid settings are refused at their fields, and nothing is stored', async () => {
  const ann = await visitor()
  for (const [edit, field] of [
    [{ notify_type: 'pigeon' }, 'notify_type'],
    [{ quota_warning_threshold: 0 }, 'quota_warning_threshold'],
    [{ quota_warning_threshold: 1.5 }, 'quota_warning_threshold'],
    [{ notify_type: 'webhook' }, 'webhook_url'],
    [{ webhook_url: 'http://example.com' }, 'webhook_url'],
    [{ webhook_url: 'https://u:p@example.com' }, 'webhook_url'],
    [{ webhook_url: 'javascript:alert(1)' }, 'webhook_url'],
    [{ notification_email: 'a@b.de, c@d.de' }, 'notification_email'],
    [{ notification_email: 'a@b.de\r\nBcc: c@d.de' }, 'notification_email'],
  ] as const)
    expect([edit, await ann.put('/api/user/setting', edit)]).toMatchObject([edit, { success: false, field }])
  expect((await rowOf(ann)).setting).toBe('')
})

test('the forms save amounts as the site shows them and list their errors', async () => {
  const ann = await visitor()
  const fields = {
    notify_type: 'email',
    quota_warning_threshold: '1.5',
    notification_email: 'Ann@Example.com',
    webhook_url: '',
  }
  expect((await ann.form('/app/me/notifications', fields)).status).toBe(303)
  expect(JSON.parse((await rowOf(ann)).setting)).toMatchObject({
    quota_warning_threshold: 750_000,
    notification_email: 'ann@example.com',
  })
  const refused = await ann.form('/app/me/notifications', {
    ...fields,
    quota_warning_threshold: '',
    webhook_url: 'ftp://x',
  })
  expect(refused.status).toBe(422)
  const page = await refused.text()
  expect(page).toContain('Enter an amount above 0')
  expect(page).toContain('A webhook address starts with https://')
  await ann.form('/app/me/prices', { accept_unset_model_ratio_model: 'true' })
  expect(JSON.parse((await rowOf(ann)).setting)).toMatchObject({
    accept_unset_model_ratio_model: true,
    quota_warning_threshold: 750_000,
  })
  await ann.form('/app/me/prices', {})
  expect(JSON.parse((await rowOf(ann)).setting).accept_unset_model_ratio_model).toBe(false)
})

test('an address inside the network gets no test notice', async () => {
  const ann = await visitor()
  await ann.put('/api/user/setting', { webhook_url: 'https://127.0.0.1:1/' })
  const tested = await ann.form('/app/me/notifications/test')
  expect(decodeURIComponent(tested.headers.get('set-cookie') ?? '')).toContain('The webhook was not delivered')
})

test('writes of the account beside running charges move no balance', async () => {
  const who = await spendingUser(1_000_000)
  const { person } = who
  const writes = Array.from({ length: 30 }, (_, index) => [
    person.put('/api/user/setting', { quota_warning_threshold: index + 1 }),
    person.put('/api/user/self', { display_name: `n${index}` }),
    person.get('/api/user/token'),
    person.get('/api/user/aff'),
  ]).flat()
  await Promise.all([...writes, ...Array.from({ length: 30 }, () => spend(who, 100))])
  expect(await rowOf(person)).toMatchObject({ quota: 997_000, used_quota: 3000, request_count: 30 })
})

test('the profile shows figures and models, and folds models after ten', async () => {
  const root = await setUp()
  const models = Array.from({ length: 13 }, (_, index) => `house-${index}`)
  const { data } = await root.post('/api/channel/', { name: 'many', key: 'sk-1', models: models.join(',') })
  const ann = await visitor(Role.user, 750_000)
  const folded = await (await ann.page('/app/me')).text()
  expect(folded.includes('$1.50')).toBe(true)
  expect(folded).toMatch(/\d+ more models/)
  expect(folded.match(/class="model-name /g)).toHaveLength(10)
  const headers = { cookie: `${ann.cookie}; modelsExpanded=true` }
  expect(await (await ann.page('/app/me', { headers })).text()).toContain('house-12')
  await root.delete(`/api/channel/${data.id}`)
})
