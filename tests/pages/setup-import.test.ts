// @engine sqlite
/** Moving in by the browser: a file is chosen, its report read, and the old root signs in. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import '../support/app/app.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { channel, fileOf, OLD_ROOT, peopled } from '../support/moving-in/house.ts'
import { anyone } from '../support/people/person.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  'a database is chosen, checked and moved in by the browser, and its root signs in',
  async () => {
    const page = await visit(anyone, '/setup')
    await page.getByRole('link', { name: 'Move in from new-api, one-api or Veloera' }).click()
    await page.waitForURL('**/setup/import')
    expect(await problemsOf(page)).toEqual([])
    const buffer = readFileSync(fileOf('new-api', peopled('new-api', [channel(3, 1)])))
    const file = { name: 'one-api.db', mimeType: 'application/octet-stream', buffer }
    await page.getByLabel('Database file').setInputFiles(file)
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
