// @engine sqlite
/** The users page in a browser, on every screen. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { drawerClosed, toast } from '../support/browser/walks.ts'
import { balance, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const ann = await visitor(Role.user, 500_000)
await ann.post('/api/token/', { name: 'laptop' })

test(
  'quota is added with the new balance in sight, and a user is promoted from the menu',
  async () => {
    const page = await visit(root, '/admin/users')
    await page.getByRole('link', { name: ann.username, exact: true }).click()
    await page.getByRole('link', { name: 'Add quota' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: '+$10', exact: true }).click()
    await drawer.getByText('$11.00').waitFor()
    await drawer.getByLabel('Amount to add').fill('-0.5')
    await drawer.getByText('$0.50').waitFor()
    await page.keyboard.press('Control+Enter')
    await drawerClosed(page)
    expect(await toast(page).textContent()).toBe(`The balance of ${ann.username} is $0.50 now`)
    expect(await balance(ann)).toBe(250_000)
    await page.getByRole('button', { name: `More for ${ann.username}` }).click()
    await page.getByRole('button', { name: 'Make admin' }).click()
    await page.getByText(`${ann.username} is an admin now`).waitFor()
    await page.getByRole('link', { name: ann.username, exact: true }).click()
    await drawer.getByRole('button', { name: `More for ${ann.username}` }).click()
    await drawer.getByRole('button', { name: 'Make ordinary user' }).click()
    await page.getByText(`${ann.username} is an ordinary user now`).waitFor()
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the users page passes axe and does not overflow on any screen',
  async () => {
    const { id } = ann
    const open = ['?new', `?edit=${id}`, `?quota=${id}`, `?ledger=${id}`, `?devices=${root.id}`, `?tokens=${id}`]
    const walks = [
      {
        paths: ['', ...open, `?delete=${id}`, `?regroup=${id}`],
        look: { screen: 'desktop', theme: 'gate', language: 'en' },
      },
      { paths: ['', `?edit=${id}`], look: { screen: 'tablet', theme: 'gate-night', language: 'zh' } },
      { paths: ['', ...open], look: { screen: 'phone', theme: 'gate-night', language: 'zh' } },
    ] as const
    for (const { paths, look } of looksInTier(walks)) {
      for (const path of paths) {
        const page = await visit(root, `/admin/users${path}`, look)
        const found = {
          violations: await accessibilityViolations(page),
          overflows: await overflows(page),
          problems: problemsOf(page),
        }
        expect({ ...look, path, ...found }).toEqual({ ...look, path, violations: [], overflows: false, problems: [] })
        await leave(page)
      }
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
