// @engine sqlite
/** The redemption codes page in a browser, on every screen. */
import { expect, test } from 'bun:test'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { drawer, drawerClosed, toast } from '../support/browser/walks.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { latest, newCode, newRow, redeem } from '../support/people/redemption-codes.ts'

const root = await setUp()
const ann = await visitor()

test(
  'an administrator creates gifts, edits one, disables it from the menu and deletes codes by name',
  async () => {
    const page = await visit(root, '/admin/coupons')
    await page.getByRole('link', { name: 'Create codes' }).first().click()
    await drawer(page).getByLabel('Name').fill('walk')
    await drawer(page).getByRole('button', { name: '$10', exact: true }).click()
    await drawer(page).getByRole('button', { name: '10', exact: true }).click()
    await drawer(page).getByLabel('Gift code').check()
    await drawer(page).getByLabel('Maximum of uses').fill('3')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Created 10 codes' }).waitFor()
    const keys = (await drawer(page).getByLabel('Codes', { exact: true }).inputValue()).split('\n')
    const { id, key } = await latest()
    expect([keys.length, keys[0], (await latest()).quota]).toEqual([10, key, 5_000_000])
    await drawer(page).getByRole('link', { name: 'Done' }).click()
    await drawerClosed(page)
    await page.locator(`#row-${id}`).getByRole('link', { name: 'Edit walk' }).click()
    await drawer(page).getByLabel('Maximum of uses').fill('0')
    await page.keyboard.press('Control+Enter')
    await drawer(page).getByText('The number of uses is at least 1').waitFor()
    await drawer(page).getByLabel('Maximum of uses').fill('')
    await page.keyboard.press('Control+Enter')
    await drawerClosed(page)
    expect(await page.locator(`#row-${id}`).getByText('0 / ∞').count()).toBe(1)
    await page.locator(`#row-${id}`).getByRole('button', { name: 'Disable walk' }).click()
    await page.getByText('Disabled walk').waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('link', { name: 'Delete by name' }).click()
    await drawer(page).getByLabel('Name').fill('walk')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Delete 10 codes named walk?' }).waitFor()
    await drawer(page).getByLabel('Type 10 to confirm').fill('10')
    await page.keyboard.press('Enter')
    await drawerClosed(page)
    expect(await toast(page).textContent()).toBe('Deleted 10 codes')
    // The refused edit is reported by the browser.
    expect(problemsOf(page).filter(problem => !problem.includes('422'))).toEqual([])
    await leave(page)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the redemption codes page passes axe and does not overflow on any screen',
  async () => {
    const gift = await newRow({ name: 'gift', quota: 1, is_gift: true, max_uses: 1 })
    await redeem(ann, gift.key)
    await newCode({ name: 'future', valid_from: 4_000_000_000, valid_until: 4_100_000_000 })
    const { id } = await newRow({ name: 'a name of 20 letters' })
    const open = ['?new', `?edit=${id}`, `?uses=${gift.id}`, `?codes=${id},${gift.id}`]
    const walks = [
      {
        paths: ['', ...open, '?delete_named', '?named=gift'],
        look: { screen: 'desktop', theme: 'gate', language: 'en' },
      },
      { paths: [''], look: { screen: 'tablet', theme: 'gate-night', language: 'zh' } },
      { paths: ['', '?new', `?uses=${gift.id}`], look: { screen: 'phone', theme: 'gate-night', language: 'zh' } },
    ] as const
    for (const { paths, look } of looksInTier(walks)) {
      const page = await visit(root, '/admin/coupons', look)
      for (const path of paths) {
        if (path) await page.goto(`/admin/coupons${path}`)
        const found = {
          violations: await accessibilityViolations(page),
          overflows: await overflows(page),
          problems: problemsOf(page),
        }
        expect({ ...look, path, ...found }).toEqual({ ...look, path, violations: [], overflows: false, problems: [] })
      }
      await leave(page)
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
