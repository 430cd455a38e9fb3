// @engine sqlite
// @tier long
/** The way of money in Chromium: from a code and an order through a call to the statement, and to another price. */
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { translator } from '../../src/locales/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { expectBillsComputable, resetPrices, setPrice } from '../support/app/prices.ts'
import {
  accessibilityViolations,
  leave,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { drawer, drawerClosed, hasFocus } from '../support/browser/walks.ts'
import { openShop, ordersOf, UNIT } from '../support/epay/shop.ts'
import { type Client, clientOf, MODEL } from '../support/people/client.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { newCode, newRow } from '../support/people/redemption-codes.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

/** A call of $0.75: 100,000 tokens of 1.25, and 50,000 of four times that. */
const usage = { prompt_tokens: 100_000, completion_tokens: 50_000 }

const root = await setUp()
const { merchant, order } = await openShop()

beforeAll(async () => {
  await served(chat({ usage }))
  await setOption('CheckInEnabled', true)
  await setOption('CheckInQuota', UNIT / 10)
})

/** Calls the model; the bill is in the log. */
async function spend(ann: Client) {
  const logged = (await logsOf(ann.person)).length
  expect((await ann.chat()).status).toBe(200)
  await until(async () => (await logsOf(ann.person)).length > logged)
}

const main = (page: Page) => page.locator('main')

/** Waits for texts of the page, in this order. */
async function reads(page: Page, ...texts: string[]) {
  const inOrder = new RegExp(texts.map(text => text.replace(/[$+.*?()]/g, '\\$&')).join('[\\s\\S]*'))
  await main(page).filter({ hasText: inOrder }).waitFor()
}

/** Types a model into the filter of the log, where it applies, and switches to live. @returns the rows */
async function watchLog(page: Page) {
  await page.goto('/app/logs/api-usage')
  const model = main(page).getByRole('combobox', { name: 'Model' })
  await model.pressSequentially(MODEL)
  await page.waitForURL(`**?model_name=${MODEL}`)
  expect([await model.inputValue(), await hasFocus(model)]).toEqual([MODEL, true])
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByRole('button', { name: 'Live', pressed: true }).waitFor()
  return main(page).getByRole('link', { name: `receipt of ${MODEL}` })
}

/** @returns the first of the new codes */
async function makeCodes(office: Page): Promise<string> {
  const sheet = drawer(office)
  await office.getByRole('link', { name: 'Create codes' }).first().click()
  await sheet.getByLabel('Name').fill('journey')
  await sheet.getByRole('button', { name: '$10', exact: true }).click()
  await sheet.getByLabel('How many').fill('2')
  await sheet.getByRole('button', { name: 'Create codes' }).click()
  await office.getByRole('heading', { name: 'Created 2 codes' }).waitFor()
  const codes = await sheet.getByLabel('Codes', { exact: true }).inputValue()
  await sheet.getByRole('link', { name: 'Done' }).click()
  await drawerClosed(office)
  return codes.split('\n')[0]!
}

async function redeemAndPay(page: Page, code: string) {
  await page.getByLabel('Redemption code').fill(code)
  await page.getByRole('button', { name: 'Redeem' }).click()
  await page.getByText('$10.00 was added to your balance').waitFor()
  await page.getByLabel('Amount').fill('20')
  await page.getByText('WeChat Pay').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Pay ¥146.00' }).click()
  await page.getByRole('link', { name: 'Pay', exact: true }).click()
  await page.getByText('$20.00 was added to your balance').waitFor()
}

async function doublePrice(office: Page) {
  await office.goto(`/admin/settings?tab=operation&edit=${MODEL}`)
  await drawer(office).locator('[name=mode][value=ratio]').check()
  await drawer(office).locator('[name=model_ratio]').fill('2.5')
  await drawer(office).getByRole('button', { name: 'Simulate' }).click()
  await drawer(office).locator('.simulation').getByText('+$0.75').first().waitFor()
  await drawer(office).getByRole('button', { name: 'Save' }).click()
  await drawerClosed(office)
}

test(
  'money of a code and an order goes through calls to dashboard, receipt and statement, at old and new prices',
  async () => {
    await setPrice('ModelRatio', { [MODEL]: 1.25 })
    const person = await visitor()
    const ann = await clientOf(person)
    const office = await visit(root, '/admin/coupons')
    const page = await visit(person, '/app/wallet')

    await redeemAndPay(page, await makeCodes(office))
    await spend(ann)
    await page.goto('/app/dashboard')
    await reads(page, '$29.25', '$0.75', MODEL)
    await page.goto('/app/logs/api-usage')
    await main(page)
      .getByRole('link', { name: `receipt of ${MODEL}` })
      .first()
      .click()
    await reads(page, 'Input', '100,000', '0.250000', 'Output', '50,000', '0.500000', 'Total', '$0.750000')
    await page.goto('/app/statement')
    await reads(page, '$29.25', 'Usage', '1 call', '+$20.00', '+$10.00')

    const receipts = await watchLog(page)
    await doublePrice(office)
    await spend(ann)
    expect(await balance(person)).toBe(27.75 * UNIT)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await main(page).getByRole('link', { name: '1 new' }).waitFor()
    expect(await receipts.count()).toBe(1)
    await main(page).getByRole('link', { name: '1 new' }).click()
    await receipts.nth(1).waitFor()
    await page.goto('/app/statement')
    await reads(page, '$27.75', '2 calls')
    await office.goto(`/admin/orders?username=${person.username}`)
    await reads(office, person.username, 'Paid', '$20.00', '¥146.00')

    expect((await auditWallets()).difference).toBeUndefined()
    await expectBillsComputable(2)
    expect([page, office].flatMap(problemsOf)).toEqual([])
    await resetPrices()
  },
  PAGE_TEST_TIMEOUT_MS,
)

/** Ann has a receipt of each kind. @returns her pages, and those of root */
async function stations(): Promise<[Person, string[]][]> {
  const person = await visitor(Role.user, 10 * UNIT)
  await merchant.call(await order(person, 50))
  await order(person, 20)
  await spend(await clientOf(person))
  const [paid] = await ordersOf(person)
  const [entry] = await logsOf(person)
  const { id } = await newRow({ name: 'journey', quota: UNIT })
  return [
    [
      person,
      [
        `/app/wallet?order=${paid!.id}`,
        '/app/me',
        '/app/me?tab=rewards',
        '/app/dashboard',
        `/app/logs/api-usage?open=${entry.id}`,
        '/app/statement',
        '/pricing',
      ],
    ],
    [root, [`/admin/coupons?codes=${id}`, `/admin/settings?tab=operation&edit=${MODEL}`]],
  ]
}

/** A text that is missing, or that is not filled in. */
const UNWRITTEN = /\{\{|\bundefined\b|\bNaN\b|\[object /

/** Overflows are measured in both widths; axe, which takes longer, runs in the first. */
async function lookAt(page: Page, widths: readonly number[]) {
  const overflowing: number[] = []
  const violations = await accessibilityViolations(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    if (await overflows(page)) overflowing.push(width)
  }
  const isUnwritten = UNWRITTEN.test(await page.locator('body').innerText())
  return { violations, overflowing, isUnwritten, problems: problemsOf(page) }
}

test.each([
  { language: 'en', theme: 'gate-night', screen: 'phone', widths: [390, 1440] },
  { language: 'zh', theme: 'gate', screen: 'desktop', widths: [1440, 390] },
] as const)(
  'the pages of money have no barrier, no sideways scroll and no missing text: $language, $theme, $screen',
  async ({ widths, ...look }) => {
    for (const [person, [first = '', ...others]] of await stations()) {
      const page = await visit(person, first, look)
      for (const path of [first, ...others]) {
        if (path !== first) await page.goto(path)
        const clean = { violations: [], overflowing: [], isUnwritten: false, problems: [] }
        expect({ path, ...(await lookAt(page, widths)) }).toEqual({ path, ...clean })
        await page.setViewportSize({ width: widths[0], height: 900 })
      }
      await leave(page)
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'codes, top-up, check-in, prices and statement work without JavaScript',
  async () => {
    const t = translator('zh')
    const person = await visitor()
    const code = await newCode({ name: 'slip', quota: UNIT })
    const look = { language: 'zh', screen: 'phone', javascript: false } as const
    const page = await visit(person, `/app/wallet?code=${code}`, look)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press(t('payment.redeem_do'))
    await page.getByText(t('payment.added', { quota: '$1.00' })).waitFor()
    await page.getByLabel(t('payment.amount'), { exact: true }).fill('3')
    await press(t('payment.go_on'))
    // In the confirmation, then on the page that leads to the gateway.
    await press(t('payment.pay_sum', { sum: '¥21.90' }))
    await press(t('payment.pay_sum', { sum: '¥21.90' }))
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await page.getByText(t('payment.added', { quota: '$3.00' })).waitFor()
    await page.goto('/app/me?tab=rewards')
    await press(t('reward.check_in_now'))
    await page.getByText(t('reward.checked_in_today')).waitFor()
    await page.goto('/pricing')
    await reads(page, MODEL)
    await page.goto('/app/statement')
    await reads(page, '$4.10', '+$3.00', '+$1.00')
    await leave(page)

    const office = await visit(root, `/admin/settings?tab=operation&edit=${MODEL}`, { ...look, screen: 'desktop' })
    await office.locator('[name=mode][value=ratio]').check()
    await office.locator('[name=model_ratio]').fill('3')
    await office.getByRole('button', { name: t('pricing.simulate') }).click()
    await office.locator('.simulation').waitFor()
    await office.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await office.getByText(t('pricing.model_saved', { name: MODEL })).waitFor()
    await resetPrices()
  },
  PAGE_TEST_TIMEOUT_MS,
)
