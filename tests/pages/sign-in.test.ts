// @engine sqlite
/** The sign-in page in a browser. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DEFAULT_ROOT } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { accessibilityViolations, problemsOf, visit } from '../support/browser/browser.ts'
import { anyone, setUp } from '../support/people/person.ts'

test.each([
  ['with JavaScript', true],
  ['without', false],
])('a sign-in with the default password asks for a new one, %s', async (_, javascript) => {
  await setUp()
  const password = await Bun.password.hash(DEFAULT_ROOT.password)
  await db.update(users).set({ password }).where(eq(users.username, DEFAULT_ROOT.username))
  const page = await visit(anyone, '/login?returnTo=%2Fapp%2Flogs%2Fapi-usage%3Frange%3Dtoday', { javascript })
  await page.getByLabel('Username or email').fill(DEFAULT_ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(DEFAULT_ROOT.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  const dialog = page.getByRole('dialog', { name: 'Change your password now' })
  await dialog.waitFor()
  expect(await dialog.getByRole('link', { name: 'Change password' }).getAttribute('href')).toBe('/app/me')
  if (javascript) expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('link', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/app/logs/api-usage')
  expect(new URL(page.url()).search).toBe('?range=today')
  await page.reload()
  expect(await dialog.count()).toBe(0)
  expect(problemsOf(page)).toEqual([])
})
