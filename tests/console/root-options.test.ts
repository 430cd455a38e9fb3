/** Options that can shut root out: they are root's, and none leaves every root account without a way to sign in. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import { passkeys } from '../../src/domain/two-factor/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()

type Language = 'en' | 'zh'
const save = (person: Person, key: string, value: unknown, language: Language = 'en') =>
  person.put('/api/option/', { key, value }, { language })

const passkey = { id: 'a key of root', user_id: root.id, name: 'key', public_key: 'x', created_time: 1 }

afterEach(async () => {
  await setOptionAsSystem('PasswordLoginEnabled', 'true')
  await db.delete(passkeys)
  await db.update(users).set({ github_id: '' })
})

test.each([
  ['PasswordLoginEnabled', false],
  ['PasswordRegisterEnabled', false],
  ['EmailVerificationEnabled', true],
  ['RegisterEnabled', false],
  ['AdminTwoFactorRequired', true],
  ['TurnstileCheckEnabled', true],
  ['TurnstileSiteKey', 'key'],
  ['TurnstileSecretKey', 'secret'],
  ['EmailDomainRestrictionEnabled', true],
  ['EmailAliasRestrictionEnabled', true],
  ['EmailDomainWhitelist', 'example.com'],
  ['GitHubOAuthEnabled', true],
  ['oidc.enabled', true],
  ['LinuxDOOAuthEnabled', true],
  ['WeChatAuthEnabled', true],
  ['TelegramOAuthEnabled', true],
  // Lead keys away.
  ['Chats', '[{"x":"evilapp://x?{key}"}]'],
  ['chat_link', 'https://evil.example/?{key}'],
  ['chat_link2', 'https://evil.example/?{key}'],
] as const)('option %s: an administrator reads it and cannot change it', async (key, value) => {
  const admin = await visitor(Role.admin)
  const before = option(key)
  expect(await save(admin, key, value)).toMatchObject({ status: 403, message: 'Insufficient permission' })
  expect(await save(admin, key, value, 'zh')).toMatchObject({ status: 403, message: '权限不足' })
  expect(option(key)).toEqual(before as never)
  const { data } = await admin.get('/api/option/')
  expect(data.some((row: { key: string }) => row.key === key)).toBe(key !== 'TurnstileSecretKey')
})

const LOCKED_OUT = { status: 400, success: false, code: 'option.root_locked_out', field: 'PasswordLoginEnabled' }

test('password sign-in stays on while root has no other way in', async () => {
  expect(await save(root, 'PasswordLoginEnabled', false)).toMatchObject({
    ...LOCKED_OUT,
    message: expect.stringContaining('No root account could sign in any more'),
  })
  expect(await save(root, 'PasswordLoginEnabled', false, 'zh')).toMatchObject({
    ...LOCKED_OUT,
    message: expect.stringContaining('没有任何 root 账户能够登录'),
  })
  expect(option('PasswordLoginEnabled')).toBe(true)

  const admin = await visitor(Role.admin)
  await db.insert(passkeys).values({ ...passkey, user_id: admin.id })
  expect(await save(root, 'PasswordLoginEnabled', false)).toMatchObject(LOCKED_OUT)
})

test('a passkey of root, or of one of several root accounts, allows to switch passwords off', async () => {
  await db.insert(passkeys).values(passkey)
  expect(await save(root, 'PasswordLoginEnabled', false)).toMatchObject({ success: true })
  await setOptionAsSystem('PasswordLoginEnabled', 'true')
  const second = await visitor(Role.root)
  await db.update(passkeys).set({ user_id: second.id })
  expect(await save(root, 'PasswordLoginEnabled', false)).toMatchObject({ success: true })
  await db.update(users).set({ role: Role.user }).where(eq(users.id, second.id))
})

test('a linked account counts while its provider is on, and the last provider stays on', async () => {
  await db.update(users).set({ github_id: '42' }).where(eq(users.id, root.id))
  expect(await save(root, 'PasswordLoginEnabled', false)).toMatchObject(LOCKED_OUT)
  for (const [key, value] of [
    ['GitHubClientId', 'client'],
    ['GitHubClientSecret', 'secret'],
    ['GitHubOAuthEnabled', true],
    ['PasswordLoginEnabled', false],
  ] as const)
    expect(await save(root, key, value)).toMatchObject({ success: true })
  expect(await save(root, 'GitHubOAuthEnabled', false)).toMatchObject({ ...LOCKED_OUT, field: 'GitHubOAuthEnabled' })
  expect(await save(root, 'PasswordLoginEnabled', true)).toMatchObject({ success: true })
  expect(await save(root, 'GitHubOAuthEnabled', false)).toMatchObject({ success: true })
})
