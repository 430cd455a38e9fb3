/** Registration through the API: who may, which fields, and that all of it happens or none. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { loadOptions } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { now } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, setUp, signIn } from '../support/people/person.ts'
import { PASSWORD, register, registrationFields, userNamed } from '../support/people/registration.ts'

const root = await setUp()
const isOpen = async () => (await anyone.get('/api/status')).data.registration_open
const countUsers = () => db.$count(users)

test('self-use mode closes registration until RegisterEnabled is set', async () => {
  await setOption('SelfUseModeEnabled', true)
  expect(await isOpen()).toBe(false)
  const closed = { status: 200, success: false, code: 'account.registration_closed', data: null }
  expect(await register()).toMatchObject({ ...closed, message: 'The administrator has closed registration' })
  expect(await register({}, { language: 'zh' })).toMatchObject({ ...closed, message: '管理员已关闭新用户注册' })
  await setOption('RegisterEnabled', true)
  expect([await isOpen(), (await register()).success]).toEqual([true, true])
  await loadOptions()
  expect(await isOpen()).toBe(true)
  await setOption('RegisterEnabled', false)
  expect(await register()).toMatchObject(closed)
  await setOption('SelfUseModeEnabled', false)
  expect([await isOpen(), await register()]).toMatchObject([false, closed])
  await db.delete(options).where(eq(options.key, 'RegisterEnabled'))
  await loadOptions()
  expect(await isOpen()).toBe(true)
})

test('registration creates an ordinary user without a session, who then signs in', async () => {
  const fields = registrationFields()
  const response = await anyone.fetch('/api/user/register', { method: 'POST', body: JSON.stringify(fields) })
  expect(await response.json()).toEqual({ success: true, message: '', data: null })
  expect(response.headers.getSetCookie()).toEqual(['aff=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  expect(await userNamed(fields.username)).toMatchObject({
    role: Role.user,
    status: UserStatus.enabled,
    group: 'default',
    display_name: fields.username,
    email: '',
    quota: 0,
    inviter_id: 0,
    deleted_time: null,
  })
  const ann = await signIn(fields.username, PASSWORD)
  expect((await ann.get('/api/user/self')).data.username).toBe(fields.username)
})

test('an address that was not verified is not stored', async () => {
  const fields = registrationFields({ email: 'root@example.com', verification_code: '123456' })
  expect(await anyone.post('/api/user/register', fields)).toMatchObject({ success: true })
  expect((await userNamed(fields.username))!.email).toBe('')
})

const oneScript = [
  'A username has letters of one script (A–Z, Chinese, Japanese or Korean), digits and . _ - only',
  '用户名只能包含同一种文字（英文、中文、日文或韩文）、数字和 . _ -',
] as const
const reserved = ['This username is reserved. Choose another one', '该用户名为保留名称，请换一个'] as const
const missing = ['Please enter a username', '请输入用户名'] as const
const tooLong = ['A username has at most 12 characters', '用户名最多 12 个字符'] as const
const short = ['Password length must not be less than 8', '密码长度不得少于 8 位'] as const

/** Blanks, controls, marks of direction, `@`, letters that look alike, and what is no letter. */
const odd = ['a b', 'a\tb', 'a@b.example', 'a\u0001b', 'a\u200bb', 'a\u202eb', 'аdmin', 'pαul', 'ａｎｎ', 'ﬁve', '①']
odd.push('e\u0301ve', 'ann小明', '二ニ', '〇', '<b>ann</b>', "ann'--", 'ann😀')

const invalid: [change: Record<string, unknown>, field: string, en: string, zh: string][] = [
  [{ username: '  ' }, 'username', ...missing],
  [{ username: undefined }, 'username', ...missing],
  [{ username: 'thirteenchars' }, 'username', ...tooLong],
  [{ username: '𠮷'.repeat(13) }, 'username', ...tooLong],
  ...odd.map((username): (typeof invalid)[number] => [{ username }, 'username', ...oneScript]),
  ...['root', 'Admin', 'ad.min', '-system-', '管理员'].map((username): (typeof invalid)[number] => [
    { username },
    'username',
    ...reserved,
  ]),
  [{ password: undefined }, 'password', ...short],
  [{ password: '1234567', password2: '1234567' }, 'password', ...short],
  [{ password: '密码密码密码密', password2: '密码密码密码密' }, 'password', ...short],
  [{ password: 'x'.repeat(21) }, 'password', 'A password has at most 20 characters', '密码最多 20 个字符'],
  [{ password2: 'another-one' }, 'password2', 'The two passwords do not match', '两次输入的密码不一致'],
]

test.each(invalid)('registration refuses %j and creates nothing', async (change, field, en, zh) => {
  const before = await countUsers()
  const fields = registrationFields(change)
  for (const [language, message] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    const answer = await anyone.post('/api/user/register', fields, { language })
    expect(answer).toMatchObject({ status: 400, success: false, field, message })
  }
  expect(await countUsers()).toBe(before)
})

test.each(['𠮷'.repeat(12), '小明', 'さくら', 'ラーメン', '김철수', 'A.b_c-1'])(
  'registration takes the username %s',
  async username => {
    expect(await register({ username })).toMatchObject({ success: true })
    expect(await register({ username: ` ${username} ` })).toMatchObject({ code: 'account.username_taken' })
  },
)

test.each(['密码密码密码密码', '😀'.repeat(20), 'x'.repeat(20)])(
  'the password %s has the right length',
  async password => {
    const fields = registrationFields({ password, password2: password })
    expect(await anyone.post('/api/user/register', fields)).toMatchObject({ success: true })
    expect((await signIn(fields.username, password)).id).toBeGreaterThan(0)
  },
)

test('password registration can be closed on its own', async () => {
  await setOption('PasswordRegisterEnabled', false)
  const closed = { success: false, code: 'registration.password_closed' }
  const message = 'The administrator has disabled registration with a password'
  expect(await register()).toMatchObject({ ...closed, message })
  expect(await register({}, { language: 'zh' })).toMatchObject({ ...closed, message: '管理员已关闭密码注册' })
  await setOption('PasswordRegisterEnabled', true)
})

test.each(['role', 'quota', 'group', 'id', 'status', 'inviter_id', 'aff_quota', 'display_name', 'access_token'])(
  'registration refuses the field %s',
  async field => {
    const before = await countUsers()
    expect(await register({ [field]: 100 })).toMatchObject({ status: 400, code: 'error.unknown_field', field })
    expect(await countUsers()).toBe(before)
  },
)

test('registration refuses forms of other sites', async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
    string,
    string
  >[]) {
    expect(await register({}, { headers })).toMatchObject({ status: 403, code: 'error.csrf' })
  }
})

test('twenty registrations with one username create one user with one credit', async () => {
  await setOption('QuotaForNewUser', 700)
  const answers = []
  for (let round = 0; round < 5; round++)
    answers.push(...(await Promise.all(Array.from({ length: 4 }, () => register({ username: 'together' })))))
  expect(answers.filter(answer => answer.success)).toHaveLength(1)
  for (const answer of answers.filter(({ success }) => !success)) {
    const message = 'This username is taken'
    expect(answer).toMatchObject({ status: 200, code: 'account.username_taken', field: 'username', message })
  }
  const user = await userNamed('together')
  expect(await db.select().from(ledger).where(eq(ledger.user_id, user!.id))).toMatchObject([{ delta: 700 }])
  expect(user!.quota).toBe(700)
})

test("a deleted user's name stays reserved, without a second welcome credit", async () => {
  const fields = registrationFields()
  await anyone.post('/api/user/register', fields)
  const user = await userNamed(fields.username)
  await db.update(users).set({ deleted_time: now() }).where(eq(users.id, user!.id))
  const credits = await db.$count(ledger)
  expect(await anyone.post('/api/user/register', fields)).toMatchObject({ code: 'account.username_taken' })
  expect(await register({ ...fields }, { language: 'zh' })).toMatchObject({ message: '该用户名已被使用' })
  expect(await db.$count(ledger)).toBe(credits)
  await setOption('QuotaForNewUser', 0)
})

test('new users start with an API key where the operator wants one', async () => {
  const keysOf = async (username: string) =>
    db
      .select()
      .from(tokens)
      .where(eq(tokens.user_id, (await userNamed(username))!.id))
  const registered = async () => {
    const fields = registrationFields()
    await anyone.post('/api/user/register', fields)
    return fields.username
  }
  expect(await keysOf(await registered())).toEqual([])
  await setOption('FirstTokenEnabled', true)
  const blank = { name: 'default', unlimited_quota: true, remain_quota: 0, expired_time: -1, status: 1 }
  expect(await keysOf(await registered())).toMatchObject([blank])
  await setOption('FirstTokenName', ' 我的第一把钥匙 ')
  await setOption('FirstTokenQuota', 5000)
  const username = await registered()
  expect(await keysOf(username)).toMatchObject([
    { ...blank, name: '我的第一把钥匙', unlimited_quota: false, remain_quota: 5000 },
  ])
  const ann = await signIn(username, PASSWORD)
  const [{ key }] = (await ann.get('/api/token/')).data
  const models = await anyone.fetch('/v1/models', { headers: { authorization: `Bearer sk-${key}` } })
  expect(models.status).toBe(200)
  const long = await root.put('/api/option/', { key: 'FirstTokenName', value: 'x'.repeat(31) })
  expect(long).toMatchObject({ status: 400, code: 'token.name_too_long' })
  await setOption('FirstTokenEnabled', false)
})
