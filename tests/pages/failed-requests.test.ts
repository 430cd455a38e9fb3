// @engine sqlite
// @tier long
/** What the browser itself says of a failed request or a refused clipboard, in both languages. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { translate } from '../../src/locales/index.ts'
import { languageCodes } from '../../src/locales/languages.ts'
import { accessibilityViolations, PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { hasFocus } from '../support/browser/walks.ts'
import { withTokens } from '../support/people/person.ts'

const PATH = '/app/tokens'

const toast = (page: Page) => page.locator('tollgate-toast p')

const failures = [
  [429, 'ui.too_many'],
  [500, 'ui.server_error'],
  [405, 'ui.demo_only'],
  [502, 'ui.unreachable'],
] as const

test.each(languageCodes)(
  'a failed request of the page or of an island has its toast, and another status its number (%s)',
  async language => {
    const page = await visit(await withTokens('laptop'), PATH, { language })
    const link = page.getByRole('link', { name: translate(language, 'token.create') }).first()
    let status = 0
    await page.route('**/app/tokens?new*', route => route.fulfill({ status, contentType: 'text/html', body: 'no' }))
    const sentences: [status: number, text: string][] = [
      ...failures.map(([status, key]): [number, string] => [status, translate(language, key)]),
      [418, translate(language, 'ui.other_error', { message: '418' })],
    ]
    for (const [failing, text] of sentences) {
      status = failing
      await link.click()
      await toast(page).filter({ hasText: text }).waitFor()
      expect(new URL(page.url()).search).toBe('')
    }

    await page.unroute('**/app/tokens?new*')
    const limited = JSON.stringify({ success: false, message: 'of the server', data: { retry_after: 5 } })
    await page.route('**/api/user/models', route =>
      route.fulfill({ status: 429, contentType: 'application/json', body: limited }),
    )
    await page.goto(PATH)
    await link.click()
    await toast(page)
      .filter({ hasText: translate(language, 'ui.too_many') })
      .waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(languageCodes)(
  'a text that cannot be copied is shown to be copied by hand (%s)',
  async language => {
    const page = await visit(await withTokens('laptop'), PATH, { language })
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    })
    const button = page.getByRole('button', { name: translate(language, 'token.copy_key_of', { name: 'laptop' }) })
    await button.click()
    const dialog = page.getByRole('dialog', { name: translate(language, 'ui.copy_by_hand') })
    const key = dialog.getByRole('textbox')
    expect(await key.inputValue()).toStartWith('sk-')
    const selected = await key.evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    )
    expect(selected).toBe(await key.inputValue())
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await hasFocus(button)).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)
