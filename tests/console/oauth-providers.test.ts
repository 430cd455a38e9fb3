/** Sign-in by OpenID Connect, with a certified provider and with lying ones, and by Linux DO. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { startLinuxDo } from '../support/oauth/code-site.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'
import { CLIENT, type OpenIdSite, startOpenIdProvider } from '../support/oauth/oidc-provider.ts'
import { allowLoopback, configureLinuxDo, configureOpenId } from '../support/oauth/options.ts'
import { setUp, visitor } from '../support/people/person.ts'

const CALLBACK = 'http://localhost/oauth/oidc'

await setUp()
const site = await startOpenIdProvider([CALLBACK])
const posting = await startOpenIdProvider([CALLBACK], { method: 'client_secret_post', pkce: false })
afterAll(() => {
  site.stop()
  posting.stop()
})
beforeEach(() => void setEnv(allowLoopback))

async function configureEndpoints({ issuer }: { issuer: string }) {
  await setOption('oidc.authorization_endpoint', `${issuer}/auth`)
  await setOption('oidc.token_endpoint', `${issuer}/token`)
  await setOption('oidc.user_info_endpoint', `${issuer}/me`)
  await configureOpenId({ issuer })
  await setOption('oidc.well_known', '')
}

let last = 0
const newUser = <Fields extends object>(fields: Fields = {} as Fields) => ({ sub: `subject-${++last}`, ...fields })

async function signIn(at: OpenIdSite, user: { sub: string }, browser = new LoginBrowser()) {
  await browser.return(await at.agree(await browser.start('oidc'), user))
  return browser
}

test.each([
  ['discovery', () => configureOpenId(site), site],
  ['endpoints alone, with the secret in the body', () => configureEndpoints(posting), posting],
])('a certified OpenID provider signs in with %s, PKCE and nonce', async (_, configure, at) => {
  await configure()
  const address = `mira${++last}@example.com`
  const user = newUser({ preferred_username: `mira${last}`, name: 'Mira', email: address, email_verified: true })
  const url = new URL(await new LoginBrowser().start('oidc'))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
  const browser = await signIn(at, user)
  const self = await browser.self()
  expect([browser.notice?.text, self]).toMatchObject([
    'You are signed in',
    { username: user.preferred_username, display_name: 'Mira', email: address, oidc_id: user.sub },
  ])
  expect((await (await signIn(at, user)).self())!.id).toBe(self!.id)
})

test('an API client without PKCE and nonce signs in where the provider asks for none', async () => {
  await configureOpenId(posting)
  const browser = new LoginBrowser()
  const { data: state } = (await (await browser.fetch('/api/oauth/state')).json()) as { data: string }
  const parameters = {
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email',
    state,
  }
  const back = await posting.agree(`${posting.issuer}/auth?${new URLSearchParams(parameters)}`, newUser())
  const query = new URLSearchParams({ code: back.searchParams.get('code')!, state })
  const answer = await browser.fetch(`/api/oauth/oidc?${query}`)
  expect(await answer.json()).toMatchObject({ success: true, message: '' })
  expect(await browser.self()).toBeDefined()
})

test('an address is stored only when the provider has verified it, and never leads to its user', async () => {
  await configureOpenId(site)
  const ann = await visitor()
  await db.update(users).set({ email: 'ann@corp.example' }).where(eq(users.id, ann.id))
  for (const [email, email_verified, stored] of [
    ['ann@corp.example', true, ''],
    ['bob@corp.example', false, ''],
    ['carl@corp.example', undefined, ''],
    ['Dora@Corp.example', true, 'dora@corp.example'],
    ['dora@corp.example', true, ''],
  ] as const) {
    const self = await (await signIn(site, newUser({ email, email_verified }))).self()
    expect([email, email_verified, self!.email, self!.id === ann.id]).toEqual([email, email_verified, stored, false])
  }
})

test('a wanted name that is taken, reserved, too long or no name gives way to a generated one', async () => {
  await configureOpenId(site)
  for (const preferred_username of ['root', 'Admin', 'ann@corp.example', 'a'.repeat(13), 'two words', '', 'pаypal']) {
    const { username } = (await (await signIn(site, newUser({ preferred_username }))).self())!
    expect([preferred_username, username]).toEqual([preferred_username, expect.stringMatching(/^oidc_\w+$/)])
  }
})

test('a code is bound to its sign-in: with another browser’s verifier the provider refuses it', async () => {
  await configureOpenId(site)
  const victim = new LoginBrowser()
  const back = await site.agree(await victim.start('oidc'), newUser())
  const thief = new LoginBrowser()
  back.searchParams.set('state', new URL(await thief.start('oidc')).searchParams.get('state')!)
  await thief.return(back)
  expect([await thief.self(), thief.notice?.text]).toEqual([
    undefined,
    'The login provider refused this sign-in. Start again.',
  ])
})

const keys = await generateKeyPair('RS256', { extractable: true })
const foreign = await generateKeyPair('RS256')

interface Lie {
  iss?: string
  aud?: string
  nonce?: string | null
  exp?: string
  key?: CryptoKey
  alg?: string
  id_token?: string | null
  subject?: string
  issuer?: string
}

/** A provider that signs every visitor in as `victim`, with one thing wrong. */
function startLiar(lie: Lie) {
  let nonce = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, origin } = new URL(request.url)
      if (pathname.startsWith('/.well-known/'))
        return Response.json({
          issuer: lie.issuer ?? origin,
          authorization_endpoint: `${origin}/auth`,
          token_endpoint: `${origin}/token`,
          userinfo_endpoint: `${origin}/me`,
          jwks_uri: `${origin}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
        })
      if (pathname === '/jwks')
        return Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig' }] })
      if (pathname === '/me') return Response.json({ sub: lie.subject ?? 'victim' })
      const claims = { ...(lie.nonce === null ? {} : { nonce: lie.nonce ?? nonce }) }
      const token = new SignJWT(claims)
        .setProtectedHeader({ alg: lie.alg ?? 'RS256' })
        .setIssuer(lie.iss ?? origin)
        .setAudience(lie.aud ?? CLIENT.client_id)
        .setSubject('victim')
        .setIssuedAt()
        .setExpirationTime(lie.exp ?? '5m')
      const id_token = lie.id_token === undefined ? await token.sign(lie.key ?? keys.privateKey) : lie.id_token
      return Response.json({ access_token: 'a', token_type: 'Bearer', ...(id_token && { id_token }) })
    },
  })
  return {
    issuer: `http://127.0.0.1:${server.port}`,
    agree(url: string) {
      const { searchParams } = new URL(url)
      nonce = searchParams.get('nonce')!
      return new URL(`${CALLBACK}?${new URLSearchParams({ code: 'c', state: searchParams.get('state')! })}`)
    },
    stop: () => server.stop(true),
  }
}

async function signInAtLiar(lie: Lie) {
  const liar = startLiar(lie)
  await configureOpenId(liar)
  const browser = new LoginBrowser()
  const url = await browser.start('oidc')
  if (url.startsWith('http')) await browser.return(liar.agree(url))
  await liar.stop()
  return browser
}

test.each<[string, Lie]>([
  ['of another issuer', { iss: 'https://elsewhere.example' }],
  ['for another client', { aud: 'another-client' }],
  ['with another nonce', { nonce: 'x'.repeat(43) }],
  ['without a nonce', { nonce: null }],
  ['that has expired', { exp: '-5m' }],
  ['signed by a foreign key', { key: foreign.privateKey }],
  ['that is missing', { id_token: null }],
  ['that is none', { id_token: 'a.b.c' }],
  ['without a signature', { id_token: `${btoa('{"alg":"none"}')}.${btoa('{"sub":"victim"}')}.` }],
  ['of another subject than the user info', { subject: 'somebody-else' }],
  ['from a document of another issuer', { issuer: 'https://elsewhere.example' }],
])('an id token %s signs in no user', async (_, lie) => {
  const browser = await signInAtLiar(lie)
  expect([browser.notice, await browser.self()]).toEqual([
    { kind: 'error', text: 'The login provider sent an unusable response. Try again later, or ask the administrator.' },
    undefined,
  ])
  expect(await db.select().from(users).where(eq(users.oidc_id, 'victim'))).toEqual([])
})

test('the same provider without a lie signs in', async () => {
  const browser = await signInAtLiar({})
  expect((await browser.self())!.oidc_id).toBe('victim')
})

test('OIDC needs a client, a secret, and a discovery address or three endpoints', async () => {
  const root = await setUp()
  await configureEndpoints(posting)
  await setOption('oidc.enabled', false)
  await setOption('oidc.token_endpoint', '')
  expect(await root.put('/api/option/', { key: 'oidc.enabled', value: true })).toMatchObject({
    code: 'option.oidc_incomplete',
  })
  await setOption('oidc.well_known', `${site.issuer}/.well-known/openid-configuration`)
  expect((await root.put('/api/option/', { key: 'oidc.enabled', value: true })).success).toBe(true)
})

test('Linux DO signs in with the secret in the header, by the numeric id', async () => {
  const linuxDo = startLinuxDo()
  await configureLinuxDo(linuxDo)
  const user = { id: 10_001, username: 'neo', name: '', active: true, trust_level: 2, silenced: false }
  const browser = new LoginBrowser()
  const url = await browser.start('linuxdo')
  expect(new URL(url).searchParams.has('code_challenge')).toBe(false)
  await browser.return(linuxDo.agree(url, user))
  const self = await browser.self()
  expect(self).toMatchObject({ linux_do_id: '10001', display_name: 'neo' })
  expect(self!.username).toMatch(/^linuxdo_\d{1,4}$/)
  const again = new LoginBrowser()
  await again.return(linuxDo.agree(await again.start('linuxdo'), { ...user, username: 'trinity' }))
  expect((await again.self())!.id).toBe(self!.id)
  await setOption('LinuxDOClientSecret', 'a wrong secret')
  const refused = new LoginBrowser()
  await refused.return(linuxDo.agree(await refused.start('linuxdo'), user))
  expect([refused.notice?.text, await refused.self()]).toEqual([
    'The login provider refused this sign-in. Start again.',
    undefined,
  ])
  await linuxDo.stop()
})
