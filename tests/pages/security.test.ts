// @engine sqlite
/** The security page and the ways to sign in, in a browser: passkeys of a virtual authenticator, an app, recovery codes. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { listen } from '../support/app/app.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { named, plugIn } from '../support/browser/security-key.ts'
import { drawer, toast } from '../support/browser/walks.ts'
import { anyone } from '../support/people/person.ts'
import { codeOf, PASSWORD, withPassword } from '../support/people/second-factors.ts'

const site = named(listen())

async function signInAt(page: Page, username: string, returnTo = '/app/me/security') {
  await page.goto(`${site}/login?returnTo=${encodeURIComponent(returnTo)}`)
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const signOut = (page: Page) => page.context().clearCookies({ name: 'session' })
const pathOf = (page: Page) => new URL(page.url()).pathname

async function addPasskey(page: Page, name: string) {
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await drawer(page).getByLabel('Name').fill(name)
  await drawer(page).getByRole('button', { name: 'Add a passkey' }).click()
}

test(
  'a passkey is added, signs in alone and as the second step, is renamed and removed',
  async () => {
    const ann = await withPassword()
    const page = await visit(anyone, '/login', { isolated: true })
    const key = await plugIn(page)
    await signInAt(page, ann.username)
    await addPasskey(page, 'laptop')
    await drawer(page).getByText('Keep these recovery codes').waitFor()
    expect(await drawer(page).locator('.recovery-codes li').count()).toBe(10)
    expect(await accessibilityViolations(page)).toEqual([])
    const download = page.waitForEvent('download')
    await drawer(page).getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('Tollgate-recovery-codes.txt')
    await drawer(page).getByRole('link', { name: 'I have kept them' }).click()
    await page.getByText('10 of 10 left').waitFor()
    await addPasskey(page, 'again')
    expect(await toast(page).textContent()).toContain('registered already')
    await page.keyboard.press('Escape')

    await signOut(page)
    await page.goto(`${site}/login?returnTo=%2Fapp%2Fme%2Fsecurity`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('laptop').waitFor()
    expect(pathOf(page)).toBe('/app/me/security')

    await signOut(page)
    await signInAt(page, ann.username)
    await page.waitForURL('**/login/second-factor?*')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('laptop').waitFor()

    await signOut(page)
    await key.isUserVerified(false)
    await page.goto(`${site}/login`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    expect(await toast(page).textContent()).toContain('The browser returned no passkey')
    expect(pathOf(page)).toBe('/login')

    await key.isUserVerified(true)
    await signInAt(page, ann.username)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('link', { name: 'Rename laptop' }).click()
    await drawer(page).getByLabel('Name').fill('key ring')
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Remove the passkey key ring?' }).click()
    await drawer(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No passkey yet').waitFor()
    await page.getByText('None: they come with the first second factor').waitFor()
    await signOut(page)
    await signInAt(page, ann.username)
    await page.getByText('No passkey yet').waitFor()
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the response of a passkey is accepted once',
  async () => {
    const ann = await withPassword()
    const page = await visit(anyone, '/login', { isolated: true })
    await plugIn(page)
    await signInAt(page, ann.username)
    await addPasskey(page, 'of ann')
    await drawer(page).getByText('Keep these recovery codes').waitFor()
    await signOut(page)
    await page.goto(`${site}/login`)
    const sent = page.waitForRequest('**/login/passkey')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    const fields = Object.fromEntries(new URLSearchParams((await sent).postData()!))
    await page.waitForURL('**/app/tokens')
    const cookie = (await page.context().cookies(site)).map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { 'accept-language': 'en', origin: site, cookie: cookie.replace(/session=[^;]+/, '') }
    const replayed = await fetch(`${site}/login/passkey`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    expect([replayed.status, await replayed.text()]).toEqual([422, expect.stringContaining('does not fit')])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each([
  ['with JavaScript', true],
  ['without', false],
])(
  'an authenticator app is set up and asked for at the next sign-in, %s',
  async (_, javascript) => {
    const ann = await withPassword()
    const page = await visit(ann, '/app/me/security', { javascript })
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    if (javascript) expect(await accessibilityViolations(page)).toEqual([])
    const secret = (await page.locator('dialog code').textContent())!.replaceAll(' ', '')
    const field = page.getByLabel('Code that the app shows')
    await field.fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('This code is wrong').waitFor()
    await field.fill(codeOf(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Keep these recovery codes').waitFor()
    const code = (await page.locator('.recovery-codes li').first().textContent())!

    await page.context().clearCookies({ name: 'session' })
    await page.goto('/login?returnTo=%2Fapp%2Fme%2Fsecurity')
    await page.getByLabel('Username or email').fill(ann.username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('9 of 10 left').waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(
  looksInTier([
    ['gate', 'en', 'desktop'],
    ['gate-night', 'zh', 'phone'],
  ] as const),
)(
  'the security page and the confirmation pass axe in %s, %s, %s',
  async (theme, language, screen) => {
    const ann = await withPassword()
    const page = await visit(ann, '/app/me/security', { theme, language, screen })
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    await page.goto('/app/me/confirm')
    expect(await accessibilityViolations(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
