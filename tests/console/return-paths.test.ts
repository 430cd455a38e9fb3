/** Where a form or a sign-in leads afterwards: to a page of this site, whatever address it was given. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'
import { BOT_TOKEN, widgetFields } from '../support/oauth/telegram-widget.ts'
import { anyone, HOME, type Person, setUp, visitor } from '../support/people/person.ts'
import { Browser, codeOf, PASSWORD, withApp } from '../support/people/second-factors.ts'

await setUp()
await setOption('SMTPServer', 'mail.example')
await setOption('SMTPFrom', 'gate@mail.example')
await setOption('WeChatServerAddress', 'https://wechat.example')
await setOption('WeChatServerToken', 'token')
await setOption('WeChatAuthEnabled', true)
await setOption('TelegramBotToken', BOT_TOKEN)
await setOption('TelegramBotName', 'gatebot')
await setOption('TelegramOAuthEnabled', true)

const hostile = [
  '//evil.example',
  '/.//evil.example',
  '/a/%2e%2E//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '///evil.example',
  'https:evil.example',
  'https://evil.example/app/tokens',
  'https://localhost@evil.example/',
  '//localhost@evil.example/',
  '/%2F%2Fevil.example',
  '%2F%2Fevil.example',
  '/%5Cevil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  ' //evil.example',
]

/** Whether a browser on our site stays there. */
const staysHere = (address: string) => {
  const url = new URL(address, `${HOME}/login`)
  return url.origin === HOME && !url.username
}

/** The `returnTo` that the form of a page will send. */
async function keptBy(person: Person, path: string, returnTo: string): Promise<string> {
  const html = await (await person.page(`${path}?${new URLSearchParams({ returnTo })}`)).text()
  const value = /name="returnTo" value="([^"]*)"/.exec(html)?.[1]
  if (value === undefined) throw new Error(`${path} has no field returnTo`)
  return value.replaceAll('&amp;', '&')
}

const ann = await visitor()

test.each([
  ['/login', anyone],
  ['/app/me/confirm', (await withApp()).person],
  ['/oauth/wechat/start', anyone],
  ['/oauth/wechat/start', ann],
  ['/oauth/email/start', ann],
] as [string, Person][])('the form of %s keeps no address of another site', async (path, person) => {
  for (const returnTo of hostile) {
    const kept = await keptBy(person, path, returnTo)
    expect([returnTo, kept, staysHere(kept)]).toEqual([returnTo, kept, true])
  }
})

test('forms that take an address lead to no other site', async () => {
  const { person, secret } = await withApp()
  const forms: [path: string, send: (returnTo: string) => Promise<Response>][] = [
    ['/preferences', returnTo => anyone.form('/preferences', { theme: 'gate', returnTo })],
    ['/app/me/confirm', returnTo => person.form('/app/me/confirm', { password: PASSWORD, returnTo })],
    ['/oauth/github/unbind', returnTo => ann.form('/oauth/github/unbind', { returnTo })],
    ['/app/inbox/read', returnTo => ann.form('/app/inbox/read', { returnTo })],
    ['/app/tokens/columns', returnTo => ann.form('/app/tokens/columns', { returnTo })],
  ]
  for (const [path, send] of forms) {
    for (const returnTo of hostile) {
      // Ten confirmations are taken in a quarter of an hour.
      resetStores('login-failures')
      const location = (await send(returnTo)).headers.get('location')
      expect([path, returnTo, location, location !== null && staysHere(location)]).toEqual([
        path,
        returnTo,
        location,
        true,
      ])
    }
  }
  // Each code of the second step counts once: the address of the first step is the one that the page keeps.
  const browser = new Browser()
  const first = await browser.form('/login', {
    username: person.username,
    password: PASSWORD,
    returnTo: '//evil.example',
  })
  expect(first.headers.get('location')).toBe('/login/second-factor?returnTo=%2Fapp%2Ftokens')
  const done = await browser.form('/login/second-factor', { code: codeOf(secret), returnTo: '/\\evil.example' })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app/tokens'])
})

test('a provider that is off leads back to the sign-in page, which keeps no address of another site', async () => {
  for (const returnTo of hostile) {
    const response = await anyone.page(`/oauth/github/start?${new URLSearchParams({ returnTo })}`)
    const location = response.headers.get('location')!
    const kept = new URL(location, HOME).searchParams.get('returnTo')!
    expect([returnTo, kept, staysHere(location) && staysHere(kept)]).toEqual([returnTo, kept, true])
  }
})

test('a sign-in by Telegram leads to no other site', async () => {
  const bound = await visitor()
  await db.update(users).set({ telegram_id: '4711' }).where(eq(users.id, bound.id))
  for (const [at, returnTo] of hostile.entries()) {
    const browser = new LoginBrowser()
    const start = await browser.click(`/oauth/telegram/start?${new URLSearchParams({ returnTo })}`)
    const state = /\/oauth\/telegram\?state=([\w-]+)/.exec(await start.text())![1]!
    const fields = widgetFields({ id: '4711', first_name: `Ann ${at}` })
    const done = await browser.click(`/oauth/telegram?${new URLSearchParams({ state, ...fields })}`)
    const location = done.headers.get('location')!
    expect([returnTo, browser.cookies.has('session'), staysHere(location)]).toEqual([returnTo, true, true])
  }
})
