// @engine sqlite
/** The human check in a browser. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { mailSink } from '../support/mail/sink.ts'
import { anyone, ROOT, setUp } from '../support/people/person.ts'
import { PASSWORD, registrationFields } from '../support/people/registration.ts'
import { fakeTurnstile } from '../support/upstream/turnstile.ts'

const turnstile = fakeTurnstile()
const sink = await mailSink()
await setUp()
beforeEach(() => turnstile.enable())
afterEach(() => turnstile.disable())

const WAIT = 'Please retry in a few seconds, Turnstile is checking the user environment.'

test(
  'a sign-in before the challenge is solved waits, and passes afterwards',
  async () => {
    const page = await visit(anyone, '/', { isolated: true })
    const challenge = Promise.withResolvers<void>()
    await turnstile.serveWidget(page, challenge.promise)
    await page.goto('/login')
    await page.getByLabel('Username or email').fill(ROOT.username)
    await page.getByLabel('Password', { exact: true }).fill('a wrong one')
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    await submit.click()
    await page.getByRole('alert').getByText(WAIT).waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('a wrong one')
    expect(await accessibilityViolations(page)).toEqual([])

    challenge.resolve()
    await page.getByText('Success!').waitFor()
    expect(await page.getByText(WAIT).isVisible()).toBe(false)
    await submit.click()
    await page.getByText('Wrong username or password').waitFor()
    await page.getByText('Success!').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
    await submit.click()
    await page.waitForURL('**/app/tokens')
    expect(problemsOf(page).filter(problem => !problem.includes('422'))).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a code is sent after the challenge is solved, and the account is created with another token',
  async () => {
    const page = await visit(anyone, '/', { isolated: true })
    await setOption('EmailVerificationEnabled', true)
    await sink.options()
    const challenge = Promise.withResolvers<void>()
    await turnstile.serveWidget(page, challenge.promise)
    await page.goto('/register')
    const { username } = registrationFields()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(`${username}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password again').fill(PASSWORD)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByRole('alert').getByText(WAIT).waitFor()
    challenge.resolve()
    await page.getByText('Success!').waitFor()
    await page.getByRole('button', { name: 'Send code' }).click()
    const { text } = await sink.next(`${username}@example.com`)
    await page.getByLabel('Verification code').fill(/^\d{6}$/m.exec(text!)![0])
    await page.getByText('Success!').waitFor()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/app/tokens')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a page whose widget does not load says so at the submit, and tries again',
  async () => {
    const page = await visit(anyone, '/', { isolated: true })
    await page.route('https://challenges.cloudflare.com/**', route => route.abort())
    await page.goto('/login')
    await page.getByLabel('Username or email').fill(ROOT.username)
    await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    await submit.click()
    await page.getByText(WAIT).waitFor()
    await turnstile.serveWidget(page)
    await submit.click()
    await page.getByText('Success!').waitFor()
    await submit.click()
    await page.waitForURL('**/app/tokens')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'without JavaScript the form names what it needs, on a phone too',
  async () => {
    const page = await visit(anyone, '/login', { javascript: false, screen: 'phone', language: 'zh' })
    const hint = page.locator('noscript p')
    expect(await hint.innerText()).toBe('人机验证需要 JavaScript，请启用后重新加载页面。')
    expect(await hint.isVisible()).toBe(true)
    expect(await overflows(page)).toBe(false)
  },
  PAGE_TEST_TIMEOUT_MS,
)
