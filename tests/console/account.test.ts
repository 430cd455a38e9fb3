import { expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { hashPassword } from '../../src/crypto/passwords.ts'
import { digest } from '../../src/crypto/sealing.ts'
import { atomic } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { endSessions, openSession } from '../../src/domain/account/sessions.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { anyone, Person, ROOT, setUp, signIn, visitor } from '../support/people/person.ts'

const unknown = { success: false, message: 'Wrong username or password, or this account is banned' }

test('sign-in: a right password opens a session, a wrong one does not', async () => {
  const root = await setUp()
  expect(await root.get('/api/user/self')).toMatchObject({ success: true, data: { username: 'root', role: Role.root } })
  expect(await anyone.post('/api/user/login', { ...ROOT, password: 'opensesamE' })).toMatchObject(unknown)
  // Nobody is told by the time it takes whether there is such a name.
  using looked = spyOn(Bun.password, 'verify')
  expect(await anyone.post('/api/user/login', { username: 'nobody', password: 'x' })).toMatchObject(unknown)
  expect(looked).toHaveBeenCalledTimes(1)
})

test("sign-in: both fields are required, in the visitor's language", async () => {
  expect(await anyone.post('/api/user/login', { username: ' ', password: 'x' })).toMatchObject({
    status: 400,
    message: 'Please enter username and password',
  })
  expect(await anyone.post('/api/user/login', { username: 'root' }, { language: 'zh' })).toMatchObject({
    status: 400,
    message: '请输入用户名和密码',
  })
})

test('session cookie: HttpOnly, SameSite, and Secure over https', async () => {
  const login = (headers: Record<string, string>) =>
    anyone.fetch('/api/user/login', { method: 'POST', body: JSON.stringify(ROOT), headers })
  const [plain] = (await login({})).headers.getSetCookie()
  expect(plain).toMatch(/^session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
  const [behindProxy] = (await login({ 'x-forwarded-proto': 'https' })).headers.getSetCookie()
  expect(behindProxy).toMatch(/^__Host-session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)

  // What a neighbouring host could set is nobody's session; what this one sets is.
  const { data } = await (await setUp()).get('/api/user/self')
  const [name, value] = behindProxy!.split(';')[0]!.split('=')
  const self = (cookie: string) => new Person(data.id, 'root', cookie).get('/api/user/self')
  expect((await self(`${name}=${value}`)).status).toBe(200)
  expect((await self(`session=${value}`)).status).toBe(401)
  expect((await self(`__Host-session=${plain!.split(';')[0]!.split('=')[1]}`)).status).toBe(401)
})

test('account responses hold no secret', async () => {
  const root = await setUp()
  const self = await root.get('/api/user/self')
  expect(Object.keys(self.data)).not.toContainAnyValues(['password', 'access_token', 'access_token_hash'])
  const login = await anyone.post('/api/user/login', ROOT)
  expect(Object.keys(login.data).sort()).toEqual(['display_name', 'group', 'id', 'role', 'status', 'username'])
})

test('a call with a cookie needs the user-id header of the same user', async () => {
  const ann = await visitor()
  const as = (headers: Record<string, string>) => ann.get('/api/user/self', { headers })
  expect((await anyone.get('/api/user/self', { headers: { cookie: ann.cookie } })).status).toBe(401)
  expect((await as({ 'tollgate-user': '' })).status).toBe(401)
  expect((await as({ 'tollgate-user': String(ann.id + 1) })).status).toBe(401)
  expect((await as({ 'tollgate-user': String(ann.id) })).status).toBe(200)
  for (const alias of ['new-api-user', 'veloera-user']) {
    const answer = await anyone.get('/api/user/self', { headers: { cookie: ann.cookie, [alias]: String(ann.id) } })
    expect([alias, answer.status]).toEqual([alias, 200])
  }
})

test('a copied session cookie is refused after sign-out', async () => {
  await setUp()
  const root = await signIn(ROOT.username, ROOT.password)
  await root.get('/api/user/logout')
  expect(await root.get('/api/user/self')).toMatchObject({ status: 401, success: false })
  const left = async (proto: string) =>
    (await root.fetch('/api/user/logout', { headers: { 'x-forwarded-proto': proto } })).headers.get('set-cookie')
  expect(await left('http')).toBe('session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
  expect(await left('https')).toBe('__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure')
})

test('sign out everywhere: every session ends at once', async () => {
  const ann = await visitor()
  expect((await ann.get('/api/user/self')).status).toBe(200)
  await atomic(tx => endSessions(tx, ann.id))
  expect((await ann.get('/api/user/self')).status).toBe(401)
})

test('a sign-in deletes ended sessions and no others', async () => {
  const ann = await visitor()
  const bea = await visitor()
  const over = { device: '', address: '', created_time: 1, last_seen: 1, expires_time: 2 }
  await db.insert(sessions).values([ann, bea].map(({ id: user_id }) => ({ ...over, id: `over ${user_id}`, user_id })))
  const [user] = await db.select().from(users).where(eq(users.id, ann.id))
  await openSession(user!, { address: '127.0.0.1', device: 'test' })
  expect(await db.select().from(sessions).where(eq(sessions.expires_time, 2))).toEqual([])
  for (const person of [ann, bea]) expect((await person.get('/api/user/self')).status).toBe(200)
})

test('a session stores address, device and the time of its last use to a few minutes', async () => {
  holdClock(true)
  const { id } = await setUp()
  const headers = { 'user-agent': 'x'.repeat(300), 'x-forwarded-for': '203.0.113.7' }
  const login = await anyone.fetch('/api/user/login', { method: 'POST', body: JSON.stringify(ROOT), headers })
  const root = new Person(id, ROOT.username, login.headers.get('set-cookie')!.split(';')[0])
  const session = async () => {
    const [found] = await db.select().from(sessions).where(eq(sessions.address, '203.0.113.7'))
    return found!
  }
  const opened = await session()
  expect(opened).toMatchObject({ user_id: id, device: 'x'.repeat(200), last_seen: now() })
  for (const [later, seen] of [
    [299, 0],
    [1, 300],
  ] as const) {
    shiftClock(later)
    await root.get('/api/user/self')
    expect((await session()).last_seen - opened.last_seen).toBe(seen)
  }
  shiftClock(-300)
  holdClock(false)
})

test('a password changed during its check opens no session', async () => {
  const ann = await visitor()
  const [before] = await db.select().from(users).where(eq(users.id, ann.id))
  await db.update(users).set({ password: 'another' }).where(eq(users.id, ann.id))
  const opening = openSession(before!, { address: '127.0.0.1', device: 'slow' })
  await expect(opening).rejects.toMatchObject({ code: 'account.login_wrong' })
})

test('sign-in and sign-out refuse forms of other sites', async () => {
  const ann = await visitor()
  for (const [name, value] of [
    ['sec-fetch-site', 'cross-site'],
    ['origin', 'https://evil.example'],
  ] as const) {
    const foreign = { headers: { [name]: value } }
    expect(await ann.get('/api/user/logout', foreign)).toMatchObject({ status: 403, code: 'error.csrf' })
    expect(await anyone.post('/api/user/login', ROOT, foreign)).toMatchObject({ status: 403, code: 'error.csrf' })
  }
  expect((await ann.get('/api/user/self')).status).toBe(200)
})

test('a forged or altered session cookie is ignored', async () => {
  const ann = await visitor()
  const [head, , signature] = ann.cookie.split('.')
  const forged = [head, btoa(JSON.stringify({ sub: '1', sid: 'x' })).replaceAll('=', ''), signature].join('.')
  for (const cookie of [forged, 'session=', 'session=garbage', `${ann.cookie}x`]) {
    const person = new Person(ann.id, 'ann', cookie)
    expect((await person.get('/api/user/self')).status).toBe(401)
  }
})

test('banned users and ended sessions are refused', async () => {
  const ann = await visitor()
  const password = 'the right one'
  const banned = { status: UserStatus.banned, password: await Bun.password.hash(password) }
  await db.update(users).set(banned).where(eq(users.id, ann.id))
  invalidate('user', ann.id)
  expect(await anyone.post('/api/user/login', { username: ann.username, password })).toMatchObject(unknown)
  expect(await ann.get('/api/user/self')).toMatchObject({ status: 403, message: 'This account is banned' })
  expect((await ann.page('/app/tokens')).headers.get('location')).toStartWith('/login?')

  const bea = await visitor()
  shiftClock(2_592_001)
  expect((await bea.get('/api/user/self')).status).toBe(401)
  shiftClock(-2_592_001)
})

test('a deleted user is refused by session, access token and password', async () => {
  const ann = await visitor()
  const password = 'was-right-once'
  await db
    .update(users)
    .set({ access_token_hash: digest('of-the-deleted'), password: await hashPassword(password) })
    .where(eq(users.id, ann.id))
  const headers = { authorization: 'of-the-deleted', 'tollgate-user': String(ann.id) }
  const statuses = async () => [
    (await ann.get('/api/user/self')).status,
    (await anyone.get('/api/user/self', { headers })).status,
    (await anyone.post('/api/user/login', { username: ann.username, password })).success,
  ]
  expect(await statuses()).toEqual([200, 200, true])
  await db.update(users).set({ deleted_time: now() }).where(eq(users.id, ann.id))
  expect(await statuses()).toEqual([401, 401, false])
})

test('sign-in: ten wrong passwords close an account to their address for a while, also at once', async () => {
  const wrong = (index: number) =>
    anyone.post(
      '/api/user/login',
      { username: index % 2 ? 'victim' : 'VICTIM', password: 'wrong' },
      { headers: { 'x-forwarded-for': '198.51.100.1' } },
    )
  holdClock(true)
  const statuses: number[] = []
  for (let round = 0; round < 5; round++)
    statuses.push(...(await Promise.all([0, 1, 2].map(index => wrong(index)))).map(({ status }) => status))
  expect(statuses.sort()).toEqual([...Array(10).fill(200), ...Array(5).fill(429)])
  const closed = await wrong(99)
  expect(closed).toMatchObject({ status: 429, code: 'account.login_throttled' })
  shiftClock(899)
  expect(await wrong(99)).toMatchObject({ status: 429 })
  shiftClock(2)
  expect((await wrong(99)).status).toBe(200)
  shiftClock(-901)
  holdClock(false)
})

test('sign-in: wrong passwords count per account, by name and by e-mail address', async () => {
  const ann = await visitor()
  await db.update(users).set({ email: 'ann@example.com' }).where(eq(users.id, ann.id))
  const names = [ann.username, 'ann@example.com', 'ANN@example.com', ` ${ann.username} `]
  const statuses: number[] = []
  for (let index = 0; index < 12; index++) {
    const username = names[index % names.length]
    statuses.push((await anyone.post('/api/user/login', { username, password: 'wrong' })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
})

test.each([
  ['not json', 'error.invalid_json'],
  ['{"username":"\\ud800","password":"x"}', 'error.invalid_text'],
  ['{"username":"\\uD800","password":"x"}', 'error.invalid_text'],
  ['{"username":"a\\u0000b","password":"x"}', 'error.invalid_text'],
  ['{"username":"a\0b","password":"x"}', 'error.invalid_json'],
  [`${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}`, 'error.invalid_text'],
  ['[]', 'error.invalid_parameter'],
  ['{"username":{"a":1},"password":"x"}', 'account.login_required'],
  ['[{"a":'.repeat(100_000), 'error.invalid_json'],
])('sign-in body %#: refused with 400', async (body, code) => {
  expect(await anyone.post('/api/user/login', body)).toMatchObject({ status: 400, success: false, code })
})

test('an oversized body is refused with 413, with and without content-length', async () => {
  const body = JSON.stringify({ username: 'x'.repeat(1_100_000), password: 'x' })
  expect((await anyone.post('/api/user/login', body)).status).toBe(413)
  const chunked = await anyone.fetch('/api/user/login', { method: 'POST', body: new Blob([body]).stream() })
  expect(chunked.status).toBe(413)
})

test('an unknown path under /api is a 404 in the envelope', async () => {
  expect(await anyone.get('/api/nothing')).toMatchObject({ status: 404, success: false, code: 'error.invalid_url' })
})

test.each(['/api/setup', '/api/user/self', '/api/nothing'])(
  'responses of %s are uncacheable, have their content type and carry the request id',
  async path => {
    const { headers } = await anyone.fetch(path)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toMatch(/^req_[\w-]{20,}$/)
  },
)

test.each([
  '/',
  '/login',
  '/nothing',
  '/app/tokens',
  '/api/status',
  '/api/nothing',
  '/favicon.svg',
  '/custom/global.css',
])('https responses of %s set strict-transport-security', async path => {
  await setUp()
  const transport = async (headers: Record<string, string>) =>
    (await anyone.fetch(path, { headers })).headers.get('strict-transport-security')
  expect(await transport({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
  expect([await transport({ 'x-forwarded-proto': 'http' }), await transport({})]).toEqual([null, null])
})
