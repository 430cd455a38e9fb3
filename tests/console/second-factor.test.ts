// @engine both
/** Second factors: set-up, the second step of a sign-in, recovery codes, the demand on administrators. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { PASSKEYS_MAX } from '../../src/contracts/security.ts'
import { db } from '../../src/db/database.ts'
import { passkeys, recoveryCodes } from '../../src/domain/two-factor/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, cheapHash, HOME, Person, setUp, visitor } from '../support/people/person.ts'
import { Browser, codeOf, PASSWORD, setUpApp, withApp, withPassword } from '../support/people/second-factors.ts'
import { SoftPasskey } from '../support/people/soft-passkey.ts'

// A code belongs to 30 seconds: the clock stands still, so that none ends within a test.
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

test('setting up an app: the first code turns it on and brings ten recovery codes', async () => {
  const ann = await withPassword()
  const { data } = await ann.post('/api/user/authenticator')
  expect(data.uri).toStartWith('otpauth://totp/')
  expect(new URL(data.uri).searchParams.get('secret')).toBe(data.secret)
  expect((await new Browser().begin(ann)).success).toBe(true)
  expect(await ann.post('/api/user/authenticator/confirm', { code: '000000' })).toMatchObject({
    success: false,
    code: 'security.code_wrong',
    field: 'code',
  })
  const { data: on } = await ann.post('/api/user/authenticator/confirm', { code: codeOf(data.secret) })
  expect(on.recovery_codes).toHaveLength(10)
  expect(new Set(on.recovery_codes).size).toBe(10)
  expect((await ann.get('/api/user/second-factors')).data).toEqual({
    authenticator: true,
    passkeys: [],
    recovery_codes: 10,
  })
  const stored = await db.select().from(recoveryCodes).where(eq(recoveryCodes.user_id, ann.id))
  expect(JSON.stringify(stored)).not.toContain(on.recovery_codes[0].replaceAll('-', ''))
  expect(await ann.post('/api/user/authenticator')).toMatchObject({ success: false, code: 'security.app_exists' })
})

test('a sign-in with an app waits for the code, and each code is accepted once', async () => {
  const { person, secret } = await withApp()
  const browser = new Browser()
  const first = await browser.begin(person)
  expect(first).toMatchObject({ success: false, code: 'security.second_factor_required', data: { passkey: false } })
  expect(await browser.finish(first.data.ticket, codeOf(secret, -1))).toMatchObject({ code: 'security.code_wrong' })
  expect(await browser.finish(first.data.ticket, codeOf(secret, 2))).toMatchObject({ code: 'security.code_wrong' })
  const code = codeOf(secret)
  const done = await browser.finish(first.data.ticket, ` ${code.slice(0, 3)} ${code.slice(3)} `)
  expect(done).toMatchObject({ success: true, data: { id: person.id } })
  const self = new Person(person.id, person.username, browser.cookie)
  expect((await self.get('/api/user/self')).data.id).toBe(person.id)

  const again = new Browser()
  const { ticket } = (await again.begin(person)).data
  expect(await again.finish(ticket, code)).toMatchObject({ code: 'security.code_wrong' })
  expect(await again.finish(ticket, codeOf(secret, 1))).toMatchObject({ success: true })
})

test('a user has at most 20 passkeys', async () => {
  const ann = await withPassword()
  const rows = Array.from({ length: PASSKEYS_MAX - 1 }, (_, at) => ({
    id: `${ann.id}-${at}`,
    name: 'key',
    public_key: 'x',
  }))
  await db.insert(passkeys).values(rows.map(row => ({ ...row, user_id: ann.id, created_time: 1 })))
  const add = async () => {
    const { data } = await ann.post('/api/user/passkey-challenge')
    return ann.post('/api/user/passkeys', {
      name: 'one more',
      credential: new SoftPasskey(HOME).create(data.challenge),
    })
  }
  expect(await add()).toMatchObject({ success: true })
  expect(await add()).toMatchObject({ success: false, code: 'security.passkeys_full' })
  expect(await db.$count(passkeys, eq(passkeys.user_id, ann.id))).toBe(PASSKEYS_MAX)
})

test('one code sent by two sign-ins at once opens one session', async () => {
  const { person, secret } = await withApp()
  const browsers = [new Browser(), new Browser()]
  const tickets = await Promise.all(browsers.map(async browser => (await browser.begin(person)).data.ticket))
  const answers = await Promise.all(browsers.map((browser, index) => browser.finish(tickets[index], codeOf(secret))))
  expect(answers.map(answer => answer.success).sort()).toEqual([false, true])
})

test('a pending sign-in opens nothing else, and belongs to its browser', async () => {
  const { person, secret } = await withApp()
  const browser = new Browser()
  const { ticket } = (await browser.begin(person)).data
  const pending = new Person(person.id, person.username, browser.cookie)
  for (const path of ['/api/user/self', '/api/user/sessions', '/api/user/second-factors', '/api/token/'])
    expect([path, (await pending.get(path)).status]).toEqual([path, 401])
  expect((await pending.delete('/api/user/authenticator')).status).toBe(401)
  expect((await pending.post('/api/user/confirm', { password: PASSWORD })).status).toBe(401)
  for (const path of ['/app/tokens', '/app/me/security', '/app/me/confirm'])
    expect((await pending.page(path)).headers.get('location')).toStartWith('/login?')

  const other = new Browser()
  const ended = { status: 401, code: 'security.sign_in_ended' }
  expect(await other.finish(ticket, codeOf(secret))).toMatchObject(ended)
  await other.begin((await withApp()).person)
  expect(await other.finish(ticket, codeOf(secret))).toMatchObject(ended)
  expect(await browser.finish(`${ticket}x`, codeOf(secret))).toMatchObject(ended)
  const { data } = await browser.send('/api/user/login/second-factor/challenge', { ticket })
  expect(data.challenge).toBeString()
  expect(await other.send('/api/user/login/second-factor/challenge', { ticket })).toMatchObject(ended)
  expect(await browser.finish(ticket, codeOf(secret))).toMatchObject({ success: true })
  expect(await browser.finish(ticket, codeOf(secret, 1))).toMatchObject({ status: 401 })
})

test('a pending sign-in ends after ten minutes', async () => {
  const { person, secret } = await withApp()
  const browser = new Browser()
  const { ticket } = (await browser.begin(person)).data
  later(599)
  expect(await browser.finish(ticket, '000000')).toMatchObject({ code: 'security.code_wrong' })
  later(2)
  expect(await browser.finish(ticket, codeOf(secret))).toMatchObject({ status: 401, code: 'security.sign_in_ended' })
})

test.each([
  ['a new password', { password: await cheapHash('another password') }],
  ['a ban', { status: UserStatus.banned }],
  ['a deletion', { deleted_time: 1 }],
])('a pending sign-in ends with %s', async (_, change) => {
  const { person, secret } = await withApp()
  const browser = new Browser()
  const { ticket } = (await browser.begin(person)).data
  await db.update(users).set(change).where(eq(users.id, person.id))
  invalidate('user', person.id)
  expect(await browser.finish(ticket, codeOf(secret))).toMatchObject({ status: 401, code: 'security.sign_in_ended' })
})

test('a hundred wrong codes at once: five are checked, and the right one comes too late', async () => {
  const { person, secret } = await withApp()
  const browser = new Browser()
  const { ticket } = (await browser.begin(person)).data
  const cookie = browser.cookie
  const wrong = await Promise.all(
    Array.from({ length: 100 }, () =>
      anyone.post('/api/user/login/second-factor', { ticket, code: '000000' }, { headers: { cookie } }),
    ),
  )
  expect(wrong.filter(answer => answer.code === 'security.code_wrong')).toHaveLength(5)
  expect(wrong.filter(answer => answer.success)).toEqual([])
  expect((await browser.finish(ticket, codeOf(secret))).success).toBe(false)
})

test('a right password does not free guesses of the code: all failures at one address count together', async () => {
  const { person, secret } = await withApp()
  const statuses: (string | undefined)[] = []
  for (let round = 0; round < 4; round++) {
    const browser = new Browser()
    const first = await browser.begin(person)
    if (first.status === 429) statuses.push('locked')
    else for (let tries = 0; tries < 3; tries++) statuses.push((await browser.finish(first.data.ticket, '000000')).code)
  }
  expect(statuses.filter(code => code === 'security.code_wrong')).toHaveLength(7)
  expect(await new Browser().begin(person)).toMatchObject({ status: 429, code: 'account.login_throttled' })
  expect(await person.post('/api/user/confirm', { password: PASSWORD })).toMatchObject({ success: true })
  later(901)
  const browser = new Browser()
  const { ticket } = (await browser.begin(person)).data
  expect((await browser.finish(ticket, codeOf(secret))).success).toBe(true)
})

test('a recovery code stands for a code once, also when it is sent many times at once', async () => {
  const { person, codes } = await withApp()
  const browsers = Array.from({ length: 4 }, () => new Browser())
  const tickets = await Promise.all(browsers.map(async browser => (await browser.begin(person)).data.ticket))
  const code = codes[0]!.toUpperCase().replaceAll('-', ' ')
  const answers = await Promise.all(browsers.map((browser, index) => browser.finish(tickets[index], code)))
  expect(answers.filter(answer => answer.success)).toHaveLength(1)
  expect((await person.get('/api/user/second-factors')).data.recovery_codes).toBe(9)

  const { data } = await person.post('/api/user/recovery-codes')
  expect(data.recovery_codes).toHaveLength(10)
  const again = new Browser()
  const { ticket } = (await again.begin(person)).data
  expect(await again.finish(ticket, codes[1]!)).toMatchObject({ code: 'security.code_wrong' })
  expect(await again.finish(ticket, data.recovery_codes[9])).toMatchObject({ success: true })
})

test('without its last second factor an account has no recovery codes and no second step', async () => {
  const { person } = await withApp()
  await person.delete('/api/user/authenticator')
  expect((await person.get('/api/user/second-factors')).data).toEqual({
    authenticator: false,
    passkeys: [],
    recovery_codes: 0,
  })
  expect(await person.post('/api/user/recovery-codes')).toMatchObject({ code: 'security.codes_needs_factor' })
  expect(await new Browser().begin(person)).toMatchObject({ success: true })
})

test('the pages of both steps work without a script and keep returnTo', async () => {
  const { person, secret } = await withApp()
  const browser = new Browser()
  const { username } = person
  const first = await browser.form('/login', { username, password: PASSWORD, returnTo: '/app/logs/api-usage?p=2' })
  const next = first.headers.get('location')!
  expect(next).toBe('/login/second-factor?returnTo=%2Fapp%2Flogs%2Fapi-usage%3Fp%3D2')
  const page = await (await browser.page(next)).text()
  expect(page).toContain('name="returnTo" value="/app/logs/api-usage?p=2"')
  const returnTo = '/app/logs/api-usage?p=2'
  const wrong = await browser.form('/login/second-factor', { code: '000000', returnTo })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('This code is wrong')])
  expect((await browser.form('/login/second-factor', { returnTo })).status).toBe(422)
  const done = await browser.form('/login/second-factor', { code: codeOf(secret), returnTo })
  expect([done.status, done.headers.get('location')]).toEqual([303, returnTo])
  const self = new Person(person.id, username, browser.cookie)
  expect((await self.page('/app/me/security')).status).toBe(200)

  const ended = await new Browser().page('/login/second-factor?returnTo=%2Fapp%2Ftokens')
  expect(ended.headers.get('location')).toBe('/login?returnTo=%2Fapp%2Ftokens')
  const foreign = await browser.form('/login/second-factor', { code: '1', returnTo: 'https://evil.example' })
  expect(foreign.headers.get('location')).not.toContain('evil')
})

test('sign-in steps refuse requests of other sites', async () => {
  const foreign = { headers: { origin: 'https://evil.example' } }
  for (const path of ['second-factor', 'second-factor/challenge', 'passkey', 'passkey/challenge'])
    expect(await anyone.post(`/api/user/login/${path}`, {}, foreign)).toMatchObject({ status: 403, code: 'error.csrf' })
  for (const path of ['/login/second-factor', '/login/passkey'])
    expect((await anyone.form(path, {}, foreign)).status).toBe(403)
})

test('an account without a password confirms by its app; one without any factor by a new sign-in', async () => {
  const ann = await visitor()
  const { secret } = await setUpApp(ann)
  later(301)
  expect(await ann.post('/api/user/recovery-codes')).toMatchObject({ status: 403, code: 'security.confirm_required' })
  expect(await (await ann.page('/app/me/confirm')).text()).toContain('name="code"')
  expect(await ann.post('/api/user/confirm', { password: '' })).toMatchObject({ status: 400 })
  expect(await ann.post('/api/user/confirm', { code: '000000' })).toMatchObject({ code: 'security.code_wrong' })
  expect(await ann.post('/api/user/confirm', { code: codeOf(secret) })).toMatchObject({ success: true })
  expect(await ann.post('/api/user/recovery-codes')).toMatchObject({ success: true })

  const bea = await visitor()
  later(301)
  expect(await (await bea.page('/app/me/confirm')).text()).toContain('action="/logout"')
  expect((await bea.post('/api/user/confirm', { code: '000000' })).success).toBe(false)
})

test('the option AdminTwoFactorRequired refuses administrators without a second factor, and no other user', async () => {
  const [admin, bea] = [await withPassword(Role.admin), await withPassword()]
  const { person: safe } = await withApp(Role.admin)
  await setUpApp(await setUp())
  await setOption('AdminTwoFactorRequired', true)
  expect(await admin.get('/api/channel/')).toMatchObject({ status: 403, code: 'security.admin_factor_missing' })
  expect(await admin.get('/api/channel/', { language: 'zh' })).toMatchObject({
    message: expect.stringContaining('本站要求管理员启用第二重验证'),
  })
  expect((await admin.page('/admin/channels')).headers.get('location')).toBe('/app/me/security')
  expect(await (await admin.page('/app/me/security')).text()).toContain('The operator demands a second factor')
  expect((await admin.get('/api/user/self')).success).toBe(true)
  const signedIn = await new Browser().form('/login', { username: admin.username, password: PASSWORD })
  expect(signedIn.headers.get('location')).toBe('/app/me/security')
  const ordinary = await new Browser().form('/login', { username: bea.username, password: PASSWORD })
  expect(ordinary.headers.get('location')).toBe('/app/tokens')
  expect((await safe.get('/api/channel/')).success).toBe(true)
  await setUpApp(admin)
  expect((await admin.get('/api/channel/')).success).toBe(true)
  expect((await admin.page('/admin/channels')).status).toBe(200)
  await setOption('AdminTwoFactorRequired', false)
})
