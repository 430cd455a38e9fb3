/** Sign-in by a login provider, with GitHub: first and later sign-ins, binding, names, refusals. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { setOption } from '../support/app/options.ts'
import { authorizationByApi, github, newUser, signInAt, userBy } from '../support/oauth/github-users.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'
import { anyone, visitor } from '../support/people/person.ts'

const location = (response: Response) => response.headers.get('location')
const allUsers = () => db.select().from(users)
test('a first sign-in creates the user, a later one finds it by the numeric id', async () => {
  const octocat = newUser()
  github.emails.set(octocat.id, [
    { email: 'spare@example.com', primary: false, verified: true },
    { email: 'Octo@Example.com', primary: true, verified: true },
  ])
  const { browser, response } = await signInAt(octocat, new LoginBrowser(), '/app/logs/api-usage?p=2')
  expect([response.status, location(response)]).toEqual([303, '/app/logs/api-usage?p=2'])
  expect(browser.notice).toEqual({ kind: 'success', text: 'You are signed in' })
  const self = await browser.self()
  expect(self).toMatchObject({ github_id: String(octocat.id), display_name: 'The Octocat', email: 'octo@example.com' })
  expect(self!.username).toMatch(/^github_\d+$/)

  const again = await signInAt({ ...octocat, login: 'renamed', name: 'Another Name' })
  expect(location(again.response)).toBe('/app/tokens')
  expect((await again.browser.self())!.id).toBe(self!.id)
  const namesake = await signInAt(newUser({ login: 'octocat' }))
  expect((await namesake.browser.self())!.id).not.toBe(self!.id)
})

test('an address that is unverified or in use is not stored, and leads to no user', async () => {
  const ann = await visitor()
  await db.update(users).set({ email: 'ann@example.com' }).where(eq(users.id, ann.id))
  for (const [email, verified] of [
    ['ann@example.com', true],
    ['new@example.com', false],
    ['no address', true],
  ] as const) {
    const user = newUser()
    github.emails.set(user.id, [{ email, primary: true, verified }])
    const self = await (await signInAt(user)).browser.self()
    expect([email, self!.email, self!.id === ann.id]).toEqual([email, '', false])
  }
})

test('an invitation counts for a sign-up by a provider, from the cookie of the link or the aff of a state', async () => {
  const ann = await visitor()
  await setOption('AffEnabled', true)
  await setOption('QuotaForNewUser', 300)
  await setOption('QuotaForInvitee', 20)
  await setOption('QuotaForInviter', 7)
  await db.update(users).set({ aff_code: 'ANNSCODE' }).where(eq(users.id, ann.id))
  const browser = new LoginBrowser()
  await browser.fetch('/register?aff=ANNSCODE')
  expect(browser.cookies.get('aff')).toBe('ANNSCODE')
  await signInAt(newUser(), browser)
  expect(browser.cookies.has('aff')).toBe(false)
  expect(await browser.self()).toMatchObject({ inviter_id: ann.id, quota: 320 })

  const client = new LoginBrowser()
  const url = await authorizationByApi(client, 'provider=github&aff=ANNSCODE')
  await client.return(github.agree(url, newUser()))
  expect(await client.self()).toMatchObject({ inviter_id: ann.id, quota: 320 })
  const invited = new LoginBrowser()
  await invited.fetch('/register?aff=ANNSCODE')
  const back = github.agree(await authorizationByApi(invited, 'provider=github'), newUser())
  await invited.fetch(`/api/oauth/github${back.search}`)
  expect(await invited.self()).toMatchObject({ inviter_id: ann.id, quota: 320 })
  const [inviter] = await db.select().from(users).where(eq(users.id, ann.id))
  expect(inviter).toMatchObject({ aff_count: 3, aff_quota: 21, aff_history_quota: 21 })
  for (const key of ['QuotaForNewUser', 'QuotaForInvitee', 'QuotaForInviter']) await setOption(key, 0)
})

test('the API signs in with code and state, and answers the user with a session cookie', async () => {
  const browser = new LoginBrowser()
  const back = github.agree(await authorizationByApi(browser), newUser())
  const response = await browser.fetch(`/api/oauth/github${back.search}`)
  const self = await browser.self()
  expect(await response.json()).toEqual({
    success: true,
    message: '',
    data: { id: self!.id, username: self!.username, display_name: 'The Octocat', role: 1, status: 1, group: 'default' },
  })
})

test('a signed-in user binds instead: the API says bind, the page leads to the settings', async () => {
  const ann = await visitor()
  const browser = new LoginBrowser(ann)
  const first = newUser()
  const back = github.agree(await authorizationByApi(browser), first)
  expect(await (await browser.fetch(`/api/oauth/github${back.search}`)).json()).toEqual({
    success: true,
    message: 'bind',
    data: null,
  })
  expect((await browser.self())!.github_id).toBe(String(first.id))

  const second = newUser()
  const { response } = await signInAt(second, browser)
  expect([location(response), browser.notice?.text]).toEqual(['/app/me', 'Connected'])
  expect(await browser.self()).toMatchObject({ id: ann.id, github_id: String(second.id) })
  expect(await userBy(first.id)).toBeUndefined()
})

test('an account that another user has, deleted or not, cannot be bound', async () => {
  const owned = newUser()
  const { browser: owner } = await signInAt(owned)
  const owner_id = (await owner.self())!.id
  const ann = new LoginBrowser(await visitor())
  for (const deleted_time of [null, 1]) {
    await db.update(users).set({ deleted_time }).where(eq(users.id, owner_id))
    await signInAt(owned, ann)
    expect(ann.notice).toEqual({ kind: 'error', text: 'This account is already connected to another user' })
    expect((await ann.self())!.github_id).toBe('')
  }
})

test('two first sign-ins at once make one user, and one reward', async () => {
  await setOption('QuotaForNewUser', 500)
  const user = newUser()
  const browsers = Array.from({ length: 4 }, () => new LoginBrowser())
  const backs = await Promise.all(browsers.map(async browser => github.agree(await browser.start('github'), user)))
  await Promise.all(browsers.map((browser, at) => browser.return(backs[at]!)))
  const selves = await Promise.all(browsers.map(browser => browser.self()))
  expect(new Set(selves.map(self => self!.id)).size).toBe(1)
  const rows = await db.select().from(ledger).where(eq(ledger.user_id, selves[0]!.id))
  expect([rows.length, selves[0]!.quota]).toEqual([1, 500])
  await setOption('QuotaForNewUser', 0)
})

test('several different first sign-ins at once get different names', async () => {
  const browsers = await Promise.all(Array.from({ length: 4 }, () => signInAt(newUser())))
  const names = await Promise.all(browsers.map(async ({ browser }) => (await browser.self())!.username as string))
  expect(new Set(names).size).toBe(4)
})

test('a generated name is free and has 12 characters at most', async () => {
  const [last] = (await allUsers()).map(({ id }) => id).sort((a, b) => b - a)
  const other_case = { username: `GitHub_${last! + 2}`, username_folded: `github_${last! + 2}` }
  await db.insert(users).values({ ...other_case, created_time: 1 })
  const taken = (await (await signInAt(newUser())).browser.self())!.username
  expect(taken).toMatch(/^github_\w{4}$/)
  await db.insert(users).values({ id: 123_456_788, username: 'far', created_time: 1 })
  const long = (await (await signInAt(newUser())).browser.self())!.username
  expect(long).toBe('gi_123456789')
  await db.delete(users).where(eq(users.username, 'far'))
})

test('a display name has 20 visible characters at most, and the login name stands in for an empty one', async () => {
  const shown = async (user: Record<string, unknown>) => (await (await signInAt(user)).browser.self())!.display_name
  expect(await shown(newUser({ name: `a\u0000\u202e${'🎲'.repeat(30)}` }))).toBe(`a${'🎲'.repeat(19)}`)
  expect(await shown(newUser({ name: ' \u0000 ' }))).toBe('octocat')
  expect(await shown(newUser({ name: null, login: 5 }))).toMatch(/^g\w*_\d+$/)
})

test('banned, deleted and new users are refused with their sentence while that is so', async () => {
  const known = newUser()
  const id = (await (await signInAt(known)).browser.self())!.id
  const refusal = async (user: Record<string, unknown>) => {
    const { browser } = await signInAt(user)
    expect(await browser.self()).toBeUndefined()
    return browser.notice?.text
  }
  await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, id))
  expect(await refusal(known)).toBe('This account is banned')
  await db.update(users).set({ status: UserStatus.enabled, deleted_time: 5 }).where(eq(users.id, id))
  expect(await refusal(known)).toBe('This account was deleted')
  await db.update(users).set({ deleted_time: null }).where(eq(users.id, id))

  await setOption('RegisterEnabled', false)
  const stranger = newUser()
  expect(await refusal(stranger)).toBe('The administrator has closed registration')
  expect(await userBy(stranger.id)).toBeUndefined()
  expect(await (await signInAt(known)).browser.self()).toBeDefined()
  await setOption('RegisterEnabled', true)

  await setOption('PasswordRegisterEnabled', false)
  expect(await (await signInAt(newUser())).browser.self()).toBeDefined()
  await setOption('PasswordRegisterEnabled', true)
})

test('a provider that is switched off is refused at the start and at the end, in both languages', async () => {
  const browser = new LoginBrowser()
  const back = github.agree(await browser.start('github'), newUser())
  await setOption('GitHubOAuthEnabled', false)
  const response = await browser.return(back, 'zh')
  expect([location(response), browser.notice?.text]).toEqual([
    '/login?returnTo=%2Fapp%2Ftokens',
    '管理员未开启此登录方式',
  ])
  expect(await browser.start('github', '/app/wallet')).toBe('/login?returnTo=%2Fapp%2Fwallet')
  expect(browser.notice?.text).toBe('The administrator has not enabled this way to sign in')
  expect(github.seen).toEqual([])
  // Also without a sign-in that was begun here.
  const { code } = await anyone.get('/api/oauth/github?code=c&state=unknown')
  expect(code).toBe('oauth.not_enabled')
})

test('the words of a provider about an error are not shown', async () => {
  for (const [error, text] of [
    ['access_denied', 'The sign-in was cancelled at the login provider'],
    ['<script>', 'The login provider refused this sign-in. Start again.'],
  ] as const) {
    const browser = new LoginBrowser()
    const state = new URL(await browser.start('github')).searchParams.get('state')!
    const query = new URLSearchParams({ error, error_description: '<b>canary</b>', state })
    const response = await browser.return(new URL(`http://localhost/oauth/github?${query}`))
    expect([browser.notice, await browser.self()]).toEqual([{ kind: 'error', text }, undefined])
    expect(await (await browser.click(location(response)!)).text()).not.toContain('canary')
  }
})

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '/.//e',
])('a sign-in by a provider never leads to another site: %j', async returnTo => {
  const { response } = await signInAt(newUser(), new LoginBrowser(), returnTo)
  expect(location(response)).toBe('/app/tokens')
})

test('a demo site binds nothing', async () => {
  await setOption('DemoSiteEnabled', true)
  const ann = new LoginBrowser(await visitor())
  await signInAt(newUser(), ann)
  expect([ann.notice?.text, (await ann.self())!.github_id]).toEqual(['This site is for demo only', ''])
  await setOption('DemoSiteEnabled', false)
})
