// @engine sqlite
/** The settings page in Chromium: marks, save bar, leaving, and nothing that shuts a reader out. */
import { beforeAll, expect, test } from 'bun:test'
import { option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'

let root: Person

beforeAll(async () => {
  root = await setUp()
  await setOptionAsSystem('SMTPToken', 'stored')
})

for (const [screen, theme, language, queries] of looksInTier([
  ['desktop', 'gate', 'en', ['tab=operation', 'tab=system']],
  ['phone', 'gate-night', 'zh', ['tab=models', 'q=mail']],
] as const))
  test(
    `settings: no barrier on ${queries.join(', ')} on ${screen} in ${theme}, ${language}`,
    async () => {
      const page = await visit(root, '/admin/settings', { screen, theme, language })
      const found: unknown[] = []
      for (const query of queries) {
        await page.goto(`/admin/settings?${query}`)
        const [violations, overflowing] = [await accessibilityViolations(page), await overflows(page)]
        if (violations.length || overflowing) found.push([query, violations, overflowing])
      }
      expect([found, problemsOf(page)]).toEqual([[], []])
    },
    PAGE_TEST_TIMEOUT_MS,
  )

test(
  'settings: changes of several sections are marked, counted and saved together, and leaving asks first',
  async () => {
    const page = await visit(root, '/admin/settings?tab=operation')
    const bar = page.locator('.settings-save')
    await page.getByRole('textbox', { name: 'Retries' }).fill('3')
    await page.getByLabel('Rebate percentage').fill('120')
    expect(await bar.getByRole('status').textContent()).toBe('2 changes in 2 sections')
    expect(await page.locator('.section-list a.changed').allTextContents()).toEqual(['General', 'Invitations'])
    await page.getByRole('textbox', { name: 'Retries' }).fill('0')
    expect(await bar.getByRole('status').textContent()).toBe('1 change')
    await page.getByRole('textbox', { name: 'Retries' }).fill('4')

    await page.getByRole('link', { name: 'Models' }).first().click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('searchbox').fill('mail')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await page.getByRole('textbox', { name: 'Retries' }).inputValue()).toBe('4')

    await page.getByLabel('Rebate percentage').press('Enter')
    await page.locator('#field-RebatePercentage-error').waitFor()
    expect(await bar.textContent()).toContain('1 error')
    expect([await page.getByRole('textbox', { name: 'Retries' }).inputValue(), option('RetryTimes')]).toEqual(['4', 0])
    await page.getByLabel('Rebate percentage').fill('12.5')
    await page.getByLabel('Top-up link').fill('https://shop.example.com')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('3 settings saved').waitFor()
    expect([option('RetryTimes'), option('RebatePercentage'), option('TopUpLink')]).toEqual([
      ...[4, 12.5, 'https://shop.example.com'],
    ])
    expect(await bar.isVisible()).toBe(false)

    await page.getByLabel('Use the default of Retries').click()
    expect(await page.getByRole('textbox', { name: 'Retries' }).inputValue()).toBe('0')
    await page.getByRole('link', { name: 'Models' }).first().click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.waitForURL('**/admin/settings?tab=models')
    expect(option('RetryTimes')).toBe(4)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'settings: turning password login off asks at once, and Cancel turns the switch on again',
  async () => {
    const page = await visit(root, '/admin/settings?tab=system')
    const login = page.getByRole('checkbox', { name: 'Password login' })
    await page.getByLabel('Server address', { exact: true }).fill('https://gate.example.com')
    await login.uncheck()
    await page.getByRole('heading', { name: 'Turn off password login?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await until(() => login.isChecked())).toBe(true)
    expect(await page.getByLabel('Server address', { exact: true }).inputValue()).toBe('https://gate.example.com')
    expect([option('PasswordLoginEnabled'), option('ServerAddress')]).toEqual([true, ''])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'settings: rows of models are added, removed and checked, and stand beside their JSON',
  async () => {
    const page = await visit(root, '/admin/settings?tab=models')
    const setting = page.locator('[data-setting="claude.default_max_tokens"]')
    await setting.getByRole('button', { name: 'Add row' }).click()
    await setting.getByLabel('Model 1').fill('claude-a')
    await setting.getByLabel('Tokens 1').fill('many')
    await setting.getByText('claude-a: enter a number, at least 0').waitFor()
    await setting.getByLabel('Tokens 1').fill('4096')
    await setting.getByRole('button', { name: 'Edit as JSON' }).click()
    expect(JSON.parse(await setting.locator('textarea').inputValue())).toEqual({ 'claude-a': 4096 })
    await setting.locator('textarea').fill('{"claude-a":4096,"claude-b":5}')
    await setting.getByRole('button', { name: 'Edit as rows' }).click()
    await setting.getByRole('button', { name: 'Remove claude-a' }).click()
    expect(await page.locator('.settings-save').getByRole('status').textContent()).toBe('1 change')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('1 setting saved').waitFor()
    expect(option('claude.default_max_tokens')).toEqual({ 'claude-b': 5 })
    expect(await setting.getByLabel('Model 1').inputValue()).toBe('claude-b')
    expect([await overflows(page), problemsOf(page)]).toEqual([false, []])
  },
  PAGE_TEST_TIMEOUT_MS,
)
