/** Devices, confirmation of dangerous steps, renewal of hashes, and the ends of sessions. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { UserStatus } from '../../src/contracts/account.ts'
import { hashPassword, isOutdated } from '../../src/crypto/passwords.ts'
import { digest } from '../../src/crypto/sealing.ts'
import { atomic } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { endAccess } from '../../src/domain/account/sessions.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Answer, anyone, HOME, Person, setUp, signIn, visitor } from '../support/people/person.ts'
import { PASSWORD, setUpApp, withPassword } from '../support/people/second-factors.ts'

let moved = 0
const later = (seconds: number) => {
  moved += seconds
  shiftClock(seconds)
}
beforeEach(() => holdClock(true))
afterEach(() => {
  later(-moved)
  holdClock(false)
})

test('devices: each sign-in is listed, one or all others can be ended, and their cookies are dead', async () => {
  const ann = await withPassword()
  const [phone, laptop] = [await signIn(ann.username, PASSWORD), await signIn(ann.username, PASSWORD)]
  const { data } = await phone.get('/api/user/sessions')
  expect(data).toHaveLength(3)
  expect(Object.keys(data[0]).sort()).toEqual(['address', 'created_time', 'current', 'device', 'id', 'last_seen'])
  expect(data.filter((device: { current: boolean }) => device.current)).toHaveLength(1)
  const own = data.find((device: { current: boolean }) => device.current).id
  expect(own).toMatch(/^[0-9a-f]{16}$/)

  const bea = await withPassword()
  expect(await bea.delete(`/api/user/sessions/${own}`)).toMatchObject({ status: 404, code: 'security.session_missing' })
  for (const id of ['1', 'x'.repeat(16), `${own}0`, '%25'.repeat(16)])
    expect((await phone.delete(`/api/user/sessions/${id}`)).status).toBe(404)
  expect(await laptop.delete(`/api/user/sessions/${own}`)).toMatchObject({ success: true })
  expect((await phone.get('/api/user/self')).status).toBe(401)
  expect(await laptop.delete('/api/user/sessions')).toMatchObject({ success: true, data: 1 })
  expect((await ann.get('/api/user/self')).status).toBe(401)
  expect((await laptop.get('/api/user/sessions')).data).toHaveLength(1)
  expect((await bea.get('/api/user/self')).status).toBe(200)
})

test('devices: the page names browser and system, and its forms end them', async () => {
  const ann = await withPassword()
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
  await anyone.post(
    '/api/user/login',
    { username: ann.username, password: PASSWORD },
    { headers: { 'user-agent': agent } },
  )
  expect(await (await ann.page('/app/me/security')).text()).toContain('Chrome on Windows')
  expect(await (await ann.page('/app/me/security', { language: 'zh' })).text()).toContain('Windows 上的 Chrome')
  const { data } = await ann.get('/api/user/sessions')
  const other = data.find((device: { current: boolean }) => !device.current)
  const ended = await ann.form(`/app/me/security/sessions/${other.id}/end`)
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/app/me/security'])
  expect((await ann.get('/api/user/sessions')).data).toHaveLength(1)
  await signIn(ann.username, PASSWORD)
  expect((await ann.form('/app/me/security/sessions/end-others')).status).toBe(303)
  expect((await ann.get('/api/user/sessions')).data).toHaveLength(1)
})

test('a session ends 30 days after the sign-in, and after 7 days without a request', async () => {
  const ann = await visitor()
  later(604_800)
  expect((await ann.get('/api/user/self')).status).toBe(401)
  const bea = await visitor()
  for (let week = 0; week < 4; week++) {
    later(604_700)
    expect((await bea.get('/api/user/self')).status).toBe(200)
  }
  later(2_592_000 - 4 * 604_700)
  expect((await bea.get('/api/user/self')).status).toBe(401)
})

test('a sign-in opens a new session, whatever cookie the browser had', async () => {
  const ann = await withPassword()
  const old = await signIn(ann.username, PASSWORD)
  const response = await anyone.fetch('/api/user/login', {
    method: 'POST',
    body: JSON.stringify({ username: ann.username, password: PASSWORD }),
    headers: { cookie: old.cookie, 'content-type': 'application/json' },
  })
  const cookie = response.headers.get('set-cookie')!.split(';')[0]
  expect(cookie).not.toBe(old.cookie)
  expect((await new Person(ann.id, ann.username, cookie).get('/api/user/self')).status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const planted = await new Person(ann.id, ann.username, 'session=planted').get('/api/user/self')
  expect(planted.status).toBe(401)
})

test('dangerous steps need a confirmation of the last five minutes, in the API and on pages', async () => {
  const ann = await withPassword()
  await setUpApp(ann)
  later(299)
  expect((await ann.post('/api/user/recovery-codes')).success).toBe(true)
  later(2)
  const refusal = { status: 403, success: false, code: 'security.confirm_required' }
  expect(await ann.post('/api/user/recovery-codes')).toMatchObject(refusal)
  expect(await ann.delete('/api/user/authenticator')).toMatchObject(refusal)
  expect(await ann.post('/api/user/passkey-challenge')).toMatchObject(refusal)
  const headers = { referer: `${HOME}/app/me/security?codes=` }
  const sent = await ann.form('/app/me/security/recovery-codes', {}, { headers })
  const page = sent.headers.get('location')!
  expect([sent.status, page]).toEqual([303, '/app/me/confirm?returnTo=%2Fapp%2Fme%2Fsecurity%3Fcodes%3D'])
  expect(await (await ann.page(page)).text()).toContain('name="returnTo" value="/app/me/security?codes="')
  expect((await ann.page('/app/me/security?passkey=')).headers.get('location')).toStartWith('/app/me/confirm?')

  const returnTo = '/app/me/security?codes='
  const wrong = await ann.form('/app/me/confirm', { password: 'wrong', returnTo })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('Wrong password')])
  expect(await ann.post('/api/user/confirm', { password: 'wrong' })).toMatchObject({ field: 'password' })
  expect(await ann.post('/api/user/confirm', {})).toMatchObject({ status: 400, code: 'security.password_required' })
  expect(await ann.post('/api/user/recovery-codes')).toMatchObject(refusal)
  const right = await ann.form('/app/me/confirm', { password: PASSWORD, returnTo })
  expect(right.headers.get('location')).toBe(returnTo)
  expect((await ann.post('/api/user/recovery-codes')).success).toBe(true)
  later(301)
  expect((await ann.post('/api/user/confirm', { password: PASSWORD })).success).toBe(true)
  expect((await ann.post('/api/user/recovery-codes')).success).toBe(true)
  const evil = await ann.form('/app/me/confirm', { password: PASSWORD, returnTo: '//evil.example' })
  expect(evil.headers.get('location')).toBe('/')
})

test('an access token is refused at dangerous steps and cannot confirm', async () => {
  const ann = await withPassword()
  const token = `of-${ann.username}`
  await db
    .update(users)
    .set({ access_token_hash: digest(token) })
    .where(eq(users.id, ann.id))
  const byToken = { headers: { authorization: token, 'tollgate-user': String(ann.id) } }
  const refusal = { status: 403, code: 'security.confirm_required' }
  expect(await anyone.post('/api/user/authenticator', {}, byToken)).toMatchObject(refusal)
  expect(await anyone.post('/api/user/confirm', { password: PASSWORD }, byToken)).toMatchObject(refusal)
  expect((await anyone.get('/api/user/sessions', byToken)).data).toHaveLength(1)
})

test.each([
  ['bcrypt', await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })],
  [
    "bcrypt of PHP's kind",
    (await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })).replace(/^\$2\w/, '$2y'),
  ],
  ['cheaper argon2id', await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })],
  ['dearer argon2id', await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 2 })],
])('a hash by %s is renewed at the next sign-in with the right password', async (_, old) => {
  const { id, username } = await visitor()
  await db.update(users).set({ password: old }).where(eq(users.id, id))
  const hash = async () => (await db.select().from(users).where(eq(users.id, id)))[0]!.password
  await anyone.post('/api/user/login', { username, password: 'wrong' })
  expect(await hash()).toBe(old)
  expect((await signIn(username, PASSWORD)).id).toBe(id)
  const renewed = await hash()
  expect([renewed === old, isOutdated(renewed)]).toEqual([false, false])
  expect((await signIn(username, PASSWORD)).id).toBe(id)
  expect(await hash()).toBe(renewed)
})

test('a hash in an unknown format fits no password', async () => {
  const { id, username } = await visitor()
  await db.update(users).set({ password: 'no hash' }).where(eq(users.id, id))
  expect(await anyone.post('/api/user/login', { username, password: 'no hash' })).toMatchObject({
    status: 200,
    code: 'account.login_wrong',
  })
})

test('a hundred wrong passwords, ten at once, at sign-in and at the confirmation: ten of each are checked', async () => {
  const ann = await withPassword()
  const wrong = { username: ann.username, password: 'wrong' }
  const send = (index: number) =>
    index % 2 ? anyone.post('/api/user/login', wrong) : ann.post('/api/user/confirm', { password: 'wrong' })
  const answers: Answer[] = []
  for (let round = 0; round < 10; round++)
    answers.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => send(index)))))
  expect(answers.filter(answer => answer.status === 200)).toHaveLength(20)
  expect(answers.filter(answer => ![200, 429, 503].includes(answer.status))).toEqual([])
  expect(await anyone.post('/api/user/login', { ...wrong, password: PASSWORD })).toMatchObject({ status: 429 })
})

test('a new password ends sessions and the access token; a ban and a lower role count at once', async () => {
  const ann = await withPassword()
  const token = `old-of-${ann.username}`
  await db
    .update(users)
    .set({ access_token_hash: digest(token) })
    .where(eq(users.id, ann.id))
  const headers = { authorization: token, 'tollgate-user': String(ann.id) }
  const statuses = async () => [
    (await ann.get('/api/user/self')).status,
    (await anyone.get('/api/user/self', { headers })).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, ann.id))
  invalidate('user', ann.id)
  expect(await statuses()).toEqual([403, 403])
  await db.update(users).set({ status: UserStatus.enabled }).where(eq(users.id, ann.id))
  await atomic(tx => endAccess(tx, ann.id))
  expect(await statuses()).toEqual([401, 401])
  expect(await db.select().from(sessions).where(eq(sessions.user_id, ann.id))).toEqual([])
})

const WRONG = 'Wrong username or password, or this account is banned'

test('sign-in: unknown, known, banned, deleted and password-less accounts get one answer for the same work', async () => {
  await setUp()
  const password = await hashPassword('the right one')
  const people = await Promise.all(Array.from({ length: 5 }, () => visitor()))
  const changes = [{ password }, { password, status: UserStatus.banned }, { password, deleted_time: now() }, {}]
  for (const [at, change] of changes.entries())
    if (Object.keys(change).length) await db.update(users).set(change).where(eq(users.id, people[at]!.id))
  const logins = [...people.slice(0, changes.length).map(({ username }) => username), 'no-such-user', 'no@example.com']
  using verify = spyOn(Bun.password, 'verify')
  using hash = spyOn(Bun.password, 'hash')
  for (const username of logins) {
    verify.mockClear()
    const { message, code, status, field } = await anyone.post('/api/user/login', { username, password: 'a wrong one' })
    expect([username, message, code, status, field]).toEqual([username, WRONG, 'account.login_wrong', 200, undefined])
    const costs = verify.mock.calls.map(([, against]) => /m=\d+,t=\d+,p=\d+/.exec(String(against))?.[0])
    expect([username, costs]).toEqual([username, ['m=19456,t=2,p=1']])
  }
  expect(hash).not.toHaveBeenCalled()
})
