// @engine sqlite
/** The statement page in Chromium. */
import { beforeAll, expect, test } from 'bun:test'
import { monthAfter, monthOf } from '../../src/pure/month.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { setUp } from '../support/people/person.ts'
import { type SpendingUser, spend, spendingUser } from '../support/people/spending-user.ts'

let ann: SpendingUser

beforeAll(async () => {
  const root = await setUp()
  ann = await spendingUser(5_000_000)
  await spend(ann, 1_234_567)
  const remark = 'A rather long remark about the outage of last week'
  await root.post('/api/topup', { user_id: ann.person.id, quota: 250_000, remark })
})

/** How many chips each line has, and how many lines a balance at an end of the month takes. */
function phoneLines() {
  const topsOf = (selector: string) =>
    Array.from(document.querySelectorAll(selector), element => Math.round(element.getBoundingClientRect().bottom))
  const linesOf = (selector: string) => Map.groupBy(topsOf(selector), top => top)
  return {
    chips: Array.from(linesOf('.chip').values(), chips => chips.length),
    end: linesOf('.statement tr.end:first-child > :is(.card-title, .card-side)').size,
  }
}

for (const [screen, theme, language] of looksInTier([
  ['desktop', 'gate', 'en'],
  ['phone', 'gate-night', 'zh'],
] as const))
  test(
    `statement page: no barrier on ${screen} in ${theme}, ${language}`,
    async () => {
      const page = await visit(ann.person, '/app/statement', { screen, theme, language })
      await page.locator('.statement tbody tr').nth(3).waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      if (screen === 'phone') expect(await page.evaluate(phoneLines)).toEqual({ chips: [2, 2], end: 1 })
      expect(problemsOf(page)).toEqual([])
    },
    PAGE_TEST_TIMEOUT_MS,
  )

test(
  'statement page: filters and months change the address, and the printed month has its balances and its holder',
  async () => {
    const month = monthOf(Date.now() / 1000)
    const page = await visit(ann.person, '/app/statement')
    await page.getByLabel('What', { exact: true }).first().selectOption('usage')
    await page.waitForURL(`**/app/statement?kind=usage&month=${month}`)
    await page.locator('.month-steps a').click()
    await page.waitForURL(`**/app/statement?month=${monthAfter(month, -1)}&kind=usage`)
    await page.goto('/app/statement')
    await page.emulateMedia({ media: 'print' })
    const shown = (text: string) => page.getByText(text).filter({ visible: true }).count()
    expect(await shown(`Statement of ${ann.person.username}`)).toBe(1)
    expect([await shown('Opening balance'), await shown('Closing balance')]).toEqual([2, 2])
    expect(await page.locator('.sentence, .month-steps, .page-head .btn').filter({ visible: true }).count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)
