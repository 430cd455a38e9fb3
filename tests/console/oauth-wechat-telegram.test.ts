/** Sign-in and binding with WeChat's codes and Telegram's widget, by the API and by the pages. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'
import { allowLoopback } from '../support/oauth/options.ts'
import { BOT_TOKEN, widgetFields } from '../support/oauth/telegram-widget.ts'
import { startWeChatServer, WECHAT_TOKEN } from '../support/oauth/wechat-server.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'

await setUp()
const wechat = startWeChatServer()
afterAll(() => wechat.stop())
await setOption('WeChatServerAddress', `${wechat.url}/`)
await setOption('WeChatServerToken', WECHAT_TOKEN)
await setOption('WeChatAuthEnabled', true)
await setOption('TelegramBotToken', BOT_TOKEN)
await setOption('TelegramBotName', 'gatebot')
await setOption('TelegramOAuthEnabled', true)
beforeEach(() => {
  setEnv(allowLoopback)
  wechat.seen.length = 0
})

const get = async (person: Person | LoginBrowser, path: string, headers: Record<string, string> = {}) => {
  const response = await person.fetch(path, { headers })
  return Object.assign((await response.json()) as Record<string, any>, { status: response.status })
}
const columnOf = async ({ id }: Person, column: 'wechat_id' | 'telegram_id') =>
  (await db.select().from(users).where(eq(users.id, id)))[0]![column]

let count = 0
const wechatId = () => `o6_bmjrPTlm6_2sgVt7hMZOPf${++count}`
const telegramUser = (fields: Record<string, string> = {}) => ({
  id: String(77_000 + ++count),
  first_name: 'Ann',
  ...fields,
})
const queryOf = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`

test('WeChat: a code signs its user in, or creates it', async () => {
  const id = wechatId()
  const browser = new LoginBrowser()
  const answer = await get(browser, `/api/oauth/wechat?code=${wechat.codeFor(id)}`)
  expect(answer).toMatchObject({
    success: true,
    message: '',
    data: { username: expect.stringMatching(/^wechat_\d+$/) },
  })
  expect((await browser.self())!.wechat_id).toBe(id)
  const again = new LoginBrowser()
  expect((await get(again, `/api/oauth/wechat?code=${wechat.codeFor(id)}`)).data.id).toBe(answer.data.id)
})

test.each([
  ['the API', (browser: LoginBrowser, code: string) => browser.fetch(`/api/oauth/wechat?code=${code}`)],
  [
    'the form',
    (browser: LoginBrowser, code: string) =>
      browser.fetch('/oauth/wechat', { method: 'POST', body: new URLSearchParams({ code }) }),
  ],
])('WeChat: an invitation counts for a sign-up by %s', async (way, send) => {
  const ann = await visitor()
  await setOption('AffEnabled', true)
  const { data: aff } = await ann.get('/api/user/aff')
  const browser = new LoginBrowser()
  await browser.fetch(`/register?aff=${aff}`)
  await send(browser, wechat.codeFor(wechatId()))
  expect([way, (await browser.self())!.inviter_id]).toEqual([way, ann.id])
})

test('WeChat: the page signs in with a form, and shows a wrong code at its field', async () => {
  const browser = new LoginBrowser()
  const page = await browser.click('/oauth/wechat/start?returnTo=/app/wallet')
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('name="returnTo" value="/app/wallet"')])
  expect(html).toContain('valid for 3 minutes')
  const send = (code: string, headers = {}) =>
    browser.fetch('/oauth/wechat', {
      method: 'POST',
      body: new URLSearchParams({ code, returnTo: '/app/wallet' }),
      headers,
    })
  for (const [code, text] of [
    ['', 'Enter the verification code'],
    ['999999', 'The verification code is wrong or has expired'],
    ['x'.repeat(65), 'The verification code is wrong or has expired'],
    ['one&two=2', 'The verification code is wrong or has expired'],
  ] as const) {
    const refused = await send(code)
    const shown = await refused.text()
    expect([code, refused.status >= 400, shown.includes(text), shown.includes('aria-invalid="true"')]).toEqual([
      code,
      true,
      true,
      true,
    ])
  }
  expect(wechat.seen).toEqual(['999999', 'one&two=2'])
  const foreign = await send(wechat.codeFor(wechatId()), { 'sec-fetch-site': 'cross-site' })
  expect([foreign.status, await browser.self()]).toEqual([403, undefined])
  const done = await send(wechat.codeFor(wechatId()))
  expect([done.status, done.headers.get('location'), browser.notice?.text]).toEqual([
    303,
    '/app/wallet',
    'You are signed in',
  ])
  expect(await browser.self()).toBeDefined()
})

test('WeChat: a signed-in user binds, by the API and by the page; an account of another user is refused', async () => {
  const [ann, ben] = [await visitor(), await visitor()]
  const id = wechatId()
  expect(await get(ann, `/api/oauth/wechat/bind?code=${wechat.codeFor(id)}`)).toMatchObject({
    success: true,
    message: 'bind',
    data: null,
  })
  expect(await get(ben, `/api/oauth/wechat/bind?code=${wechat.codeFor(id)}`)).toMatchObject({
    success: false,
    code: 'account.already_bound',
  })
  const other = wechatId()
  const bound = await ben.form('/oauth/wechat', { code: wechat.codeFor(other) })
  expect([bound.status, bound.headers.get('location')]).toEqual([303, '/app/me'])
  expect([await columnOf(ann, 'wechat_id'), await columnOf(ben, 'wechat_id')]).toEqual([id, other])
})

test('WeChat and Telegram: a link of another site, or in a mail, signs in and binds no user', async () => {
  const ann = new LoginBrowser(await visitor())
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { origin: 'https://evil.example' },
  ]
  const telegram = queryOf(widgetFields(telegramUser()))
  for (const headers of foreign) {
    for (const path of [
      `/api/oauth/wechat?code=${wechat.codeFor(wechatId())}`,
      `/api/oauth/telegram/login${telegram}`,
    ]) {
      const visitor = new LoginBrowser()
      expect([path, (await get(visitor, path, headers)).status, visitor.cookies.has('session')]).toEqual([
        path,
        403,
        false,
      ])
    }
    const binds = ['wechat/bind?code=1', `telegram/bind${telegram}`, 'email/bind?email=a@b.example&code=123456']
    for (const path of binds) {
      expect([path, (await get(ann, `/api/oauth/${path}`, { ...headers, 'tollgate-user': '' })).status]).toEqual([
        path,
        401,
      ])
    }
  }
  expect(wechat.seen).toEqual([])
})

test('Telegram: a bound user signs in, others are refused and never created', async () => {
  const ann = await visitor()
  const user = telegramUser({ last_name: 'Lee', username: 'annlee', photo_url: 'https://t.me/i/a.jpg' })
  const before = (await db.select().from(users)).length
  expect(await get(anyone, `/api/oauth/telegram/login${queryOf(widgetFields(user))}`)).toMatchObject({
    code: 'oauth.unbound',
  })
  expect((await db.select().from(users)).length).toBe(before)

  const later = { auth_date: String(Math.floor(Date.now() / 1000) - 10) }
  expect(
    await get(ann, `/api/oauth/telegram/bind${queryOf(widgetFields({ ...user, ...later }))}&lang=en`),
  ).toMatchObject({ success: true, message: 'bind' })
  expect(await columnOf(ann, 'telegram_id')).toBe(user.id)
  const sooner = { auth_date: String(Math.floor(Date.now() / 1000) - 20) }
  const browser = new LoginBrowser()
  const path = `/api/oauth/telegram/login${queryOf(widgetFields({ ...user, ...sooner }))}&lang=zh`
  expect(await get(browser, path)).toMatchObject({ success: true, data: { id: ann.id } })
  expect((await browser.self())!.id).toBe(ann.id)
  expect(await get(new LoginBrowser(), path)).toMatchObject({ success: false, code: 'oauth.telegram_invalid' })

  await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, ann.id))
  const banned = queryOf(widgetFields({ ...user, auth_date: String(Math.floor(Date.now() / 1000) - 30) }))
  expect(await get(new LoginBrowser(), `/api/oauth/telegram/login${banned}`)).toMatchObject({
    status: 403,
    code: 'account.banned',
  })
})

const nowSeconds = () => Math.floor(Date.now() / 1000)

test.each<[string, () => Record<string, string>]>([
  ['an altered field', () => ({ ...widgetFields(telegramUser()), id: '1' })],
  ['a field that was not signed', () => ({ ...widgetFields(telegramUser()), last_name: 'X' })],
  ['a field too few', () => ({ ...widgetFields(telegramUser()), first_name: undefined as unknown as string })],
  ['an unknown field', () => ({ ...widgetFields(telegramUser()), role: '100' })],
  ['an unknown field that was signed', () => widgetFields(telegramUser({ role: '100' }))],
  ['an old date', () => widgetFields(telegramUser({ auth_date: String(nowSeconds() - 302) }))],
  ['a date in the future', () => widgetFields(telegramUser({ auth_date: String(nowSeconds() + 90) }))],
  ['a date that is none', () => widgetFields(telegramUser({ auth_date: 'today' }))],
  ['the token of another bot', () => widgetFields(telegramUser(), '1:x')],
  ['an empty token', () => widgetFields(telegramUser(), '')],
  ['an empty hash', () => ({ ...widgetFields(telegramUser()), hash: '' })],
  [
    'a hash in capitals',
    () => ({ ...widgetFields(telegramUser()), hash: widgetFields(telegramUser()).hash!.toUpperCase() }),
  ],
  ['no fields', () => ({})],
])('Telegram: %s is refused, for a sign-in and for a binding', async (_, fieldsOf) => {
  const ann = await visitor()
  for (const [person, path] of [
    [anyone, 'login'],
    [ann, 'bind'],
  ] as const) {
    const fields = Object.fromEntries(Object.entries(fieldsOf()).filter(([, value]) => value !== undefined))
    const answer = await get(person, `/api/oauth/telegram/${path}${queryOf(fields)}`)
    expect([answer.success, answer.status < 500, typeof answer.message]).toEqual([false, true, 'string'])
  }
  expect(await columnOf(ann, 'telegram_id')).toBe('')
})

test('Telegram: the hash of a name with line breaks signs no other user in', async () => {
  const ann = await visitor()
  const user = telegramUser({ first_name: '👩‍🚀 Ann\u200d' })
  expect(await get(ann, `/api/oauth/telegram/bind${queryOf(widgetFields(user))}`)).toMatchObject({ success: true })
  for (const end of ['\n', '\r\n', '\u2028']) {
    const eve = widgetFields(telegramUser({ first_name: `E\nid=${user.id}\nlast_name=E${end}` }))
    const { auth_date, hash } = eve as { auth_date: string; hash: string }
    const split = { auth_date, hash, first_name: 'E', id: user.id!, last_name: `E${end}\nid=${eve.id}` }
    for (const fields of [split, eve])
      expect(await get(new LoginBrowser(), `/api/oauth/telegram/login${queryOf(fields)}`)).toMatchObject({
        ...{ success: false, code: 'oauth.telegram_invalid' },
      })
  }
})

test('Telegram: of two uses of one hash at once only one counts', async () => {
  const [ann, ben] = [await visitor(), await visitor()]
  const query = queryOf(widgetFields(telegramUser()))
  const answers = await Promise.all([ann, ben].map(person => get(person, `/api/oauth/telegram/bind${query}`)))
  expect(answers.map(({ success }) => success).sort()).toEqual([false, true])
})

test('Telegram: the widget’s page leads back by a state, to bind and to sign in', async () => {
  const ann = await visitor()
  const user = telegramUser()
  const browser = new LoginBrowser(ann)
  const callbackIn = async (from: LoginBrowser, path: string) => {
    const page = await from.click(path)
    expect(page.headers.get('content-security-policy')).toContain('frame-src https://oauth.telegram.org')
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    const html = await page.text()
    expect(html).toContain('data-telegram-login="gatebot"')
    return /data-auth-url="([^"]+)"/.exec(html)![1]!
  }
  const callback = await callbackIn(browser, '/oauth/telegram/start')
  const fields = new URLSearchParams(widgetFields(user))
  const stranger = new LoginBrowser(await visitor())
  await stranger.return(new URL(`http://localhost${callback}&${fields}`))
  expect(stranger.notice?.kind).toBe('error')
  const bound = await browser.return(new URL(`http://localhost${callback}&${fields}`))
  expect([bound.headers.get('location'), browser.notice?.text]).toEqual(['/app/me', 'Connected'])
  expect(await columnOf(ann, 'telegram_id')).toBe(user.id)

  const visiting = new LoginBrowser()
  const way = await callbackIn(visiting, '/oauth/telegram/start?returnTo=/app/wallet')
  const later = new URLSearchParams(widgetFields({ ...user, auth_date: String(nowSeconds() - 5) }))
  const done = await visiting.return(new URL(`http://localhost${way}&${later}`))
  expect([done.headers.get('location'), (await visiting.self())!.id]).toEqual(['/app/wallet', ann.id])
})

test('WeChat and Telegram are refused while they are switched off', async () => {
  await setOption('WeChatAuthEnabled', false)
  await setOption('TelegramOAuthEnabled', false)
  const ann = await visitor()
  const telegram = queryOf(widgetFields(telegramUser()))
  for (const [person, path] of [
    [anyone, 'wechat?code=1'],
    [ann, 'wechat/bind?code=1'],
    [anyone, `telegram/login${telegram}`],
    [ann, `telegram/bind${telegram}`],
  ] as const) {
    expect([path, (await get(person, `/api/oauth/${path}`)).code]).toEqual([path, 'oauth.not_enabled'])
  }
  for (const path of ['/oauth/wechat/start', '/oauth/telegram/start']) {
    const browser = new LoginBrowser()
    const response = await browser.click(path)
    expect([response.headers.get('location')?.startsWith('/login'), browser.notice?.kind]).toEqual([true, 'error'])
  }
  expect(wechat.seen).toEqual([])
})
