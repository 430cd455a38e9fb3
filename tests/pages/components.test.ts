// @engine sqlite
/** Drawer, toast, selection, menu and search on the token page, with and without JavaScript. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { accessibilityViolations, PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { drawer, drawerClosed, hasFocus } from '../support/browser/walks.ts'
import { withTokens } from '../support/people/person.ts'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id)

test(
  'a drawer has an address, takes the focus, and gives it back',
  async () => {
    const page = await visit(await withTokens('crawler'), '/app/tokens')
    await page.getByRole('link', { name: 'Create API key' }).click()
    await drawer(page).waitFor()
    expect(page.url()).toEndWith('/app/tokens?new')
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await drawerClosed(page)
    expect(page.url()).toEndWith('/app/tokens')
    expect(await focused(page)).toBe('Create API key')

    await page.goBack()
    await drawer(page).waitFor()
    await page.goForward()
    await drawerClosed(page)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'closing a drawer asks only when a value was changed',
  async () => {
    const page = await visit(await withTokens('crawler'), '/app/tokens?new')
    const ask = page.getByRole('dialog', { name: 'Discard your changes?' })
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('half-written')
    await page.keyboard.press('Escape')
    await ask.getByRole('button', { name: 'Keep editing' }).click()
    expect(await name.inputValue()).toBe('half-written')
    for (const closing of ['Close', 'Cancel']) {
      await drawer(page).getByRole('link', { name: closing }).click()
      await ask.getByRole('button', { name: 'Keep editing' }).click()
      expect(await name.inputValue()).toBe('half-written')
    }
    await page.mouse.click(200, 500)
    await ask.getByRole('button', { name: 'Discard' }).click()
    await drawerClosed(page)
    expect(page.url()).toEndWith('/app/tokens')
    await page.goto('/app/tokens?new')
    await name.waitFor()
    const views: string[] = []
    page.on('request', request => request.headers()['hx-request'] && views.push(new URL(request.url()).pathname))
    await drawer(page).getByRole('link', { name: 'Cancel' }).click()
    await drawerClosed(page)
    expect(views).toEqual(['/app/tokens'])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a refused form keeps its values and focuses its first error',
  async () => {
    const page = await visit(await withTokens(), '/app/tokens?new')
    await page.getByLabel('Name', { exact: true }).fill('night-batch')
    await page.getByRole('textbox', { name: 'Expires' }).fill('2026-13-01 00:00:00')
    await drawer(page).getByRole('button', { name: 'Create API key' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('night-batch')
    const expires = page.getByRole('textbox', { name: 'Expires' })
    expect(await hasFocus(expires)).toBe(true)
    const described = await expires.getAttribute('aria-describedby')
    expect(await page.locator(`#${described!.split(' ')[0]}`).textContent()).toContain('yyyy-MM-dd')

    await drawer(page).getByRole('button', { name: 'Never' }).click()
    expect(await expires.inputValue()).not.toBe('2026-13-01 00:00:00')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'many tokens are deleted after the sentence was typed, and a toast says so',
  async () => {
    const page = await visit(await withTokens('one', 'two', 'three', 'four', 'five', 'crawler (old)'), '/app/tokens')
    await page.getByLabel('Select all').check()
    await page.getByRole('form', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('6')
    await dialog.getByRole('button', { name: /Delete/ }).click()
    await dialog.getByText('Type “delete 6” to confirm').waitFor()
    await dialog.getByRole('textbox').fill('delete 6')
    await dialog.getByRole('button', { name: /Delete/ }).click()
    await drawerClosed(page)
    expect(await page.locator('#toasts').textContent()).toContain('Deleted 6 API keys')
    expect(await page.getByRole('row', { name: /crawler/ }).count()).toBe(0)
    expect(problemsOf(page).filter(problem => !problem.includes('422'))).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'ticked rows are counted, submitted together and cleared',
  async () => {
    const page = await visit(await withTokens('one', 'two', 'three'), '/app/tokens')
    const bar = page.getByRole('form', { name: 'Selection' })
    expect(await bar.isVisible()).toBe(false)
    await page.getByLabel('Select one').check()
    await page.getByLabel('Select two').check()
    expect(await bar.textContent()).toContain('2 selected')
    await page.getByLabel('Select all').check()
    expect(await bar.textContent()).toContain('3 selected')
    expect(await accessibilityViolations(page)).toEqual([])
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    expect(await page.locator('[name="ids[]"]:checked').count()).toBe(0)
    await page.getByLabel('Select one').check()
    await page.getByLabel('Select two').check()
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled 2 API keys').waitFor()
    expect(await page.getByRole('row', { name: /three/ }).textContent()).toContain('Enabled')
    expect(await page.getByRole('row', { name: /two/ }).textContent()).toContain('Disabled')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a search runs while typing, keeps the focus and a clean URL',
  async () => {
    const page = await visit(await withTokens('crawler', 'web-chat'), '/app/tokens')
    const search = page.getByRole('searchbox')
    await search.pressSequentially('web')
    await page.waitForURL('**/app/tokens?keyword=web')
    expect(await page.getByRole('row').filter({ hasText: 'crawler' }).count()).toBe(0)
    expect(await hasFocus(search)).toBe(true)
    await search.fill('')
    await page.waitForURL('**/app/tokens')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a lost connection shows one toast at a time, and typed values stay',
  async () => {
    const page = await visit(await withTokens(), '/app/tokens?new')
    await page.getByLabel('Name', { exact: true }).fill('kept')
    await page.context().setOffline(true)
    const create = drawer(page).getByRole('button', { name: 'Create API key' })
    const error = page.getByText('Unable to connect to server')
    await create.click()
    const first = await error.elementHandle()
    await create.click()
    await page.waitForFunction(paragraph => !paragraph?.isConnected, first)
    expect(await error.count()).toBe(1)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('kept')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'theme, language and sidebar change at once and stay',
  async () => {
    const page = await visit(await withTokens(), '/app/tokens')
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.locator('html[data-theme=gate-night]').waitFor()
    await page.getByRole('button', { name: 'Collapse' }).click()
    await page.locator('.frame.narrow').waitFor()
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('button', { name: '中文' }).click()
    await page.locator('html[lang=zh-CN][data-theme=gate-night] .frame.narrow').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('API 密钥')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the phone menu is a sheet, and a card opens its row without the keyboard',
  async () => {
    const page = await visit(await withTokens('crawler'), '/app/tokens', { screen: 'phone' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    expect(await menu.getByRole('link', { name: 'Usage log' }).isVisible()).toBe(true)
    await menu.getByRole('button', { name: 'Close menu' }).click()
    await page.evaluate(() => {
      window.matchMedia = media => ({ matches: media === '(pointer: coarse)' }) as MediaQueryList
    })
    const card = (await page.getByRole('row', { name: /crawler/ }).boundingBox())!
    await page.mouse.click(card.x + card.width - 60, card.y + card.height - 8)
    await drawer(page).waitFor()
    expect((await page.locator('.sheet:visible').boundingBox())!.width).toBe(390)
    await page.locator('dialog:modal:focus').waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a key is created and switched without JavaScript',
  async () => {
    const page = await visit(await withTokens('crawler'), '/app/tokens', { javascript: false })
    await page.getByRole('link', { name: 'Create API key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('by-hand')
    await page.locator('dialog').getByRole('button', { name: 'Create API key' }).click()
    await page.getByText('Created by-hand').waitFor()
    await page.goto('/app/tokens')
    expect(await page.getByRole('row', { name: /by-hand/ }).count()).toBe(1)
    await page.getByRole('button', { name: 'Disable crawler' }).click()
    await page.getByRole('button', { name: 'Enable crawler' }).waitFor()
    expect(await page.getByRole('row', { name: /crawler/ }).textContent()).toContain('Disabled')
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('button', { name: '中文' }).click()
    await page.locator('html[lang=zh-CN]').waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)
