/** What brings a screen into the state that is pictured. */
import type { Page } from 'playwright'
import { providerOf } from '../../src/providers/index.ts'
import { sendMessage } from '../support/browser/walks.ts'
import { channel, fileOf, peopled } from '../support/moving-in/house.ts'

export async function openKey(page: Page) {
  const edit = await page.getByRole('link', { name: 'laptop', exact: true }).first().getAttribute('href')
  await page.goto(edit!.replace('edit=', 'keys='))
  await page.locator(':focus').blur()
}

/** The drawer of a key with budgets. */
export async function openBudgets(page: Page) {
  await page.goto((await page.getByRole('link', { name: 'laptop', exact: true }).first().getAttribute('href'))!)
  await showBudgets(page)
}

/** The budgets of an open drawer. */
export async function showBudgets(page: Page) {
  await page.locator(':focus').blur()
  await page.locator('.budget-list').evaluate(list => list.scrollIntoView({ block: 'center' }))
}

/** The bill of a call of the demo's month, not of one that another picture has made. */
export async function openReceipt(page: Page) {
  const row = page.locator('tbody tr', { hasText: 'claude-opus-4-8' }).first()
  await row.locator('a[href*="open="]:visible').first().click()
  await page.locator('.receipt').scrollIntoViewIfNeeded()
  await page.mouse.move(0, 0)
}

/** The file of another gateway, up to its report. */
export async function sendDatabase(page: Page) {
  const path = fileOf('new-api', peopled('new-api', [channel(3, 1), channel(4, 49), channel(5, 57)]))
  await page.locator('input[type=file]').setInputFiles(path)
  await page.locator('main form button[type=submit]').click()
  await page.waitForURL(/\/setup\/import\/\w{32}$/)
}

const LOOK_EVERY_MS = 1000
const LOOKS_MAX = 60

/** A call of the demo's traffic, which may be to come. Those of its month were never made and have no page. */
export async function openCall(page: Page) {
  const call = page.locator('main a[href*="/calls/"]').first()
  const list = page.url()
  for (let look = 1; look <= LOOKS_MAX; look++) {
    await page.locator('tbody tr a[href*="open="]:visible').first().click()
    await page.locator('.log-detail').waitFor()
    if (await call.count()) break
    await page.waitForTimeout(LOOK_EVERY_MS)
    await page.goto(list)
  }
  await call.click()
  await page.locator('.waterfall').waitFor()
}

export async function openOrder(page: Page) {
  await page.goto((await page.locator('main a[href*="order="]').first().getAttribute('href'))!)
}

export async function openMessage(page: Page) {
  await page.goto((await page.locator('main a[href*="/inbox/"]').first().getAttribute('href'))!)
}

/** Of the demo's user, the second account. */
export const openStatement = async (page: Page) => void (await page.goto('/admin/users/2/statement'))

/** A conversation of one question. */
export async function ask(page: Page) {
  await sendMessage(page, 'What does this gateway do?')
  await page.locator('button.answer-line').first().waitFor()
}

const actions: Record<string, string> = { Imagine: '绘图', Song: '歌曲' }

/** A task of this kind whose upstream has finished it. */
const done = (page: Page, action: string) =>
  page
    .locator('main tbody tr')
    .filter({ hasText: /Succeeded|成功/ })
    .getByRole('link', { name: new RegExp(`^(${action}|${actions[action]})$`) })
    .first()

export const finished = (page: Page, action: string) => done(page, action).waitFor()

export async function openTask(page: Page, action: string) {
  await done(page, action).click()
  await page.locator('dialog img').first().waitFor()
}

export async function chooseType(page: Page, type: number) {
  const drawer = page.getByRole('dialog')
  const { label } = providerOf(type)!
  await drawer.getByRole('searchbox').first().fill(label)
  await drawer.locator(`input[type=radio][value="${type}"]`).check()
  await drawer.getByRole('searchbox').first().fill('')
  await drawer.locator('[name=name]').evaluate(field => field.closest('.field')!.scrollIntoView())
}
