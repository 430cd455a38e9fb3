// @engine both
/** Bindings of a user: the address by a mailed code, unbinding while another way in remains, and the rows that show them. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { bindingsOf } from '../../src/domain/oauth/index.ts'
import { passkeys } from '../../src/domain/two-factor/table.ts'
import { type User, users } from '../../src/domain/users/table.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'

await setUp()
await setOption('SMTPServer', 'mail.example')
await setOption('SMTPFrom', 'gate@mail.example')
for (const [key, value] of Object.entries({
  GitHubClientId: 'a',
  GitHubClientSecret: 'b',
  GitHubOAuthEnabled: true,
  LinuxDOClientId: 'a',
  LinuxDOClientSecret: 'b',
  LinuxDOOAuthEnabled: true,
}))
  await setOption(key, value)

let count = 0
const newAddress = () => `someone${++count}@example.com`
const rowOf = async ({ id }: Person) => (await db.select().from(users).where(eq(users.id, id)))[0]!
const give = ({ id }: Person, fields: Partial<User>) => db.update(users).set(fields).where(eq(users.id, id))

/** The code in the last mail to an address. */
async function codeFor(address: string) {
  const sent = (await db.select().from(mails).where(eq(mails.recipient, address))).at(-1)
  return /\b\d{6}\b/.exec(sent!.text)![0]
}

async function sendCode(person: Person, address: string) {
  const answer = await person.get(`/api/verification?${new URLSearchParams({ email: address })}`)
  expect(answer).toMatchObject({ success: true })
  return codeFor(address)
}

const bindEmail = (person: Person, email: string, code: string) =>
  person.get(`/api/oauth/email/bind?${new URLSearchParams({ email, code })}`)

test('an address is bound with its code, in lower case, once', async () => {
  const ann = await visitor()
  const address = newAddress()
  const code = await sendCode(ann, address)
  expect(await bindEmail(ann, address.toUpperCase(), code)).toMatchObject({
    success: true,
    message: 'bind',
    data: null,
  })
  expect((await rowOf(ann)).email).toBe(address)
  const ben = await visitor()
  expect(await bindEmail(ben, address, code)).toMatchObject({
    success: false,
    code: 'registration.code_wrong',
    field: 'code',
  })
})

test('a wrong, a foreign and an expired code bind nothing, and a session has ten attempts', async () => {
  const ann = await visitor()
  const [address, other] = [newAddress(), newAddress()]
  const code = await sendCode(ann, address)
  const wrong = { success: false, code: 'registration.code_wrong', field: 'code' }
  expect(await bindEmail(ann, other, code)).toMatchObject(wrong)
  for (let attempt = 0; attempt < 9; attempt++) expect(await bindEmail(ann, address, '1234x')).toMatchObject(wrong)
  expect(await bindEmail(ann, address, code)).toMatchObject({ status: 429, code: 'account.login_throttled' })
  const ben = await visitor()
  const late = await sendCode(ben, other)
  shiftClock(601)
  await db.update(sessions).set({ confirmed_time: now() }).where(eq(sessions.user_id, ben.id))
  expect(await bindEmail(ben, other, late)).toMatchObject(wrong)
  expect([(await rowOf(ann)).email, (await rowOf(ben)).email]).toEqual(['', ''])
})

test('an address that another user took meanwhile, deleted or not, is refused at its field', async () => {
  const [ann, ben] = [await visitor(), await visitor()]
  const address = newAddress()
  const code = await sendCode(ann, address)
  await give(ben, { email: address, deleted_time: 5 })
  expect(await bindEmail(ann, address, code)).toMatchObject({
    success: false,
    code: 'account.email_taken',
    field: 'email',
  })
  expect((await rowOf(ann)).email).toBe('')
})

test.each([
  '',
  'ann',
  'ann@',
  'ann@example.com, ben@example.com',
  'ann@example.com\r\nBcc: x@y.example',
  `${'a'.repeat(50)}@b.example`,
])('the address %j is refused at its field', async email => {
  const answer = await bindEmail(await visitor(), email, '123456')
  expect(answer).toMatchObject({ status: 400, success: false, field: 'email' })
})

test('the page sends a code, waits 30 s for the next, and binds, without a script', async () => {
  const ann = await visitor()
  const address = newAddress()
  const page = await (await ann.page('/oauth/email/start?returnTo=/app/wallet')).text()
  expect(page).toContain('name="returnTo" value="/app/wallet"')
  const send = (fields: Record<string, string>) => ann.form('/oauth/email', { returnTo: '/app/wallet', ...fields })
  const bad = await send({ action: 'code', email: 'nobody' })
  expect([bad.status, await bad.text()]).toEqual([422, expect.stringContaining('aria-invalid="true"')])
  const sent = await send({ action: 'code', email: address })
  expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining(`on its way to ${address}`)])
  const again = await send({ action: 'code', email: address })
  expect([again.status, await again.text()]).toEqual([429, expect.stringMatching(/seconds="(30|29)"/)])
  const wrong = await send({ email: address, code: '' })
  expect(await wrong.text()).toContain('Enter the verification code')
  const done = await send({ email: address, code: await codeFor(address) })
  expect([done.status, done.headers.get('location'), (await rowOf(ann)).email]).toEqual([303, '/app/wallet', address])
})

test('the page sends no code without the human check', async () => {
  await setOption('TurnstileSiteKey', 'site')
  await setOption('TurnstileSecretKey', 'secret')
  await setOption('TurnstileCheckEnabled', true)
  const ann = await visitor()
  const address = newAddress()
  const sent = await ann.form('/oauth/email', { action: 'code', email: address })
  expect([sent.status, await db.select().from(mails).where(eq(mails.recipient, address))]).toEqual([422, []])
  await setOption('TurnstileCheckEnabled', false)
})

test('a binding is removed while another way to sign in remains', async () => {
  const ann = await visitor()
  await give(ann, { github_id: '1001', linux_do_id: '1001', email: newAddress(), password: 'a hash' })
  for (const provider of ['github', 'linuxdo', 'email'])
    expect([provider, (await ann.delete(`/api/oauth/${provider}`)).success]).toEqual([provider, true])
  expect(await rowOf(ann)).toMatchObject({ github_id: '', linux_do_id: '', email: '' })
  expect(await ann.delete('/api/oauth/github')).toMatchObject({ status: 404, code: 'oauth.not_bound' })
  expect((await ann.delete('/api/oauth/nothing')).status).toBe(404)
})

test('the last way to sign in stays bound', async () => {
  const ann = await visitor()
  const last = { success: false, code: 'oauth.last_way' }
  await give(ann, { github_id: '1002', email: newAddress(), wechat_id: 'o-1002' })
  // WeChat is switched off, and an address alone signs in no user.
  expect(await ann.delete('/api/oauth/github')).toMatchObject(last)
  await give(ann, { linux_do_id: '1002' })
  const answers = await Promise.all(['github', 'linuxdo'].map(provider => ann.delete(`/api/oauth/${provider}`)))
  expect(answers.map(({ success }) => success).sort()).toEqual([false, true])
  await give(ann, { github_id: '1002', linux_do_id: '' })
  await db.insert(passkeys).values({ id: 'key', user_id: ann.id, name: 'Phone', public_key: 'k', created_time: 1 })
  expect((await ann.delete('/api/oauth/github')).success).toBe(true)

  const ben = await visitor()
  await give(ben, { github_id: '1003', password: 'a hash' })
  await db
    .insert(passkeys)
    .values({ id: 'root', user_id: (await setUp()).id, name: 'Key', public_key: 'k', created_time: 1 })
  await setOption('PasswordLoginEnabled', false)
  expect(await ben.delete('/api/oauth/github')).toMatchObject(last)
  const login = await (await anyone.page('/login')).text()
  expect(login).toContain('Password login has been disabled by the administrator')
  expect(login).not.toMatch(/name="password"|Forgot password/)
  await setOption('PasswordLoginEnabled', true)
  const refused = await ben.form('/oauth/github/unbind', { returnTo: '/app/wallet' })
  expect([refused.headers.get('location'), (await rowOf(ben)).github_id]).toEqual(['/app/wallet', ''])
})

test('a user unbinds by a form, and is told when it is not possible', async () => {
  const ann = await visitor()
  await give(ann, { github_id: '1004' })
  const browser = new LoginBrowser(ann)
  const unbind = () =>
    browser.fetch('/oauth/github/unbind', { method: 'POST', body: new URLSearchParams({ csrf: ann.csrf }) })
  expect((await unbind()).headers.get('location')).toBe('/app/me')
  expect(browser.notice).toMatchObject({ kind: 'error', text: expect.stringContaining('only way to sign in') })
  await give(ann, { password: 'a hash' })
  await unbind()
  expect([browser.notice, (await rowOf(ann)).github_id]).toEqual([{ kind: 'success', text: 'Disconnected' }, ''])
})

test('the rows show all six bindings, masked, with what can be done', async () => {
  const ann = await visitor()
  await give(ann, { github_id: '12345678', email: 'mira@example.com', telegram_id: '12' })
  expect(await bindingsOf(ann.id)).toEqual([
    { name: 'email', bound: 'm••••@example.com', is_enabled: true, is_removable: true },
    { name: 'wechat', bound: '', is_enabled: false, is_removable: true },
    { name: 'github', bound: '12••••78', is_enabled: true, is_removable: false },
    { name: 'oidc', bound: '', is_enabled: false, is_removable: true },
    { name: 'telegram', bound: '••••', is_enabled: false, is_removable: true },
    { name: 'linuxdo', bound: '', is_enabled: true, is_removable: true },
  ])
})
