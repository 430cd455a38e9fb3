// @engine sqlite
/** The wallet in Chromium: to the gateway and back, and on every screen. */
import { beforeAll, expect, test } from 'bun:test'
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
import { openShop, ordersOf, UNIT } from '../support/epay/shop.ts'
import { balance, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const { merchant, order } = await openShop()
const ann = await visitor(Role.user, UNIT)

beforeAll(async () => {
  await merchant.call(await order(ann, 50))
  await merchant.call(await order(ann, 10), { changes: { money: '0.01' } })
})

test(
  'the wallet shows the sum while typing, leads through the gateway, and shows the receipt by itself',
  async () => {
    const ben = await visitor()
    const page = await visit(ben, '/app/wallet')
    await page.getByLabel('Amount').fill('12')
    expect(await page.locator('tollgate-payable').innerText()).toBe('To pay ¥87.60 for $12.00')
    await page.getByLabel('Amount').fill('0')
    expect(await page.locator('tollgate-payable').innerText()).toBe('To pay — for —')
    await page.getByRole('button', { name: '$10', exact: true }).click()
    await page.getByText('WeChat Pay').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Pay ¥73.00' }).click()
    // The form submits itself; the cashier is at another origin.
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.getByText('Waiting for the payment').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const [row] = await ordersOf(ben)
    await fetch(`${merchant.url}/paid?out_trade_no=${row!.trade_no}`, { redirect: 'manual' })
    await page.getByText('$10.00 was added to your balance').waitFor()
    expect(await page.locator('#wallet-figures').innerText()).toContain('$10.00')
    expect(await page.locator('.receipt').innerText()).toContain(row!.trade_no)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'without JavaScript the wallet redeems, tops up, and comes back with the receipt',
  async () => {
    const ben = await visitor()
    const { data } = await root.post('/api/redemption/', { name: 'slip', quota: UNIT, count: 1 })
    const page = await visit(ben, `/app/wallet?code=${data[0].key ?? data[0]}`, { javascript: false })
    await page.getByRole('button', { name: 'Redeem' }).click()
    await page.getByText('$1.00 was added to your balance').waitFor()
    await page.getByLabel('Amount').fill('3')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Pay ¥21.90' }).click()
    await page.getByRole('button', { name: 'Pay ¥21.90' }).click()
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await page.getByText('$3.00 was added to your balance').waitFor()
    expect(await balance(ben)).toBe(4 * UNIT)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the pages of money pass axe and do not overflow on any screen',
  async () => {
    const [paid, waiting] = await ordersOf(ann)
    const walks = [
      {
        own: ['', '?amount=10&confirm=1', `?order=${paid!.id}`],
        all: [`?open=${paid!.id}`, '/stray?credit=1'],
        look: { screen: 'desktop', theme: 'gate', language: 'en' },
      },
      {
        own: ['?code=slip', `?order=${waiting!.id}`],
        all: ['', '/stray'],
        look: { screen: 'phone', theme: 'gate-night', language: 'zh' },
      },
    ] as const
    for (const { own, all, look } of looksInTier(walks)) {
      const visits = [
        ...own.map(path => [ann, `/app/wallet${path}`]),
        ...all.map(path => [root, `/admin/orders${path}`]),
      ]
      for (const [person, path] of visits as [typeof ann, string][]) {
        const page = await visit(person, path, look)
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
