// @engine sqlite
/** The personal settings in Chromium. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { drawer, toast } from '../support/browser/walks.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

let ann: Person

beforeAll(async () => {
  const root = await setUp()
  const models =
    'gpt-5.1,gpt-5-mini,gpt-4o,gpt-4o-mini,claude-sonnet-4-5,claude-haiku-4-5,gemini-2.5-pro,gemini-2.5-flash'
  await root.post('/api/channel/', { name: 'many', key: 'sk-1', models: `${models},deepseek-chat,o3,o4-mini,grok-4` })
  ann = await visitor(Role.user, 21_690_000)
})

const tabs = {
  ...{ profile: '/app/me', notifications: '/app/me?tab=notifications' },
  ...{ prices: '/app/me?tab=prices', rewards: '/app/me?tab=rewards' },
}

for (const [tab, path] of Object.entries(tabs))
  for (const [screen, theme, language] of looksInTier([
    ['desktop', 'gate', 'en'],
    ['phone', 'gate-night', 'zh'],
  ] as const))
    test(
      `personal settings, ${tab}: no barrier on ${screen} in ${theme}, ${language}`,
      async () => {
        const page = await visit(ann, path, { screen, theme, language })
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await overflows(page)).toBe(false)
        expect(problemsOf(page)).toEqual([])
      },
      PAGE_TEST_TIMEOUT_MS,
    )

test(
  'a checked-in day stays checked in: its button is disabled without a reload',
  async () => {
    await setOption('CheckInEnabled', true)
    await setOption('CheckInQuota', 1000)
    const page = await visit(await visitor(), '/app/me?tab=rewards')
    await page.getByRole('button', { name: 'Check in now' }).click()
    const done = page.getByRole('button', { name: 'Checked in today' })
    await done.waitFor()
    await page.locator('#progress:not(:popover-open)').waitFor({ state: 'attached' })
    expect(await done.isDisabled()).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'personal settings: the list of models unfolds and stays unfolded, and a click copies a name',
  async () => {
    const page = await visit(ann, '/app/me')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: '2 more models' }).click()
    await page.getByRole('button', { name: 'Show fewer' }).waitFor()
    await page.goto('/app/me')
    await page.getByRole('button', { name: 'o4-mini', exact: true }).click()
    expect(await toast(page).innerText()).toBe('Copied to clipboard')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('o4-mini')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'personal settings without JavaScript: profile, password and notifications are saved, and the account is deleted',
  async () => {
    const person = await visitor()
    const page = await visit(person, '/app/me', { javascript: false })
    await page.getByLabel('Display name').fill('Ann')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('link', { name: 'Set a password' }).click()
    await page.getByLabel('New password', { exact: true }).fill('long-enough')
    await page.getByLabel('New password again').fill('long-enough!')
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('The two passwords do not match').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('long-enough')
    await page.getByLabel('New password again').fill('long-enough')
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Password changed').waitFor()
    await page.goto('/app/me?tab=notifications')
    await page.getByLabel('Webhook address').fill('https://example.com/hook')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Send a test' }).waitFor()
    await page.goto('/app/me?open=delete')
    await page.getByLabel(`Type ${person.username} to confirm`).fill(person.username)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText('Your account is deleted').waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'personal settings: a new access token is shown in a dialog',
  async () => {
    const page = await visit(ann, '/app/me')
    await page.getByRole('button', { name: 'Generate' }).click()
    expect(await drawer(page).getByLabel('System access token').inputValue()).toMatch(/^\w{32}$/)
    expect(await accessibilityViolations(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
