// @engine sqlite
/** The audit log page in Chromium. */
import { beforeAll, expect, test } from 'bun:test'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { type Person, setUp } from '../support/people/person.ts'

let root: Person

beforeAll(async () => {
  root = await setUp()
  const { data } = await root.post('/api/channel/', { name: 'openai-main', key: 'sk-1', models: 'gpt-4o,gpt-4o-mini' })
  await root.put('/api/channel/', {
    id: data.id,
    priority: 10,
    weight: 3,
    key: 'sk-2',
    tag: 'team',
    group: 'default,vip',
  })
  await root.put('/api/option/', { key: 'RetryTimes', value: '3' })
  await root.put('/api/option/', { key: 'SMTPToken', value: 'secret' })
  await root.put('/api/option/', { key: 'ModelRatio', value: '{"gpt-4o":1.3}' })
})

for (const [screen, theme, language] of looksInTier([
  ['desktop', 'gate', 'en'],
  ['desktop', 'gate-night', 'zh'],
  ['phone', 'gate-night', 'zh'],
] as const))
  test(
    `audit log page: no barrier on ${screen} in ${theme}, ${language}`,
    async () => {
      const page = await visit(root, '/admin/audit', { screen, theme, language })
      await page
        .locator('tbody a')
        .filter({ hasText: /edited|编辑/ })
        .click()
      await page.locator('.changed-fields').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      expect(problemsOf(page)).toEqual([])
    },
    PAGE_TEST_TIMEOUT_MS,
  )

test(
  'audit log page: an entry opens and closes, and filters change the address',
  async () => {
    const page = await visit(root, '/admin/audit')
    await page.getByLabel('Action', { exact: true }).first().selectOption('option.change')
    await page.waitForURL('**/admin/audit?action=option.change')
    await page.getByRole('link', { name: 'Retries', exact: true }).waitFor()
    expect(await page.getByText('openai-main').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)
