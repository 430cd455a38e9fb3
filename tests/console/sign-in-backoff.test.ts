// @engine both
/** Back-off of failed sign-ins: guesses lock their author out, and no other browser or address. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { crowd, withQuickHashes } from '../support/people/crowd.ts'
import { askForLink, configureReset, linkFor } from '../support/people/password-reset.ts'
import { type Answer, anyone, type Person, ROOT, setUp } from '../support/people/person.ts'
import { mailsTo, register } from '../support/people/registration.ts'
import { Browser, codeOf, PASSWORD, withApp, withPassword } from '../support/people/second-factors.ts'

afterEach(() => resetStores('clock', 'login-failures', 'sign-in-lines', 'password-work'))

const LOCKED = { status: 429, code: 'account.login_throttled' }

/** Between two turns of the line. */
const PACE_SECONDS = 36

type Attempt = { from: string; cookie?: string; password?: string; language?: 'en' | 'zh' }

const login = (username: string, { from, cookie = '', password = 'wrong', language }: Attempt) =>
  anyone.post('/api/user/login', { username, password }, { language, headers: { 'x-forwarded-for': from, cookie } })

async function ten(guess: () => Promise<Answer>) {
  using _ = withQuickHashes()
  for (let attempt = 0; attempt < 10; attempt++) await guess()
}

/** Signs in and keeps the cookie of the known browser alone, as after a sign-out. */
async function knownBrowserOf(person: Person, password = PASSWORD): Promise<string> {
  const response = await anyone.form('/login', { username: person.username, password })
  const cookies = response.headers.getSetCookie()
  const known = cookies.find(cookie => cookie.startsWith('known-'))!
  expect(known).toMatch(/^known-\d+=[^;]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
  return known.split(';')[0]!
}

/** As if the user had signed in nowhere. */
const leave = ({ id }: Person) => db.delete(sessions).where(eq(sessions.user_id, id))

test('wrong passwords for root from one address lock that address, and root signs in from another', async () => {
  await setUp()
  await ten(() => login(ROOT.username, { from: '198.51.100.1' }))
  const right = { password: ROOT.password }
  expect(await login(ROOT.username, { from: '198.51.100.1', ...right, language: 'zh' })).toMatchObject({
    ...LOCKED,
    message: expect.stringMatching(/^登录失败次数过多，请 \d+ 秒后再试$/),
  })
  expect((await login(ROOT.username, { from: '198.51.100.2', ...right })).success).toBe(true)
})

test('an IPv6 subscriber is one address: another host of its network has no guesses of its own', async () => {
  const ann = await withPassword()
  await ten(() => login(ann.username, { from: '2001:db8:1:2::1' }))
  expect(await login(ann.username, { from: '2001:db8:1:2:ffff::9', password: PASSWORD })).toMatchObject(LOCKED)
  expect((await login(ann.username, { from: '2001:db8:1:3::1', password: PASSWORD })).success).toBe(true)
})

test('a known browser signs in from a locked address, and its own failures lock it alone', async () => {
  const ann = await withPassword()
  const cookie = await knownBrowserOf(ann)
  const from = '198.51.100.1'
  await ten(() => login(ann.username, { from }))
  expect(await login(ann.username, { from, password: PASSWORD })).toMatchObject(LOCKED)
  expect((await login(ann.username, { from, password: PASSWORD, cookie })).success).toBe(true)

  await ten(() => login(ann.username, { from: '198.51.100.2', cookie }))
  expect(await login(ann.username, { from: '198.51.100.3', password: PASSWORD, cookie })).toMatchObject(LOCKED)
  expect((await login(ann.username, { from: '198.51.100.2', password: PASSWORD })).success).toBe(true)
})

test('guesses from any number of addresses are bounded; a known browser and a signed-in address still get in', async () => {
  holdClock(true)
  const ann = await withPassword()
  const cookie = await knownBrowserOf(ann)
  await leave(ann)
  // Her own sign-in is one of the first hundred; the first turn of the line comes at once.
  expect(await crowd(ann.username, 140)).toBe(100)
  const right = { password: PASSWORD }
  const unknown = await login(ann.username, { from: '203.0.113.1', ...right })
  expect(unknown).toMatchObject({ ...LOCKED, data: { retry_after: expect.any(Number) } })
  expect((await login(ann.username, { from: '203.0.113.2', ...right, cookie })).success).toBe(true)
  // The session of that sign-in makes its address known.
  expect((await login(ann.username, { from: '203.0.113.2', ...right })).success).toBe(true)
  // The places of strangers who do not come back are over.
  shiftClock(7200)
  expect((await login(ann.username, { from: '203.0.113.4', ...right })).success).toBe(true)
})

test('however often a known browser signs in, strangers do not wait for it', async () => {
  holdClock(true)
  const ann = await withPassword()
  const cookie = await knownBrowserOf(ann)
  const right = { password: PASSWORD }
  for (let times = 0; times < 100; times++)
    expect((await login(ann.username, { from: '203.0.113.1', ...right, cookie })).success).toBe(true)
  await leave(ann)
  for (const from of ['203.0.113.2', '203.0.113.3', '203.0.113.4'])
    expect((await login(ann.username, { from, ...right })).success).toBe(true)
})

test('while 120 addresses go on guessing, a new browser gets its turn when it is told so, with its second factor', async () => {
  holdClock(true)
  const { person, secret } = await withApp()
  await leave(person)
  expect(await crowd(person.username, 120)).toBe(101)
  const own = { from: '203.0.113.1', password: PASSWORD }
  const wait = (await login(person.username, own)).data.retry_after as number
  expect(wait).toBe(20 * PACE_SECONDS)

  let checked = 0
  let waited = 0
  for (; waited + 60 < wait; waited += 60) {
    shiftClock(60)
    checked += await crowd(person.username, 120)
    expect(await login(person.username, own)).toMatchObject({ ...LOCKED, data: { retry_after: wait - waited - 60 } })
  }
  shiftClock(wait - waited)
  expect(await crowd(person.username, 120)).toBeLessThanOrEqual(2)
  expect(checked).toBeGreaterThan(10)
  expect(checked).toBeLessThanOrEqual(wait / PACE_SECONDS)
  const begun = await new Browser().begin(person)
  expect(begun).toMatchObject(LOCKED)
  const browser = new Browser({ 'x-forwarded-for': own.from })
  const { data } = await browser.begin(person)
  expect((await browser.finish(data.ticket, codeOf(secret))).success).toBe(true)
})

test('an unknown browser at a new address waits at most minutes after an attack has ended', async () => {
  holdClock(true)
  const ann = await withPassword()
  await leave(ann)
  await crowd(ann.username, 105)
  const refused = await login(ann.username, { from: '203.0.113.1', password: PASSWORD })
  expect(refused.data.retry_after).toBe(5 * PACE_SECONDS)
  shiftClock(refused.data.retry_after)
  expect((await login(ann.username, { from: '203.0.113.1', password: PASSWORD })).success).toBe(true)
})

test('a turn that comes is lost after ten minutes, and a line has a thousand places', async () => {
  holdClock(true)
  const ann = await withPassword()
  await leave(ann)
  expect(await crowd(ann.username, 1110)).toBe(101)
  const own = { from: '203.0.113.1', password: PASSWORD }
  expect((await login(ann.username, own)).data.retry_after).toBe(2 * PACE_SECONDS)
  // The first place is over: the last one of the line is free.
  shiftClock(PACE_SECONDS + 601)
  expect((await login(ann.username, own)).data.retry_after).toBe(1000 * PACE_SECONDS - 601)
})

test('a name that does not exist is slowed down like one that does', async () => {
  expect(await crowd('no-such-name', 110)).toBe(101)
  expect(await login('no-such-name', { from: '203.0.113.1' })).toMatchObject(LOCKED)
})

test('a cookie of another user, a forged one and one of an old password make no browser known', async () => {
  const [ann, bea] = [await withPassword(), await withPassword()]
  const value = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)
  const [own, other] = [await knownBrowserOf(ann), await knownBrowserOf(bea)]
  const from = '198.51.100.1'
  await ten(() => login(ann.username, { from }))
  for (const given of [value(other), `${value(own).split('.')[0]}.${'0'.repeat(64)}`, `x${value(own)}`, '', '.'])
    expect(await login(ann.username, { from, password: PASSWORD, cookie: `known-${ann.id}=${given}` })).toMatchObject(
      LOCKED,
    )

  const fields = { original_password: PASSWORD, password: 'second-secret', password2: 'second-secret' }
  const changed = await ann.form('/app/me/password', fields)
  const renewed = changed.headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('known-'))!
    .split(';')[0]!
  const second = { from, password: 'second-secret' }
  expect(await login(ann.username, { ...second, cookie: own })).toMatchObject(LOCKED)
  expect((await login(ann.username, { ...second, cookie: renewed })).success).toBe(true)
})

test('guesses of a password leave the confirmation and the new password of a signed-in user alone', async () => {
  const ann = await withPassword()
  await crowd(ann.username, 105)
  await ten(() => login(ann.username, { from: '127.0.0.1' }))
  expect(await ann.post('/api/user/confirm', { password: PASSWORD })).toMatchObject({ success: true })
  const change = { password: 'second-secret', original_password: PASSWORD }
  expect(await ann.put('/api/user/self', change)).toMatchObject({ success: true })
})

test('a first factor that others know leaves the second step of a known browser open', async () => {
  holdClock(true)
  const { person, secret } = await withApp()
  const own = new Browser()
  await own.finish((await own.begin(person)).data.ticket, codeOf(secret))
  for (let round = 0; round < 4; round++) {
    const thief = new Browser()
    const { data } = await thief.begin(person)
    for (let guess = 0; guess < 3; guess++) await thief.finish(data?.ticket, '000000')
  }
  expect(await new Browser().begin(person)).toMatchObject(LOCKED)
  shiftClock(30)
  const again = await own.begin(person)
  expect((await own.finish(again.data.ticket, codeOf(secret))).success).toBe(true)
})

test('wrong codes and wrong links for an address lock neither its registration nor its sign-in', async () => {
  await configureReset()
  await setOption('EmailVerificationEnabled', true)
  const [email, headers] = ['new@example.com', { 'x-forwarded-for': '198.51.100.1' }]
  await anyone.get(`/api/verification?email=${email}`)
  const code = /\b\d{6}\b/.exec((await mailsTo(email))[0]!.text)![0]
  const guesses = Array.from({ length: 12 }, () =>
    register({ email, verification_code: code === '000000' ? '1' : '000000' }, { headers }),
  )
  expect((await Promise.all(guesses)).filter(({ status }) => status === 429)).toHaveLength(2)
  expect(await register({ email, verification_code: code })).toMatchObject({ success: true })
  await setOption('EmailVerificationEnabled', false)

  const ann = await withPassword()
  await db.update(users).set({ email: 'ann@example.com' }).where(eq(users.id, ann.id))
  const link = await linkFor('ann@example.com')
  for (let guess = 0; guess < 3; guess++)
    await anyone.post('/api/user/reset', { email: 'ann@example.com', token: 'a guess' })
  expect(await login('ann@example.com', { from: '127.0.0.1', password: PASSWORD })).toMatchObject({ success: true })
  const token = link.searchParams.get('token')
  expect(await anyone.post('/api/user/reset', { email: 'ann@example.com', token })).toMatchObject({ success: true })
  expect(await askForLink('ann@example.com')).toMatchObject({ success: true })
})
