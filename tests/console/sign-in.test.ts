/** Sign-in and preferences, as a browser without JavaScript sends them. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DEFAULT_ROOT } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { anyone, HOME, Person, ROOT, setUp, visitor } from '../support/people/person.ts'

const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  anyone.form('/login', { ...ROOT, ...fields }, { headers })

const location = (response: Response) => response.headers.get('location')

test('a sign-in leads to the API keys, or to returnTo', async () => {
  await setUp()
  const response = await send({})
  expect([response.status, location(response)]).toEqual([303, '/app/tokens'])
  expect(response.headers.get('set-cookie')).toStartWith('session=')
  expect(location(await send({ returnTo: '/app/logs/api-usage?p=2' }))).toBe('/app/logs/api-usage?p=2')
})

test.each([
  '//evil.example',
  '/.//evil.example',
  '/a/%2e%2E//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  'https:evil.example',
  'https://evil.example/app/tokens',
  'javascript:alert(1)',
  '@evil.example',
])('a sign-in never leads to another site: %j', async returnTo => {
  expect(location(await send({ returnTo }))).toBe('/app/tokens')
  const page = await (await anyone.page(`/login?returnTo=${encodeURIComponent(returnTo)}`)).text()
  expect(page).toContain('name="returnTo" value="/app/tokens"')
})

test('a wrong password is reported at its field, and the name stays', async () => {
  const response = await send({ password: 'not this one' })
  const page = await response.text()
  expect(response.status).toBe(422)
  expect(page).toContain('Wrong username or password, or this account is banned')
  expect(page).toContain('value="root"')
  expect(page).not.toContain('not this one')
})

test('a sign-in form of another site is refused', async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
    string,
    string
  >[]) {
    const response = await send({}, headers)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
  }
})

test('visitors are led to sign-in and back, with a message for an ended session', async () => {
  await setUp()
  expect(location(await anyone.page('/app/tokens?new'))).toBe('/login?returnTo=%2Fapp%2Ftokens%3Fnew')
  const ended = new Person(1, 'root', 'session=over')
  expect(location(await ended.page('/app/tokens'))).toBe('/login?expired=true&returnTo=%2Fapp%2Ftokens')
  expect(await (await anyone.page('/login?expired=true')).text()).toContain('Your session has ended')
  const sentFrom = (referer: string) => ended.form('/app/tokens/1/disable', {}, { headers: { referer } })
  expect(location(await sentFrom(`${HOME}/app/tokens?p=2`))).toBe(
    '/login?expired=true&returnTo=%2Fapp%2Ftokens%3Fp%3D2',
  )
  expect(location(await sentFrom('http://elsewhere.example/app'))).toBe('/login?expired=true&returnTo=%2F')
  const headers = { 'hx-request': 'true', 'hx-target': 'section#first-steps', referer: `${HOME}/app/tokens` }
  const looked = await ended.page('/app/tokens/first-steps', { headers })
  expect(looked.headers.get('hx-redirect')).toBe('/login?expired=true&returnTo=%2Fapp%2Ftokens')
})

test('the default password of root opens a warning dialog once', async () => {
  await setUp()
  await db
    .update(users)
    .set({ password: await Bun.password.hash(DEFAULT_ROOT.password) })
    .where(eq(users.username, ROOT.username))
  const response = await send({ password: DEFAULT_ROOT.password })
  expect(response.status).toBe(303)
  const cookie = response.headers
    .getSetCookie()
    .map(set => set.split(';')[0])
    .join('; ')
  const page = await new Person(1, 'root', cookie).page('/app/tokens')
  const html = await page.text()
  expect(/<dialog open=""[^>]*>.*?<\/dialog>/s.exec(html)?.[0]).toContain(
    'You signed in with the default password, which is publicly known',
  )
  expect(page.headers.get('set-cookie')).toStartWith('notice=; Path=/; Max-Age=0')
})

test.each([
  [{ theme: 'gate-night' }, 'data-theme="gate-night"'],
  [{ language: 'zh' }, 'lang="zh-CN"'],
  [{ collapsed: 'true' }, 'class="frame narrow"'],
])('preference %j: stored in a cookie and rendered by the server', async (chosen, mark) => {
  const ann = await visitor()
  const response = await anyone.form('/preferences', { ...chosen, returnTo: '/app/tokens' })
  expect([response.status, location(response)]).toEqual([303, '/app/tokens'])
  const preference = response.headers.get('set-cookie')!.split(';')[0]
  const page = await new Person(ann.id, ann.username, `${ann.cookie}; ${preference}`).page('/app/tokens')
  expect(await page.text()).toContain(mark)
})

test('an unknown preference is refused without a redirect', async () => {
  expect((await anyone.form('/preferences', { theme: 'neon' })).status).toBe(400)
  expect(location(await anyone.form('/preferences', { theme: 'gate', returnTo: 'https://evil.example' }))).toBe('/')
})

test('every page has its security headers', async () => {
  const { headers } = await anyone.page('/login')
  const policy = headers.get('content-security-policy')!
  const closed = ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]
  expect(policy.split('; ')).toEqual(expect.arrayContaining(closed))
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toContain('camera=()')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('an unknown address shows the page for missing pages', async () => {
  const response = await anyone.page('/no/such/page')
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('This page does not exist. Check the address in your browser.')
})
