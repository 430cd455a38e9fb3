// @engine sqlite
/** Registration and password reset in a browser, with mail. */
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { focusOn, hasFocus, toast } from '../support/browser/walks.ts'
import { mailSink } from '../support/mail/sink.ts'
import { userAt } from '../support/people/password-reset.ts'
import { anyone, setUp } from '../support/people/person.ts'
import { PASSWORD, registrationFields } from '../support/people/registration.ts'

const sink = await mailSink()

beforeAll(async () => {
  await setUp()
  await sink.options()
  await setOption('EmailVerificationEnabled', true)
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const pathOf = (page: Page) => new URL(page.url()).pathname

test(
  'a visitor registers with a code from the mail, and signs in',
  async () => {
    const { username } = registrationFields()
    const email = `${username}@example.com`
    const page = await visit(anyone, '/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    expect(await hasFocus(page.getByLabel('Username'))).toBe(true)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password again').fill(PASSWORD)
    await button(page, 'Send code').click()

    const resend = button(page, /^Resend \(\d+\)$/)
    await resend.waitFor()
    expect(await resend.isDisabled()).toBe(true)
    await page.getByText(`A code is on its way to ${email}.`).waitFor()
    await focusOn(page, 'verification_code')
    expect(await page.getByLabel('Username').inputValue()).toBe(username)
    expect(await accessibilityViolations(page)).toEqual([])

    const { text } = await sink.next(email)
    await page.getByLabel('Verification code').fill(/^\d{6}$/m.exec(text!)![0])
    // The passwords are still typed. Enter creates the account, though the button for a code comes first.
    await page.getByLabel('Password again').press('Enter')
    await page.waitForURL('**/app/tokens')
    expect(await toast(page).textContent()).toBe('Your account is ready, and you are signed in.')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the button for a code counts down and is enabled again',
  async () => {
    const page = await visit(anyone, '/register', { language: 'zh', isolated: true })
    await page.clock.install()
    await page.getByLabel('邮箱').fill('countdown@example.com')
    await button(page, '发送验证码').click()
    // The clock goes on by itself too: a busy machine sees the button late.
    const counting = button(page, /^重新发送（\d+）$/)
    const seconds = async () => Number(/\d+/.exec(await counting.innerText())![0])
    const first = await seconds()
    expect(first).toBeLessThanOrEqual(30)
    await page.clock.runFor(1000)
    expect(await seconds()).toBeLessThan(first)
    await page.clock.runFor(30_000)
    const again = button(page, '发送验证码')
    expect(await again.isEnabled()).toBe(true)
    await sink.next('countdown@example.com')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a forgotten password is replaced by the link of the mail, and the new one is copied',
  async () => {
    const email = 'forgetful@example.com'
    await userAt(email)
    const page = await visit(anyone, '/login')
    const { origin } = new URL(page.url())
    await setOption('ServerAddress', origin)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email').fill(email)
    await button(page, 'Send link').click()
    await page.getByText(`A link is on its way to ${email}.`).waitFor()
    expect(await button(page, /^Try again \(\d+\)$/).isDisabled()).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])

    const { text } = await sink.next(email)
    await page.goto(/http:\S+/.exec(text!)![0])
    expect(await accessibilityViolations(page)).toEqual([])
    await button(page, 'Get a new password').click()
    const field = page.getByLabel('New password')
    expect(await toast(page).textContent()).toBe('Copied to clipboard')
    const password = await field.inputValue()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    expect([await field.isEditable(), pathOf(page), new URL(page.url()).search]).toEqual([false, '/user/reset', ''])
    expect(await accessibilityViolations(page)).toEqual([])

    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username or email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, /^Sign in$/).click()
    await page.waitForURL('**/app/tokens')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(
  looksInTier([
    ['gate', 'en', 'desktop'],
    ['gate-night', 'zh', 'phone'],
  ] as const),
)(
  'the pages of registration and reset pass axe in %s, %s and on a %s',
  async (theme, language, screen) => {
    for (const path of ['/register', '/reset', '/user/reset?email=ann%40example.com&token=x', '/user/reset']) {
      const page = await visit(anyone, path, { theme, language, screen })
      expect([path, await accessibilityViolations(page), await overflows(page)]).toEqual([path, [], false])
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
