// @engine sqlite
/** How the parts behave under a hand, on the token page: drawers, toasts, selection, menus, search, and all of it without JavaScript. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { withTokens } from '../support/people/person.ts'

const drawer = (page: Page) => page.locator('dialog:modal')
const closed = (page: Page) => page.locator('tollgate-drawer').waitFor({ state: 'detached' })
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
    await closed(page)
    expect(page.url()).toEndWith('/app/tokens')
    expect(await focused(page)).toBe('Create API key')

    await page.goBack()
    await drawer(page).waitFor()
    await page.goForward()
    await closed(page)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'leaving asks only when something was changed',
  async () => {
    const page = await visit(await withTokens('crawler'), '/app/tokens?new')
    const ask = page.getByRole('dialog', { name: 'Discard your changes?' })
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('half-written')
    await page.keyboard.press('Escape')
    await ask.getByRole('button', { name: 'Keep editing' }).click()
    expect(await name.inputValue()).toBe('half-written')
    await page.mouse.click(200, 500)
    await ask.getByRole('button', { name: 'Discard' }).click()
    await closed(page)
    expect(page.url()).toEndWith('/app/tokens')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a refused form comes back as it was typed, at its first error',
  async () => {
    const page = await visit(await withTokens(), '/app/tokens?new')
    await page.getByLabel('Name', { exact: true }).fill('night-batch')
    await page.getByRole('textbox', { name: 'Expires' }).fill('2026-13-01 00:00:00')
    await drawer(page).getByRole('button', { name: 'Create API key' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('night-batch')
    const expires = page.getByRole('textbox', { name: 'Expires' })
    expect(await expires.evaluate(input => input === document.activeElement)).toBe(true)
    const described = await expires.getAttribute('aria-describedby')
    expect(await page.locator(`#${described!.split(' ')[0]}`).textContent()).toContain('yyyy-MM-dd')

    await drawer(page).getByRole('button', { name: 'Never' }).click()
    expect(await expires.inputValue()).not.toBe('2026-13-01 00:00:00')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'something is deleted by naming it, and the list says so',
  async () => {
    const page = await visit(await withTokens('crawler (old)'), '/app/tokens')
    await page.getByRole('button', { name: 'More for crawler (old)' }).click()
    await page.getByRole('link', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('crawler')
    await dialog.getByRole('button', { name: /Delete/ }).click()
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('textbox').fill('crawler (old)')
    await dialog.getByRole('button', { name: /Delete/ }).click()
    await closed(page)
    expect(await page.locator('#toasts').textContent()).toContain('crawler (old)')
    expect(await page.getByRole('row', { name: /crawler/ }).count()).toBe(0)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'ticked rows are counted, all at once too, and sent together',
  async () => {
    const page = await visit(await withTokens('one', 'two', 'three'), '/app/tokens')
    const bar = page.getByRole('form', { name: 'Selection' })
    expect(await bar.isVisible()).toBe(false)
    await page.getByLabel('Select one').check()
    await page.getByLabel('Select two').check()
    expect(await bar.textContent()).toContain('2 selected')
    await page.getByLabel('Select all').check()
    expect(await bar.textContent()).toContain('3 selected')
    await page.getByLabel('Select three').uncheck()
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled 2 API keys').waitFor()
    expect(await page.getByRole('row', { name: /three/ }).textContent()).toContain('Enabled')
    expect(await page.getByRole('row', { name: /two/ }).textContent()).toContain('Disabled')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'search finds while one types, keeps the hand where it is, and leaves a clean address',
  async () => {
    const page = await visit(await withTokens('crawler', 'web-chat'), '/app/tokens')
    const search = page.getByRole('searchbox')
    await search.pressSequentially('web')
    await page.waitForURL('**/app/tokens?keyword=web')
    expect(await page.getByRole('row').filter({ hasText: 'crawler' }).count()).toBe(0)
    expect(await search.evaluate(input => input === document.activeElement)).toBe(true)
    await search.fill('')
    await page.waitForURL('**/app/tokens')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'without a connection one is told, not twice at a time, and nothing is lost',
  async () => {
    const page = await visit(await withTokens(), '/app/tokens?new')
    await page.getByLabel('Name', { exact: true }).fill('kept')
    await page.context().setOffline(true)
    const create = drawer(page).getByRole('button', { name: 'Create API key' })
    const told = page.getByText('Unable to connect to server')
    await create.click()
    const first = await told.elementHandle()
    await create.click()
    await page.waitForFunction(paragraph => !paragraph?.isConnected, first)
    expect(await told.count()).toBe(1)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('kept')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'theme, language and sider change at once and stay',
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
  'on a phone the menu is a sheet, and a card opens its row',
  async () => {
    const page = await visit(await withTokens('crawler'), '/app/tokens', { screen: 'phone' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    expect(await menu.getByRole('link', { name: 'Usage log' }).isVisible()).toBe(true)
    await menu.getByRole('button', { name: 'Close menu' }).click()
    const card = (await page.getByRole('row', { name: /crawler/ }).boundingBox())!
    await page.mouse.click(card.x + card.width - 60, card.y + card.height - 8)
    await drawer(page).waitFor()
    expect((await page.locator('.sheet:visible').boundingBox())!.width).toBe(390)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'without JavaScript everything is still there',
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
