/** Codes by mail: to whom they are sent, how long they count and how often they can be tried. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { oneTimeSecrets } from '../../src/cluster/table.ts'
import { UserStatus } from '../../src/contracts/account.ts'
import { atomic, rawQuery, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, setUp, visitor } from '../support/people/person.ts'
import {
  askForCode,
  codeFor,
  configureMail,
  mailsTo,
  otherThan,
  register,
  registrationFields,
  userNamed,
} from '../support/people/registration.ts'

const MINUTE = 60
const wrong = {
  status: 200,
  success: false,
  field: 'verification_code',
  message: 'The verification code is wrong or has expired',
}

beforeAll(async () => {
  await setUp()
  await configureMail()
  await setOption('EmailVerificationEnabled', true)
})
afterEach(() => resetStores('clock', 'login-failures'))

test('a code has six digits, is valid for ten minutes, and is stored as a hash only', async () => {
  holdClock(true)
  expect(await askForCode('Ann@Example.com')).toMatchObject({ success: true, data: { valid_minutes: 10 } })
  const [mail, ...others] = await mailsTo('ann@example.com')
  expect(others).toEqual([])
  const code = /^\d{6}$/m.exec(mail!.text)![0]
  expect(mail!.text).toContain('The code is valid for 10 minutes.')
  expect(mail!.html).toContain(code)
  const [secret] = await db.select().from(oneTimeSecrets).where(eq(oneTimeSecrets.subject, 'ann@example.com'))
  expect(JSON.stringify(secret)).not.toContain(code)
  const stored = await atomic(function* (tx) {
    return yield* run(rawQuery(tx, sql`select * from ${mails}`))
  })
  expect(JSON.stringify(stored)).not.toContain(code)
  expect(secret!.expires_time - now()).toBe(10 * MINUTE)
})

test('a code proves the address of a new user, in any spelling of it', async () => {
  const code = await codeFor('bea@example.com')
  const fields = registrationFields({ email: ' BEA@example.COM ', verification_code: ` ${code} ` })
  expect(await anyone.post('/api/user/register', fields)).toMatchObject({ success: true })
  expect((await userNamed(fields.username))!.email).toBe('bea@example.com')
})

test('a mail in the language of the visitor names the site', async () => {
  await setOption('SystemName', '灯塔')
  await askForCode('cai@example.com', { language: 'zh' })
  const [mail] = await mailsTo('cai@example.com')
  expect(mail!.subject).toBe('灯塔 邮箱验证')
  expect(mail!.text).toContain('验证码 10 分钟内有效。')
  await setOption('SystemName', 'Tollgate')
})

test.each([
  ['', 'mail.address_required'],
  ['ann', 'mail.bad_address'],
  ['ann@', 'mail.bad_address'],
  ['@example.com', 'mail.bad_address'],
  ['ann@localhost', 'mail.bad_address'],
  ['ann@example.com,bea@example.com', 'mail.bad_address'],
  ['ann@example.com;bea@example.com', 'mail.bad_address'],
  ['ann@example.com bea@example.com', 'mail.bad_address'],
  ['ann@example.com\r\nBcc: eve@example.com', 'mail.bad_address'],
  ['ann@example.com\nx@example.com', 'mail.bad_address'],
  ['Ann <ann@example.com>', 'mail.bad_address'],
  ['<b>@example.com', 'mail.bad_address'],
  ['"ann"@example.com', 'mail.bad_address'],
  ['änn@example.com', 'mail.bad_address'],
  ['a..b@example.com', 'mail.bad_address'],
  ['ann@exa_mple.com', 'mail.bad_address'],
  [`${'x'.repeat(39)}@example.com`, 'mail.address_long'],
])('a code is refused to the address %j', async (email, code) => {
  const before = await db.$count(mails)
  expect(await askForCode(email)).toMatchObject({ status: 400, success: false, field: 'email', code })
  expect(await db.$count(mails)).toBe(before)
})

test('a domain in other letters is mailed to by its ASCII name', async () => {
  expect(await askForCode('ann@münchen.example')).toMatchObject({ success: true })
  expect(await mailsTo('ann@xn--mnchen-3ya.example')).toHaveLength(1)
})

test('domains and aliases are limited as the operator wishes', async () => {
  const refusalOf = async (email: string, language: 'en' | 'zh' = 'en') =>
    (await askForCode(email, { language })).message
  await setOption('EmailDomainWhitelist', 'good.example,also.example')
  await setOption('EmailDomainRestrictionEnabled', true)
  expect(await refusalOf('a@bad.example')).toBe('The administrator does not accept addresses of this domain')
  expect(await refusalOf('a@bad.example', 'zh')).toBe('管理员未开放该邮箱域名')
  expect(await refusalOf('a@sub.good.example')).not.toBe('')
  expect(await refusalOf('a.b+c@GOOD.example')).toBe('')
  await setOption('EmailAliasRestrictionEnabled', true)
  expect(await refusalOf('a.b@good.example')).toBe('Enter an address without + or . before the @')
  expect(await refusalOf('a+b@good.example', 'zh')).toBe('邮箱 @ 之前不能包含 + 或 .')
  expect(await refusalOf('ab@good.example')).toBe('')
  await setOption('EmailAliasRestrictionEnabled', false)
  await setOption('EmailDomainRestrictionEnabled', false)
})

test.each([
  ['a user', {}],
  ['a banned user', { status: UserStatus.banned }],
  ['a deleted user', { deleted_time: 1 }],
])('a code is refused to the address of %s', async (name, change) => {
  const email = `${name.replaceAll(' ', '-')}@example.com`
  const ann = await visitor()
  await db
    .update(users)
    .set({ email, ...change })
    .where(eq(users.id, ann.id))
  const taken = { success: false, code: 'account.email_taken', field: 'email' }
  expect(await askForCode(email.toUpperCase())).toMatchObject({
    ...taken,
    message: 'This email address is already in use',
  })
  expect(await askForCode(email, { language: 'zh' })).toMatchObject({ ...taken, message: '该邮箱已被使用' })
  expect(await mailsTo(email)).toEqual([])
})

test('one code in thirty seconds is sent to an address, and the next one replaces it', async () => {
  holdClock(true)
  const first = await codeFor('dan@example.com')
  const wait = { status: 429, success: false, field: 'email', data: { retry_after: 30 } }
  const message = 'A mail is on its way. Wait 30 s before the next one'
  expect(await askForCode('DAN@example.com')).toMatchObject({ ...wait, message })
  shiftClock(29)
  const response = await anyone.fetch('/api/verification?email=dan@example.com', { language: 'zh' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await response.json()).toMatchObject({ message: '邮件已发出，请 1 秒后再试', data: { retry_after: 1 } })
  expect(await mailsTo('dan@example.com')).toHaveLength(1)
  shiftClock(1)
  const second = await codeFor('dan@example.com')
  if (second !== first)
    expect(await register({ email: 'dan@example.com', verification_code: first })).toMatchObject(wrong)
  expect(await register({ email: 'dan@example.com', verification_code: second })).toMatchObject({ success: true })
})

test('twenty calls in the same moment send one mail', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => askForCode('eve@example.com')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(429)])
  expect(await mailsTo('eve@example.com')).toHaveLength(1)
})

test('address and code are required where the site verifies addresses', async () => {
  expect(await register()).toMatchObject({ status: 400, field: 'email', code: 'mail.address_required' })
  const answer = await register({ email: 'a@example.com' }, { language: 'zh' })
  expect(answer).toMatchObject({ status: 400, field: 'verification_code', message: '请输入邮箱验证码' })
  expect(await register({ email: 'a@example.com', verification_code: ' ' })).toMatchObject({
    message: 'Please enter the email verification code',
  })
  expect(await register({ email: 'a;b@example.com', verification_code: '1' })).toMatchObject({ field: 'email' })
})

test('a code is good once, also for four registrations at a time', async () => {
  const verification_code = await codeFor('fay@example.com')
  const before = await db.$count(users)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => register({ email: 'fay@example.com', verification_code })),
  )
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  for (const answer of answers.filter(({ success }) => !success)) expect(answer).toMatchObject(wrong)
  expect(await register({ email: 'fay@example.com', verification_code }, { language: 'zh' })).toMatchObject({
    ...wrong,
    message: '验证码错误或已过期',
  })
  expect(await db.$count(users)).toBe(before + 1)
})

test('a taken username leaves the code usable', async () => {
  const verification_code = await codeFor('gus@example.com')
  const taken = await register({ username: (await visitor()).username, email: 'gus@example.com', verification_code })
  expect(taken).toMatchObject({ code: 'account.username_taken' })
  expect(await register({ email: 'gus@example.com', verification_code })).toMatchObject({ success: true })
})

test('fifty wrong codes end a code, and one address has ten of them', async () => {
  const code = await codeFor('hal@example.com')
  const attempt = (verification_code: string, address: number) => {
    const headers = { 'x-forwarded-for': `198.51.100.${address}` }
    return register({ email: 'hal@example.com', verification_code }, { headers })
  }
  for (let tries = 0; tries < 50; tries++)
    expect(await attempt(otherThan(code), Math.floor(tries / 10))).toMatchObject(wrong)
  expect(await attempt(otherThan(code), 0)).toMatchObject({ status: 429 })
  expect(await attempt(code, 5)).toMatchObject(wrong)
})

test('a right code ends the count of wrong ones for its address and origin', async () => {
  const email = 'ivo@example.com'
  const code = await codeFor(email)
  const headers = { 'x-forwarded-for': '198.51.100.9' }
  const attempt = (verification_code: string) => register({ email, verification_code }, { headers })
  for (let tries = 0; tries < 9; tries++) expect(await attempt(otherThan(code))).toMatchObject(wrong)
  expect(await attempt(code)).toMatchObject({ success: true })
  for (let tries = 0; tries < 10; tries++) expect((await attempt(otherThan(code))).status).toBe(200)
  expect((await attempt(otherThan(code))).status).toBe(429)
})

test('wrong codes and wrong passwords of one origin for an address share one counter', async () => {
  holdClock(true)
  const code = await codeFor('ida@example.com')
  const guess = (index: number) => {
    const headers = { 'x-forwarded-for': '198.51.100.1' }
    return index % 2
      ? anyone.post('/api/user/login', { username: 'IDA@example.com', password: 'wrong' }, { headers })
      : register({ email: 'ida@example.com', verification_code: otherThan(code) }, { headers })
  }
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(index)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  const locked = { status: 429, code: 'account.login_throttled', data: { retry_after: 900 } }
  expect(answers.filter(({ status }) => status !== 200)).toMatchObject(Array(90).fill(locked))
  expect(await db.$count(users, eq(users.email, 'ida@example.com'))).toBe(0)
  shiftClock(15 * MINUTE + 1)
  const later = await codeFor('ida@example.com')
  expect(await register({ email: 'ida@example.com', verification_code: later })).toMatchObject({ success: true })
})

test('a code expires after ten minutes', async () => {
  holdClock(true)
  const [early, late] = [await codeFor('jo@example.com'), await codeFor('kim@example.com')]
  shiftClock(10 * MINUTE - 1)
  expect(await register({ email: 'jo@example.com', verification_code: early })).toMatchObject({ success: true })
  shiftClock(1)
  expect(await register({ email: 'kim@example.com', verification_code: late })).toMatchObject(wrong)
})

test('a code of another address, or made for another purpose, is wrong', async () => {
  const code = await codeFor('leo@example.com')
  await codeFor('max@example.com')
  expect(await register({ email: 'max@example.com', verification_code: code })).toMatchObject(wrong)
  const ann = await visitor()
  await db.update(users).set({ email: 'ann.v@example.com' }).where(eq(users.id, ann.id))
  expect(await anyone.post('/api/user/reset', { email: 'ann.v@example.com', token: code })).toMatchObject({
    code: 'reset.link_invalid',
  })
  expect(await anyone.post('/api/user/reset', { email: 'leo@example.com', token: code })).toMatchObject({
    code: 'reset.link_invalid',
  })
})

test('visitors get no code while registration is closed; users who bind an address do', async () => {
  const ann = await visitor()
  await setOption('RegisterEnabled', false)
  expect(await askForCode('nia@example.com')).toMatchObject({ code: 'account.registration_closed' })
  expect(await ann.get('/api/verification?email=nia@example.com')).toMatchObject({ success: true })
  await setOption('RegisterEnabled', true)
})

test('a site without a mail server says so, and keeps no code', async () => {
  await setOption('SMTPServer', '')
  const answer = await askForCode('oz@example.com')
  expect(answer).toMatchObject({ status: 200, success: false, code: 'mail.not_configured' })
  expect(await db.$count(oneTimeSecrets, eq(oneTimeSecrets.subject, 'oz@example.com'))).toBe(0)
  await configureMail()
  expect(await askForCode('oz@example.com')).toMatchObject({ success: true })
})

test('other sites cannot have a code sent', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect(await askForCode('pia@example.com', { headers })).toMatchObject({ status: 403, code: 'error.csrf' })
})
