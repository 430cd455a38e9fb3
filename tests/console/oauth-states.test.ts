/** States of a sign-in by a login provider: bound to browser, provider and user, used once, checked first. */
import { expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { github, newUser, userBy } from '../support/oauth/github-users.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'
import { visitor } from '../support/people/person.ts'

const location = (response: Response) => response.headers.get('location')
const allUsers = () => db.select().from(users)

await setOption('LinuxDOClientId', 'id')
await setOption('LinuxDOClientSecret', 'secret')
await setOption('LinuxDOOAuthEnabled', true)

const anotherBrowser = async (back: URL) => new LoginBrowser().return(back)

test.each([
  ['a state of another browser', anotherBrowser],
  [
    'no state',
    (back: URL, browser: LoginBrowser) =>
      browser.return(new URL(`/oauth/github?code=${back.searchParams.get('code')}`, back)),
  ],
  [
    'an invented state',
    (back: URL, browser: LoginBrowser) => browser.return(new URL(`/oauth/github?code=x&state=${'s'.repeat(43)}`, back)),
  ],
  [
    'a state of another provider',
    (back: URL, browser: LoginBrowser) => browser.return(new URL(`/oauth/linuxdo${back.search}`, back)),
  ],
  [
    'an expired state',
    (back: URL, browser: LoginBrowser) => {
      shiftClock(601)
      return browser.return(back).finally(() => shiftClock(-601))
    },
  ],
  [
    'a state of a visitor who has signed in since',
    async (back: URL, browser: LoginBrowser) => {
      const signedIn = new LoginBrowser(await visitor())
      for (const [name, value] of browser.cookies) signedIn.cookies.set(name, value)
      return signedIn.return(back)
    },
  ],
])('%s is refused before the provider is asked, and no user is created', async (_, come) => {
  const browser = new LoginBrowser()
  const user = newUser()
  const back = github.agree(await browser.start('github'), user)
  const before = (await allUsers()).length
  const response = await come(back, browser)
  expect([response.status, response.headers.getSetCookie().some(set => set.startsWith('session='))]).toEqual([
    303,
    false,
  ])
  expect(decodeURIComponent(response.headers.get('set-cookie')!)).toContain('was started in another browser')
  expect(github.seen).toEqual([])
  expect([await userBy(user.id), (await allUsers()).length >= before]).toEqual([undefined, true])
})

test('a state works once, and in the API a wrong one is 403', async () => {
  const browser = new LoginBrowser()
  const back = github.agree(await browser.start('github'), newUser())
  await browser.return(back)
  const id = (await browser.self())!.id
  browser.cookies.delete('session')
  github.seen.length = 0
  await browser.return(back)
  expect([await browser.self(), browser.notice?.kind, github.seen]).toEqual([undefined, 'error', []])
  for (const query of [back.search, '', '?code=x', '?state=', `?state=${'%F0%9F%8E%B2'.repeat(50)}&code=x`]) {
    const answer = await browser.fetch(`/api/oauth/github${query}`)
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { success: false, code: 'oauth.state_invalid', data: null },
    ])
  }
  expect(id).toBeGreaterThan(0)
})

test('a state of a user who has signed out binds nothing and signs in no user', async () => {
  const ann = new LoginBrowser(await visitor())
  const user = newUser()
  const back = github.agree(await ann.start('github'), user)
  ann.cookies.delete('session')
  await ann.return(back)
  expect([await ann.self(), await userBy(user.id), github.seen]).toEqual([undefined, undefined, []])
})

test('login CSRF: a callback with an attacker’s code and state does nothing in another browser', async () => {
  const attacker = new LoginBrowser()
  const forged = github.agree(await attacker.start('github'), newUser())
  for (const victim of [new LoginBrowser(), new LoginBrowser(await visitor())]) {
    await victim.start('github')
    const before = await victim.self()
    await victim.return(forged)
    expect(await victim.self()).toEqual(before!)
  }
  // The attacker can still go on: the state was not used up by strangers.
  await attacker.return(forged)
  expect(await attacker.self()).toBeDefined()
})

test('another site cannot send a signed-in user to bind', async () => {
  const ann = new LoginBrowser(await visitor())
  const response = await ann.fetch('/oauth/github/start', { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([location(response), ann.notice?.kind, ann.cookies.has('oauth')]).toEqual(['/app/me', 'error', false])
})

test('a code works once, also with a fresh state, and only with its own challenge', async () => {
  const browser = new LoginBrowser()
  const back = github.agree(await browser.start('github'), newUser())
  const other = new LoginBrowser()
  const fresh = new URL(await other.start('github')).searchParams.get('state')!
  const stolen = new URL(back)
  stolen.searchParams.set('state', fresh)
  await other.return(stolen)
  expect([await other.self(), other.notice?.text]).toEqual([
    undefined,
    'The login provider refused this sign-in. Start again.',
  ])
  await browser.return(back)
  expect(await browser.self()).toBeUndefined()
})

test('five minutes after the sign-in, binding and unbinding ask who the user is, and visitors still sign in', async () => {
  const ann = await visitor()
  shiftClock(301)
  try {
    for (const path of ['/oauth/github/start', '/oauth/wechat/start', '/oauth/telegram/start', '/oauth/email/start'])
      expect([path, location(await ann.page(path))?.replace(/\?.*/, '')]).toEqual([path, '/app/me/confirm'])
    for (const path of ['/oauth/wechat', '/oauth/email', '/oauth/github/unbind'])
      expect([path, location(await ann.form(path))?.replace(/\?.*/, '')]).toEqual([path, '/app/me/confirm'])
    for (const path of ['state', 'wechat/bind?code=1', 'email/bind?email=a@b.de&code=1', 'telegram/bind?id=1'])
      expect([path, (await ann.get(`/api/oauth/${path}`)).code]).toEqual([path, 'security.confirm_required'])
    expect((await ann.delete('/api/oauth/github')).code).toBe('security.confirm_required')
    expect(await new LoginBrowser().start('github')).toContain('/login/oauth/authorize?')
  } finally {
    shiftClock(-301)
  }
})
