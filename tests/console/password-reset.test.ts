// @engine both
/** Password reset: the link in the mail, and what it changes. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { oneTimeSecrets } from '../../src/cluster/table.ts'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { digest } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { authenticators } from '../../src/domain/two-factor/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import {
  askForLink,
  changeUser,
  configureReset,
  linkFor,
  linkTo,
  OLD_PASSWORD,
  SITE,
  tokenFor,
  userAt,
} from '../support/people/password-reset.ts'
import { anyone, setUp, signIn, visitor } from '../support/people/person.ts'
import { configureMail, mailsTo } from '../support/people/registration.ts'

const invalid = { status: 200, success: false, message: 'The reset link is invalid or has expired', data: null }

beforeAll(async () => {
  await setUp()
  await configureReset()
})
afterEach(() => resetStores('clock', 'login-failures'))

const reset = (email: string, token: string, options?: Parameters<typeof anyone.post>[2]) =>
  anyone.post('/api/user/reset', { email, token }, options)

test('a reset sets a new password and ends sessions and access token, but not the second factor', async () => {
  const email = 'ann+1@example.com'
  const ann = await userAt(email)
  await changeUser(ann, { access_token_hash: digest('her-access-token') })
  await db.insert(authenticators).values({ user_id: ann.id, secret: 'JBSWY3DP', created_time: 1 })
  const link = await linkFor(email)
  expect(link.href).toStartWith(`${SITE}/user/reset?email=ann%2B1%40example.com&token=`)
  expect([...link.searchParams.keys()]).toEqual(['email', 'token'])
  expect((await ann.get('/api/user/self')).status).toBe(200)

  const { success, data: password } = await reset(link.searchParams.get('email')!, link.searchParams.get('token')!)
  expect([success, password]).toEqual([true, expect.stringMatching(/^[0-9A-Za-z]{16}$/)])
  expect((await ann.get('/api/user/self')).status).toBe(401)
  const headers = { authorization: 'her-access-token', 'tollgate-user': String(ann.id) }
  expect((await anyone.get('/api/user/self', { headers })).status).toBe(401)
  expect(await anyone.post('/api/user/login', { username: ann.username, password: OLD_PASSWORD })).toMatchObject({
    code: 'account.login_wrong',
  })
  expect(await db.$count(authenticators, eq(authenticators.user_id, ann.id))).toBe(1)
  await db.delete(authenticators)
  expect((await signIn(email, password)).id).toBe(ann.id)
})

test('the token of a link is stored as a hash, and the mail is in the language of the visitor', async () => {
  await userAt('bea@example.com')
  expect(await askForLink('BEA@example.com', { language: 'zh' })).toMatchObject({ data: { valid_minutes: 10 } })
  const [mail] = await mailsTo('bea@example.com')
  expect([mail!.subject, mail!.text]).toEqual(['Tollgate 密码重置', expect.stringContaining('只能使用一次')])
  const token = (await linkTo('bea@example.com')).searchParams.get('token')!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(await db.select().from(oneTimeSecrets))).not.toContain(token)
})

test('the link starts with the server address, whatever host the request names', async () => {
  await userAt('cai@example.com')
  const evil = { host: 'evil.example', origin: 'http://evil.example' }
  const headers = { ...evil, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  expect(await askForLink('cai@example.com', { headers })).toMatchObject({ success: true })
  expect((await linkTo('cai@example.com')).href).toStartWith(`${SITE}/user/reset?`)
  expect(JSON.stringify(await mailsTo('cai@example.com'))).not.toContain('evil')
})

test('without a server address no link is sent', async () => {
  await userAt('dan@example.com')
  await setOption('ServerAddress', '')
  const message = 'The administrator has to set the server address first: links in mails start with it'
  expect(await askForLink('dan@example.com')).toMatchObject({ status: 200, success: false, message })
  expect(await askForLink('dan@example.com', { language: 'zh' })).toMatchObject({
    message: '请管理员先设置服务器地址：邮件中的链接以它开头',
  })
  await setOption('ServerAddress', SITE)
  await setOption('SMTPFrom', '')
  expect(await askForLink('dan@example.com')).toMatchObject({ code: 'mail.not_configured' })
  await configureMail()
  expect(await mailsTo('dan@example.com')).toEqual([])
})

test.each([
  ['of no user', undefined],
  ['of a banned user', { status: UserStatus.banned }],
  ['of a deleted user', { deleted_time: 1 }],
])('an address %s is not registered', async (name, change) => {
  const email = `${name.replaceAll(' ', '-')}@example.com`
  if (change) await changeUser(await userAt(email), change)
  const unknown = { status: 200, success: false, field: 'email' }
  expect(await askForLink(email)).toMatchObject({ ...unknown, message: 'This email address is not registered' })
  expect(await askForLink(email, { language: 'zh' })).toMatchObject({ ...unknown, message: '该邮箱未注册' })
  expect(await mailsTo(email)).toEqual([])
})

test.each(['', 'ann', 'a@example.com,b@example.com', 'a@example.com\r\nBcc: b@example.com', '<i>@example.com'])(
  'a link is refused to the address %j',
  async email => {
    const before = await db.$count(mails)
    expect(await askForLink(email)).toMatchObject({ status: 400, success: false, field: 'email' })
    expect(await db.$count(mails)).toBe(before)
  },
)

test('a link to the old address is dead once the address has changed, for the old one and the new one', async () => {
  const ann = await userAt('old@example.com')
  const token = await tokenFor('old@example.com')
  await changeUser(ann, { email: 'new@example.com' })
  for (const email of ['old@example.com', 'new@example.com']) expect(await reset(email, token)).toMatchObject(invalid)
  await userAt('old@example.com')
  expect(await reset('old@example.com', token)).toMatchObject(invalid)
  expect((await signIn('new@example.com', OLD_PASSWORD)).id).toBe(ann.id)
  expect(await reset('new@example.com', await tokenFor('new@example.com'))).toMatchObject({ success: true })
})

test('one link in thirty seconds is sent to an address, and the next one replaces it', async () => {
  holdClock(true)
  await userAt('eve@example.com')
  const first = await tokenFor('eve@example.com')
  shiftClock(20)
  expect(await askForLink('eve@example.com')).toMatchObject({ status: 429, field: 'email', data: { retry_after: 10 } })
  shiftClock(10)
  const second = await tokenFor('eve@example.com')
  expect(await reset('eve@example.com', first)).toMatchObject(invalid)
  expect(await reset('eve@example.com', second)).toMatchObject({ success: true })
})

test('four uses of a link at a time change the password once', async () => {
  const email = 'fay@example.com'
  await userAt(email)
  const token = await tokenFor(email)
  const answers = await Promise.all(Array.from({ length: 4 }, () => reset(email, token)))
  const [done, ...others] = answers.filter(({ success }) => success)
  expect(others).toEqual([])
  for (const answer of answers.filter(({ success }) => !success)) expect(answer).toMatchObject(invalid)
  expect((await signIn(email, done!.data)).id).toBeGreaterThan(0)
  expect(await reset(email, token, { language: 'zh' })).toMatchObject({ ...invalid, message: '重置链接无效或已过期' })
})

test('a link expires after ten minutes', async () => {
  holdClock(true)
  await userAt('gus@example.com')
  await userAt('hal@example.com')
  const [early, late] = [await tokenFor('gus@example.com'), await tokenFor('hal@example.com')]
  shiftClock(599)
  expect(await reset('gus@example.com', early)).toMatchObject({ success: true })
  shiftClock(1)
  expect(await reset('hal@example.com', late)).toMatchObject(invalid)
})

test.each([
  ['banned', { status: UserStatus.banned }],
  ['deleted', { deleted_time: 1 }],
  ['moved to another address', { email: 'elsewhere@example.com' }],
])('the link of a user who was %s meanwhile is invalid', async (name, change) => {
  const email = `${name.replaceAll(' ', '-')}@example.org`
  const ann = await userAt(email)
  const token = await tokenFor(email)
  await changeUser(ann, change)
  expect(await reset(email, token)).toMatchObject(invalid)
  await changeUser(ann, { status: UserStatus.enabled, deleted_time: null, email })
  const [user] = await db.select().from(users).where(eq(users.id, ann.id))
  expect(await Bun.password.verify(OLD_PASSWORD, user!.password)).toBe(true)
})

test('the token of another user, or a made-up one, is invalid and leaves the right one usable', async () => {
  await userAt('ida@example.com')
  await userAt('jo@example.com')
  const token = await tokenFor('ida@example.com')
  for (const [email, guess] of [
    ['jo@example.com', token],
    ['nobody@example.com', token],
    ...Array.from({ length: 6 }, (_, index) => ['ida@example.com', `guess${index}`]),
  ])
    expect(await reset(email!, guess!)).toMatchObject(invalid)
  expect(await reset('ida@example.com', token)).toMatchObject({ success: true })
})

test('wrong links lock nothing, and wrong passwords do not close a right link', async () => {
  holdClock(true)
  const email = 'kim@example.com'
  const kim = await userAt(email)
  const token = await tokenFor(email)
  for (let guess = 0; guess < 11; guess++) expect(await reset(email.toUpperCase(), 'a guess')).toMatchObject(invalid)
  const wrong = () => anyone.post('/api/user/login', { username: kim.username, password: 'wrong' })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) statuses.push((await wrong()).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  expect(await reset(email, token)).toMatchObject({ success: true })
})

test('a code of a registration is no link', async () => {
  await userAt('leo@example.com')
  const token = await tokenFor('leo@example.com')
  await setOption('EmailVerificationEnabled', true)
  const fields = { username: 'leo', password: OLD_PASSWORD, email: 'leo@example.com', verification_code: token }
  expect(await anyone.post('/api/user/register', fields)).toMatchObject({ code: 'registration.code_wrong' })
  await setOption('EmailVerificationEnabled', false)
})

test('other sites cannot have a link sent or used', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect(await askForLink('leo@example.com', { headers })).toMatchObject({ status: 403, code: 'error.csrf' })
  expect(await reset('leo@example.com', 'x', { headers })).toMatchObject({ status: 403, code: 'error.csrf' })
})

test('root resets a forgotten password too', async () => {
  const boss = await visitor(Role.root)
  await changeUser(boss, { email: 'boss@example.com' })
  expect(await reset('boss@example.com', await tokenFor('boss@example.com'))).toMatchObject({ success: true })
})
