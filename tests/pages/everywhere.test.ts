// @engine sqlite
/** What works on every page: palette, shortcuts, pickers, failed and slow requests, other tabs, newer versions. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { accessibilityViolations, PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { drawer, focusOn, hold, row } from '../support/browser/walks.ts'
import { ROOT, setUp, signIn, withTokens } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const TOKENS = '/app/tokens'
const LOGS = '/app/logs/api-usage'

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search and go to' })
const toastText = (page: Page) => page.locator('tollgate-toast p').last()

test(
  'the palette opens by key and by button, finds by keyboard, and closes to where it was opened',
  async () => {
    const page = await visit(await withTokens('laptop'), TOKENS)
    await page.getByRole('link', { name: 'Search or go to…' }).focus()
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.getByRole('option', { name: 'Wallet' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-palette'))
    await page.keyboard.press('Enter')
    await palette(page).fill('lapt')
    await page.getByRole('option', { name: 'laptop', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/edit=/)
    await drawer(page).waitFor()
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'single keys walk, tick, open, create, search and go, but not while one types or after they are switched off',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), TOKENS)
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    await press('j', 'j', 'x')
    await focusOn(page, 'laptop')
    expect(await page.getByRole('checkbox', { name: 'Select laptop' }).isChecked()).toBe(true)
    await press('k')
    await focusOn(page, 'server')
    await press('Enter')
    await drawer(page).waitFor()
    await press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await focusOn(page, 'server')
    await press('/')
    await focusOn(page, 'keyword')
    await press('c', 'j', 'x')
    expect(await page.getByRole('searchbox').inputValue()).toBe('cjx')
    await page.waitForURL(/keyword=cjx/)
    await page.getByRole('searchbox').fill('')
    await page.getByRole('searchbox').blur()
    await press('c')
    await page.waitForURL(/[?&]new$/)
    await drawer(page).waitFor()
    await press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Turn single keys off' }).click()
    await page.locator('html[data-shortcuts=false]').waitFor()
    await press('c', '?')
    expect(await page.locator('dialog:modal').count()).toBe(0)
    await page.goto('/palette/shortcuts')
    await page.getByRole('button', { name: 'Turn single keys on' }).click()
    await page.locator('html:not([data-shortcuts])').waitFor()
    await press('g', 'w')
    await page.waitForURL('**/app/wallet')
    await page.context().clearCookies({ name: 'shortcuts' })
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a click anywhere in a row opens it, and neither its checkbox nor a selection of text does',
  async () => {
    const page = await visit(await withTokens('laptop'), TOKENS)
    const state = page.getByRole('cell', { name: 'Enabled' })
    await page.getByRole('checkbox', { name: 'Select laptop' }).click()
    const box = (await state.boundingBox())!
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate(() => getSelection()?.toString().trim())).toContain('Enabled')
    expect(new URL(page.url()).search).toBe('')
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await page.getByRole('cell', { name: 'Never' }).first().click()
    await page.waitForURL(/edit=/)
    await drawer(page).waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a picker finds a channel by keyboard, keeps it in the address, and takes nothing else',
  async () => {
    const root = await setUp()
    const { id } = await makeChannel(root, { name: 'harbour-eu' })
    await makeChannel(root, { name: 'mirror-fra' })
    await write(root, { model_name: 'gpt-4o', channel: id })
    const page = await visit(root, LOGS)
    const field = page.getByRole('combobox', { name: 'Channel', exact: true })
    await field.click()
    await page.getByRole('option', { name: '#2 mirror-fra' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await field.fill('harb')
    await page.getByRole('option', { name: '#2 mirror-fra' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    expect(await field.getAttribute('aria-activedescendant')).toBe('pick-channel-list-0')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${LOGS}?channel=${id}`)
    await page.getByRole('link', { name: 'Clear', exact: true }).waitFor()
    expect([await field.inputValue(), await field.getAttribute('aria-expanded')]).toEqual([
      `#${id} harbour-eu`,
      'false',
    ])
    await field.fill('nothing of this name')
    await field.blur()
    expect(await field.inputValue()).toBe(`#${id} harbour-eu`)
    await field.fill('')
    await field.blur()
    await page.waitForURL(url => url.search === '')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a choice whose request fails goes back to its old value, and “Try again” makes it anew',
  async () => {
    const page = await visit(await setUp(), LOGS)
    const type = page.getByRole('combobox', { name: 'Type' })
    await page.route(`**${LOGS}?*`, route => route.abort())
    await type.selectOption('6')
    await toastText(page).filter({ hasText: 'Unable to connect to server' }).waitFor()
    expect(await type.inputValue()).toBe('')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(/type=6/)
    await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('[name=type]')?.value === '6')
    expect(await page.locator('tollgate-toast').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'while a form is on its way its button is busy and a bar lies over the dialog',
  async () => {
    const page = await visit(await withTokens(), `${TOKENS}?new`)
    const held = await hold(page, `**${TOKENS}*`, headers => headers['hx-request'] === 'true')
    const button = drawer(page).locator('[type=submit].btn-primary')
    await page.getByLabel('Name', { exact: true }).fill('laptop')
    await button.click()
    await held.requested
    await page.locator('#progress:popover-open').waitFor()
    expect(await button.getAttribute('aria-busy')).toBe('true')
    held.release()
    await row(page, 'laptop').waitFor()
    await page.locator('#progress:not(:popover-open)').waitFor({ state: 'attached' })
    expect(await page.locator('[aria-busy=true]').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'without a connection a banner says so until it is back',
  async () => {
    const page = await visit(await withTokens('laptop'), TOKENS)
    const banner = page.getByText('You are offline. What you see may be out of date')
    await page.context().setOffline(true)
    await banner.waitFor()
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'detached' })
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a newer version of the server is offered once, and the page reloads only when asked to',
  async () => {
    const page = await visit(await withTokens('laptop'), TOKENS)
    await page.route('**/app/tokens?*', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'tollgate-build': '/build/main-newer.js' } })
    })
    await page.evaluate(() => Object.assign(window, { isOld: true }))
    for (const text of ['lap', 'laptop']) {
      await page.getByRole('searchbox').fill(text)
      await page.waitForURL(new RegExp(`keyword=${text}$`))
    }
    await page.getByText('A new version is available').waitFor()
    expect(await page.locator('[data-banner]').count()).toBe(1)
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.waitForFunction(() => !('isOld' in window) && document.readyState === 'complete')
    expect(await page.locator('[data-banner]').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a sign-out empties the storage of the browser and leads the other tabs to the sign-in page',
  async () => {
    const page = await visit(await withTokens('laptop'), TOKENS)
    const other = await page.context().newPage()
    await other.goto(`${TOKENS}?keyword=lap`)
    const playground = await page.context().newPage()
    await playground.goto('/playground')
    await playground.waitForFunction(async () => (await indexedDB.databases()).length > 0)
    await page.evaluate(() => {
      localStorage.setItem('draft', 'private')
      sessionStorage.setItem('draft', 'private')
    })
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/login')
    await other.waitForURL(/\/login\?returnTo=%2Fapp%2Ftokens%3Fkeyword%3Dlap/)
    await playground.waitForURL('**/login?returnTo=%2Fplayground')
    await page.waitForFunction(async () => (await indexedDB.databases()).length === 0)
    const stored = await page.evaluate(() => [localStorage, sessionStorage].flatMap(storage => Object.entries(storage)))
    expect(stored).toEqual([['user', '']])
    await page.evaluate(() => localStorage.clear())
  },
  PAGE_TEST_TIMEOUT_MS,
)

/** Signs in in the window that the dialog opens, which it closes afterwards. */
async function signInBeside(page: Page) {
  const [beside] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Sign in' }).click()])
  await beside.getByLabel('Username').fill(ROOT.username)
  await beside.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await Promise.all([beside.waitForEvent('close'), beside.locator('form[action="/login"] [type=submit]').click()])
  await page.getByText('You are signed in again.').waitFor()
}

test(
  'a form outlives the end of its session: it is sent after a sign-in beside it, and nothing typed is stored',
  async () => {
    await setUp()
    const person = await signIn(ROOT.username, ROOT.password)
    const page = await visit(person, `${TOKENS}?new`)
    const name = page.getByLabel('Name', { exact: true })
    const send = () => drawer(page).locator('[type=submit].btn-primary').click()
    await name.fill('ended')
    await person.form('/logout')
    await send()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await name.inputValue()).toBe('ended')
    await signInBeside(page)
    await row(page, 'ended').waitFor()

    await page.goto(`${TOKENS}?new`)
    await name.fill('elsewhere')
    const { cookie } = await signIn(ROOT.username, ROOT.password)
    const [key, value] = [cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)]
    await page.context().addCookies([{ name: key, value, url: new URL(page.url()).origin }])
    await send()
    await row(page, 'elsewhere').waitFor()

    await page.goto(`${TOKENS}?new`)
    await name.fill('other tab')
    const other = await page.context().newPage()
    await other.goto('/app/me')
    await other.getByRole('button', { name: /^Account/ }).click()
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(stored).not.toContain('other tab')
    await other.close()
    await signInBeside(page)
    expect(await row(page, 'other tab').count()).toBe(0)
    await send()
    await row(page, 'other tab').waitFor()
    // The token of the earlier session.
    expect(problemsOf(page).filter(text => !text.includes('403'))).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
