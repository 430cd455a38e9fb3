// @engine sqlite
/** Moving in by the browser: a file is chosen, its report read, and the old root signs in. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import '../support/app/app.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  squeezed,
  visit,
} from '../support/browser/browser.ts'
import { channel, fileOf, OLD_ROOT, peopled } from '../support/moving-in/house.ts'
import { anyone } from '../support/people/person.ts'

const upload = (file: string) => ({
  name: 'one-api.db',
  mimeType: 'application/octet-stream',
  buffer: readFileSync(file),
})

/** What reports list: shared addresses, a balance at the limit, a deleted account, channels that are left or renumbered. */
const manyNotes = () => fileOf('new-api', peopled('new-api', [channel(3, 1), channel(4, 49), channel(5, 57)]))

/** The response to a file that is none. */
const REFUSED = /status of 422/

const walks = [
  { theme: 'gate', language: 'zh', screen: 'phone' },
  { theme: 'gate-night', language: 'zh', screen: 'phone' },
  { theme: 'gate', language: 'en', screen: 'desktop' },
  { theme: 'gate-night', language: 'en', screen: 'phone' },
] as const

test.each(looksInTier(walks))(
  'the form, a refused file and the report have no violations and no overflow: $language, $theme, $screen',
  async look => {
    const page = await visit(anyone, '/setup/import', look)
    const check = async (step: string) => {
      const found = [
        await accessibilityViolations(page),
        await overflows(page),
        await squeezed(page),
        problemsOf(page).filter(text => !REFUSED.test(text)),
      ]
      expect([step, ...found]).toEqual([step, [], false, [], []])
    }
    const send = async (file: string) => {
      await page.locator('input[type=file]').setInputFiles(upload(file))
      await page.locator('main form button[type=submit]').click()
    }
    await check('form')
    await send(import.meta.path)
    await page.locator('[role=alert], [aria-invalid=true]').first().waitFor()
    await check('refused')
    await send(manyNotes())
    await page.waitForURL(/\/setup\/import\/\w{32}$/)
    for (const details of await page.locator('main details').all()) await details.locator('summary').click()
    await check('report')
    expect(await page.locator('main').textContent()).not.toContain('moving.')
  },
  PAGE_TEST_TIMEOUT_MS,
)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  'a database is chosen, checked and moved in by the browser, and its root signs in',
  async () => {
    const page = await visit(anyone, '/setup')
    await page.getByRole('link', { name: 'Move in from new-api, one-api or Veloera' }).click()
    await page.waitForURL('**/setup/import')
    expect(await problemsOf(page)).toEqual([])
    const file = fileOf('new-api', peopled('new-api', [channel(3, 1)]))
    await page.getByLabel('Database file').setInputFiles(upload(file))
    await button(page, 'Check the file').click()
    await page.getByRole('heading', { name: 'This would move in' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    await button(page, 'Move in').click()
    await page.waitForURL('**/login')
    await page.getByLabel('Username').fill(OLD_ROOT.username)
    await page.getByLabel('Password', { exact: true }).fill(OLD_ROOT.password)
    await button(page, 'Sign in').click()
    await page.waitForURL('**/app/tokens')
  },
  PAGE_TEST_TIMEOUT_MS,
)
