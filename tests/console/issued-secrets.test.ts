/** Secrets that the console hands out: how long they are, that none repeats, and the cookies that carry them. */
import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { configureReset, tokenFor, userAt } from '../support/people/password-reset.ts'
import { anyone, setUp, visitor } from '../support/people/person.ts'
import { Browser, PASSWORD, withApp, withPassword } from '../support/people/second-factors.ts'

await setUp()
await configureReset()
await setOption('GitHubClientId', 'client')
await setOption('GitHubClientSecret', 'secret')
await setOption('GitHubOAuthEnabled', true)
afterAll(() => db.delete(mails))

const COUNT = 5
const BITS = 128

/** The most that a text of its alphabet can hold. */
function bitsOf(text: string): number {
  const letters = /^[0-9a-f]+$/.test(text) ? 16 : /^[0-9A-Za-z]+$/.test(text) ? 62 : 64
  return text.length * Math.log2(letters)
}

const cookieOf = (response: Response, name: string) =>
  response.headers.getSetCookie().find(set => set.startsWith(`${name}=`)) ?? ''

function signIn(username: string, headers: Record<string, string> = {}) {
  resetStores('login-failures')
  return anyone.fetch('/api/user/login', {
    method: 'POST',
    headers,
    body: JSON.stringify({ username, password: PASSWORD }),
  })
}

const ann = await withPassword()
const { person: bea } = await withApp()

const sessionIdIn = (cookie: string) => JSON.parse(atob(cookie.split(/[=;]/)[1]!.split('.')[1]!)).sid as string

let address = 0
test.each([
  ['the state of a provider', async () => (await anyone.get('/api/oauth/state?provider=github')).data],
  [
    'the secret of a browser',
    async () => /=([^;]+)/.exec(cookieOf(await anyone.fetch('/api/oauth/state'), 'oauth'))![1]!,
  ],
  ['the id of a session', async () => sessionIdIn(cookieOf(await signIn(ann.username), 'session'))],
  ['the ticket of a second step', async () => ((await (await signIn(bea.username)).json()) as any).data.ticket],
  ['the secret of a second step', async () => cookieOf(await signIn(bea.username), 'second-factor').split(/[.;]/)[1]!],
  ['a system access token', async () => (await (await visitor()).get('/api/user/token')).data],
  ['an API key', async () => (await ann.post('/api/token/', { name: 'key' })).data.key],
  [
    'the challenge of a passkey',
    async () => (await new Browser().send('/api/user/login/passkey/challenge', {})).data.challenge,
  ],
  [
    'the token of a reset link',
    async () => {
      const email = `issued${++address}@example.com`
      await userAt(email)
      return tokenFor(email)
    },
  ],
] as [string, () => Promise<string>][])('%s has at least 128 random bits and never repeats', async (_, issue) => {
  const issued: string[] = []
  for (let at = 0; at < COUNT; at++) issued.push(await issue())
  expect(issued.filter(text => typeof text !== 'string' || bitsOf(text) < BITS)).toEqual([])
  expect(new Set(issued).size).toBe(COUNT)
  // No part of a fixed place repeats: a clock or a counter would.
  expect(new Set(issued.map(text => text.slice(0, 8))).size).toBe(COUNT)
  expect(new Set(issued.map(text => text.slice(-8))).size).toBe(COUNT)
})

test('over https every cookie that proves something is of this host alone, Secure, HttpOnly and SameSite', async () => {
  const https = { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin' }
  const post = { method: 'POST', body: '{}' }
  const responses: [name: string, response: Response][] = [
    ['session', await signIn(ann.username, https)],
    ['second-factor', await signIn(bea.username, https)],
    ['oauth', await anyone.fetch('/api/oauth/state', { headers: https })],
    ['oauth', await anyone.page('/oauth/github/start', { headers: https })],
    ['passkey', await anyone.fetch('/api/user/login/passkey/challenge', { ...post, headers: https })],
    ['session', await ann.fetch('/api/user/logout', { headers: https })],
  ]
  for (const [name, response] of responses) {
    const set = response.headers.getSetCookie().find(cookie => cookie.includes(name)) ?? ''
    expect([
      name,
      set.startsWith('__Host-'),
      /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/.test(set),
    ]).toEqual([name, true, true])
    expect([name, /domain=/i.test(set)]).toEqual([name, false])
  }
})

test('a session cookie that an attacker has set before the sign-in is worthless after it', async () => {
  const carol = await withPassword()
  const planted = cookieOf(await signIn(ann.username), 'session').split(';')[0]!
  const response = await anyone.fetch('/api/user/login', {
    method: 'POST',
    headers: { cookie: planted },
    body: JSON.stringify({ username: carol.username, password: PASSWORD }),
  })
  const own = cookieOf(response, 'session').split(';')[0]!
  expect(sessionIdIn(own)).not.toBe(sessionIdIn(planted))
  const as = (cookie: string) =>
    anyone.get('/api/user/self', { headers: { cookie, 'tollgate-user': String(carol.id) } })
  expect([(await as(own)).status, (await as(planted)).status]).toEqual([200, 401])
  const forged = `${own.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`
  expect((await as(forged)).status).toBe(401)
})

test('a code of a mail is limited by tries: it has six digits', async () => {
  await setOption('EmailVerificationEnabled', true)
  await anyone.get('/api/verification?email=digits@example.com')
  const [mail] = await db.select().from(mails).where(eq(mails.recipient, 'digits@example.com'))
  const code = /^\d{6}$/m.exec(mail!.text)![0]
  const fields = { username: 'digits', password: PASSWORD, password2: PASSWORD, email: 'digits@example.com' }
  const attempt = (verification_code: string) => anyone.post('/api/user/register', { ...fields, verification_code })
  const wrong = Array.from({ length: 100 }, (_, at) => String((Number(code) + at + 1) % 1_000_000).padStart(6, '0'))
  const answers = await Promise.all(wrong.map(attempt))
  expect(answers.filter(({ success }) => success)).toEqual([])
  expect((await attempt(code)).success).toBe(false)
  await setOption('EmailVerificationEnabled', false)
})
