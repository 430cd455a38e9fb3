// @engine sqlite
/** Sign-in by a login provider and the bindings, in Chromium. */
import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { PageContextProvider } from '../../client/components/page-context.tsx'
import { bindingNames } from '../../src/contracts/oauth.ts'
import { translator } from '../../src/locales/index.ts'
import { Bindings } from '../../views/oauth/bindings.tsx'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  leave,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { github, newUser } from '../support/oauth/github-users.ts'
import { serveWidget } from '../support/oauth/telegram-page.ts'
import { anyone, visitor } from '../support/people/person.ts'

const looks = [
  { screen: 'desktop', language: 'en', theme: 'gate' },
  { screen: 'phone', language: 'zh', theme: 'gate-night' },
] as const

for (const [key, value] of Object.entries({
  WeChatServerAddress: 'http://wechat.example',
  WeChatAccountQRCodeImageURL: 'https://wechat.example/qr.png',
  WeChatAuthEnabled: true,
  TelegramBotToken: '4242:token',
  TelegramBotName: 'gatebot',
  TelegramOAuthEnabled: true,
  SMTPServer: 'mail.example',
  SMTPFrom: 'gate@mail.example',
}))
  await setOption(key, value)

test.each([true, false])(
  'a visitor signs in with GitHub from the sign-in page and arrives where the visit began, JavaScript: %j',
  async javascript => {
    github.visitor = newUser()
    const page = await visit(anyone, '/app/logs/api-usage', { javascript })
    await page.getByRole('link', { name: 'GitHub' }).click()
    await page.waitForURL('**/app/logs/api-usage')
    expect(await page.getByText('You are signed in').count()).toBe(1)
    github.visitor = undefined
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the pages of WeChat, Telegram and the address have no accessibility violations, in both languages and themes',
  async () => {
    const ann = await visitor()
    for (const look of looks) {
      for (const [person, path, heading] of [
        [anyone, '/oauth/wechat/start', /WeChat|微信/],
        [anyone, '/oauth/telegram/start', /Telegram/],
        [ann, '/oauth/email/start', /email|邮箱/],
      ] as const) {
        const page = await visit(person, '/login', look)
        await page.route(/^https:/, route => route.abort())
        await page.goto(path)
        expect(await page.getByRole('heading', { level: 1, name: heading }).count()).toBe(1)
        expect([path, look.screen, await accessibilityViolations(page), await overflows(page)]).toEqual([
          path,
          look.screen,
          [],
          false,
        ])
        await leave(page)
      }
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'Telegram’s widget runs in its page, and its frame is allowed',
  async () => {
    const page = await visit(anyone, '/login')
    await serveWidget(page, { id: '77001', first_name: 'Ann' })
    await page.goto('/oauth/telegram/start')
    const frame = page.frameLocator('iframe')
    expect(await frame.getByText('Log in').count()).toBe(1)
    expect(await page.locator('iframe').getAttribute('data-callback')).toMatch(/\/oauth\/telegram\?state=[\w-]{43}$/)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the button for a code counts 30 s down',
  async () => {
    const page = await visit(await visitor(), '/oauth/email/start')
    await page.getByLabel('Email', { exact: true }).fill('mira@example.com')
    await page.getByRole('button', { name: 'Send code' }).click()
    const button = page.getByRole('button', { name: /Resend \((30|29|28)\)/ })
    await button.waitFor()
    expect(await button.isDisabled()).toBe(true)
    expect(await page.getByLabel('Verification code').evaluate(field => field === document.activeElement)).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test('the rows of bindings offer what is possible, each action named after its account', () => {
  const context = { language: 'en', t: translator('en'), zone: 'UTC', now: 0, csrf: 'c' } as const
  const currency = { quota_per_unit: 500_000, display_in_currency: true }
  const binding = { bound: '', is_enabled: true, is_removable: true }
  const rows = bindingNames.map(name => ({ ...binding, name }))
  const change = (name: string, fields: object) => rows.map(row => (row.name === name ? { ...row, ...fields } : row))
  const html = (bindings: typeof rows) =>
    renderToStaticMarkup(
      <PageContextProvider value={{ ...context, currency }}>
        <Bindings bindings={bindings} returnTo="/app/me" />
      </PageContextProvider>,
    )
  expect(html(rows).match(/href="\/oauth\/\w+\/start\?returnTo=%2Fapp%2Fme" aria-label="Connect [^"]+"/g)).toHaveLength(
    6,
  )
  const bound = html(change('github', { bound: '12••••78' }))
  expect(bound).toContain('action="/oauth/github/unbind"')
  expect(bound).toContain('aria-label="Disconnect GitHub"')
  expect(bound).toContain('12••••78')
  expect(html(change('github', { bound: '12••••78', is_removable: false }))).toContain('Your only way to sign in')
  expect(html(change('github', { is_enabled: false }))).not.toContain('GitHub')
  expect(html(change('email', { bound: 'm••••@example.com' }))).toContain('aria-label="Change Email"')
})
