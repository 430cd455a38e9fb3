/** The registration page, as a browser without JavaScript uses it. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, Person, setUp, visitor } from '../support/people/person.ts'
import { configureMail, mailsTo, PASSWORD, registrationFields, userNamed } from '../support/people/registration.ts'
import { fakeTurnstile } from '../support/upstream/turnstile.ts'

const turnstile = fakeTurnstile()

beforeAll(async () => {
  await setUp()
  await configureMail()
})
afterEach(() => resetStores('clock', 'login-failures'))

async function send(fields: Record<string, string>, language: 'en' | 'zh' = 'en') {
  const response = await anyone.form('/register', fields, { language })
  return { response, status: response.status, html: await response.text() }
}

const textOf = async (path: string) => (await anyone.page(path)).text()
const fieldValue = (html: string, name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1]

/** The message at the field with this name. */
const errorAt = (html: string, name: string) =>
  new RegExp(`id="field-${name}-error">.*?<span>(.*?)</span>`, 's').exec(html)?.[1]

test('a visitor asks for a code, registers with it and signs in, without JavaScript', async () => {
  await setOption('EmailVerificationEnabled', true)
  const fields = registrationFields()
  const asked = await send({ username: fields.username, email: 'Ann@Example.com', action: 'code' })
  expect(asked.status).toBe(200)
  expect(asked.html).toContain('A code is on its way to ann@example.com. It is valid for 10 minutes.')
  expect(asked.html).toContain('<tollgate-countdown seconds="30"')
  expect([fieldValue(asked.html, 'username'), fieldValue(asked.html, 'email')]).toEqual([
    fields.username,
    'ann@example.com',
  ])
  const [mail] = await mailsTo('ann@example.com')
  const verification_code = /^\d{6}$/m.exec(mail!.text)![0]
  const { response } = await send({ ...fields, email: 'ann@example.com', verification_code })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/app/tokens'])

  const cookie = response.headers
    .getSetCookie()
    .map(set => set.split(';')[0])
    .join('; ')
  const keys = await (await new Person(0, '', cookie).page('/app/tokens')).text()
  expect(keys).toContain('Your account is ready, and you are signed in.')
  expect(keys).toContain(fields.username)
  const signedIn = await anyone.form('/login', { username: 'ann@example.com', password: PASSWORD })
  expect(signedIn.headers.get('location')).toBe('/app/tokens')
  await setOption('EmailVerificationEnabled', false)
})

test('the first error of each field stands there in the language of the visitor, and typed passwords are not sent back', async () => {
  const fields = { username: 'a b', password: 'secret7', password2: 'another' }
  for (const [language, name, password, again] of [
    [
      'en',
      /^A username has letters of one script/,
      'Password length must not be less than 8',
      'The two passwords do not match',
    ],
    ['zh', /^用户名只能包含同一种文字/, '密码长度不得少于 8 位', '两次输入的密码不一致'],
  ] as const) {
    const { status, html } = await send(fields, language)
    expect([status, errorAt(html, 'username'), errorAt(html, 'password'), errorAt(html, 'password2')]).toEqual([
      422,
      expect.stringMatching(name),
      password,
      again,
    ])
    expect(fieldValue(html, 'username')).toBe('a b')
    expect(html).not.toContain('secret7')
  }
  const twice = await send({ ...registrationFields(), username: 'a name with blanks' })
  expect(errorAt(twice.html, 'username')).toBe('A username has at most 12 characters')
  const taken = await send({ ...registrationFields(), username: (await visitor()).username })
  expect(errorAt(taken.html, 'username')).toBe('This username is taken')
})

test('the button for a code reports what is wrong with the address, and needs no password', async () => {
  await setOption('EmailVerificationEnabled', true)
  const ask = (email: string) => send({ username: 'x', email, action: 'code' })
  expect(errorAt((await ask('')).html, 'email')).toBe('Enter an email address.')
  expect(errorAt((await ask('a,b@example.com')).html, 'email')).toStartWith('Enter one valid email address')
  expect((await ask('bea@example.com')).status).toBe(200)
  const early = await ask('bea@example.com')
  expect([early.status, errorAt(early.html, 'email')]).toEqual([
    429,
    expect.stringMatching(/^A mail is on its way\. Wait \d+ s before the next one$/),
  ])
  expect(early.html).toMatch(/<tollgate-countdown seconds="(30|29|28)"/)
  const wrong = await send({ ...registrationFields(), email: 'bea@example.com', verification_code: '000000' })
  expect(errorAt(wrong.html, 'verification_code')).toBe('The verification code is wrong or has expired')
  const none = await send({ ...registrationFields(), email: 'bea@example.com', verification_code: '' })
  expect(errorAt(none.html, 'verification_code')).toBe('Please enter the email verification code')
  await setOption('SMTPServer', '')
  const unsent = await ask('cai@example.com')
  expect([unsent.status, unsent.html]).toEqual([422, expect.stringContaining('Mail is not set up on this site')])
  await configureMail()
  await setOption('EmailVerificationEnabled', false)
})

test('a form that a double click sends twice creates one user and shows no error', async () => {
  const form_id = fieldValue(await textOf('/register'), 'form_id')!
  const fields = { ...registrationFields(), form_id }
  const sent = await Promise.all([send(fields), send(fields)])
  expect(sent.map(({ response }) => response.headers.get('location'))).toEqual(Array(2).fill('/app/tokens'))
  expect((await send({ ...registrationFields(), username: fields.username })).status).toBe(422)
})

test('a closed registration hides its links, and its page says why', async () => {
  const links = async () =>
    Promise.all(['/', '/login'].map(async path => (await textOf(path)).includes('href="/register"')))
  expect(await links()).toEqual([true, true])
  await setOption('RegisterEnabled', false)
  expect(await links()).toEqual([false, false])
  const page = await textOf('/register')
  expect(page).toContain('The administrator has closed registration')
  expect(page).not.toContain('name="username"')
  const fields = registrationFields()
  const refused = await send(fields)
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('The administrator has closed')])
  expect(await userNamed(fields.username)).toBeUndefined()
  await setOption('RegisterEnabled', true)
  await setOption('PasswordRegisterEnabled', false)
  await setOption('GitHubClientId', 'id')
  await setOption('GitHubClientSecret', 'secret')
  await setOption('GitHubOAuthEnabled', true)
  const others = await textOf('/register')
  expect(others).toContain('The administrator has disabled registration with a password')
  expect(others).toContain('href="/oauth/github/start')
  await setOption('GitHubOAuthEnabled', false)
  await setOption('PasswordRegisterEnabled', true)
})

test('registration and its codes ask for a solved challenge, on the page and in the API', async () => {
  await setOption('EmailVerificationEnabled', true)
  await turnstile.enable()
  const missing = 'Please retry in a few seconds, Turnstile is checking the user environment.'
  const email = 'dan@example.com'
  expect(await anyone.get(`/api/verification?email=${email}`)).toMatchObject({ field: 'turnstile', message: missing })
  expect((await send({ email, action: 'code' })).html).toContain(missing)
  expect(await mailsTo(email)).toEqual([])
  const solved = () => ({ 'cf-turnstile-response': turnstile.solve() })
  expect((await send({ email, action: 'code', ...solved() })).status).toBe(200)
  const verification_code = /^\d{6}$/m.exec((await mailsTo(email))[0]!.text)![0]
  const fields = { ...registrationFields(), email, verification_code }
  expect(await anyone.post('/api/user/register?turnstile=forged', fields)).toMatchObject({ code: 'human.failed' })
  expect(await anyone.post('/api/user/register', fields)).toMatchObject({ code: 'human.token_missing' })
  const again = await send({ ...fields, 'cf-turnstile-response': 'forged' })
  expect(again.html).toContain('The human check failed. Refresh the page and try again.')
  expect((await send({ ...fields, ...solved() })).status).toBe(303)
  await turnstile.disable()
  await setOption('EmailVerificationEnabled', false)
})

test('signed-in users skip the registration page', async () => {
  const ann = await visitor()
  expect((await ann.page('/register?aff=abc')).headers.get('location')).toBe('/app/tokens')
})
