// @engine sqlite
/** Navigation in the lists: history, tabs, focus, failed requests. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { drawer, focusOn, hasFocus, nameField, postsOf, row, toast } from '../support/browser/walks.ts'
import { visitor, withTokens } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const PATH = '/app/tokens'

test(
  'Back, Forward and reload keep the drawer, and the focus returns to its row',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.goBack()
    await drawer(page).waitFor({ state: 'detached' })
    await focusOn(page, 'laptop')
    await page.goForward()
    await drawer(page).waitFor()
    await page.reload()
    await focusOn(page, 'name')
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await focusOn(page, 'laptop')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'values typed into one drawer do not appear in the next',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await row(page, 'server').click()
    await nameField(page).fill('typed')
    await drawer(page).getByRole('combobox', { name: 'Models' }).fill('o3,')
    await drawer(page).getByRole('button', { name: 'Remove o3' }).waitFor()
    const laptop = String(await row(page, 'laptop').getAttribute('href'))
    await page.evaluate(() => history.go(-2))
    await page.waitForURL(`**${laptop}`)
    await page.getByRole('button', { name: 'Remove o3' }).waitFor({ state: 'detached' })
    expect(await nameField(page).inputValue()).toBe('laptop')
    expect(await drawer(page).locator('[name=model_limits]').inputValue()).toBe('')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the focus stays on a switch that was pressed by keyboard',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    await page.getByRole('button', { name: 'Disable laptop' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Enable laptop' }).waitFor()
    await focusOn(page, 'Enable laptop')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the latest of two requested drawers is shown',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/app/tokens?edit=*', async (route, request) => {
      if (request.url().endsWith(await row(page, 'laptop').getAttribute('href').then(String))) await promise
      await route.continue().catch(() => {})
    })
    await row(page, 'laptop').click()
    await row(page, 'server').click()
    await drawer(page).waitFor()
    resolve()
    expect(await nameField(page).inputValue()).toBe('server')
    expect(page.url()).toEndWith(String(await row(page, 'server').getAttribute('href')))
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a Ctrl click opens a link in a new tab',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      row(page, 'laptop').click({ modifiers: ['Control'] }),
    ])
    await tab.locator('dialog:modal').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await drawer(page).count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a proxy error or lost connection shows a toast, and typed values stay',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    await page.route('**/app/tokens?new*', route =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe('Unable to connect to server')
    expect(await page.getByText('Bad gateway').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('button', { name: 'Close' }).click()

    await page.unroute('**/app/tokens?new*')
    const hydrated = page.waitForResponse('**/api/user/models')
    await row(page, 'laptop').click()
    await nameField(page).fill('kept')
    await hydrated
    await page.context().setOffline(true)
    const lost = page.waitForEvent('requestfailed', request => request.method() === 'POST')
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await lost
    await toast(page).waitFor()
    await page.context().setOffline(false)
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved kept').waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a refused form focuses its first error, in an island too',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'wrong' })
    const page = await visit(admin, `/admin/channels?edit=${id}`)
    await drawer(page).getByRole('combobox', { name: 'Models' }).focus()
    await drawer(page)
      .getByRole('button', { name: /^Clear/ })
      .click()
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await drawer(page).getByText('at least one model').waitFor()
    await focusOn(page, 'field-models')
    expect(await nameField(page).inputValue()).toBe('wrong')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a search announces its result to screen readers',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    const announcement = page.locator('#announcement')
    await page.getByRole('searchbox').fill('lap')
    await announcement.getByText('1–1 of 1').waitFor({ state: 'attached' })
    await page.getByRole('searchbox').fill('nothing')
    await announcement.getByText('nothing').waitFor({ state: 'attached' })
    expect(await hasFocus(page.getByRole('searchbox'))).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a number in the list is saved once, by Enter or on blur',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'numbered' })
    const page = await visit(admin, '/admin/channels')
    const posts = postsOf(page)
    const priority = page.getByLabel('Priority of numbered')
    await priority.fill('12')
    await priority.press('Enter')
    await toast(page).waitFor()
    await focusOn(page, 'Priority of numbered')
    await page.getByLabel('Weight of numbered').fill('34')
    await page.keyboard.press('Tab')
    await until(async () => (await admin.get(`/api/channel/${id}`)).data.weight === 34)
    expect((await admin.get(`/api/channel/${id}`)).data.priority).toBe(12)
    expect(posts).toHaveLength(2)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'an expired session redirects to the sign-in with the way back',
  async () => {
    const page = await visit(await withTokens('laptop'), `${PATH}?keyword=lap`)
    await page.context().addCookies([{ name: 'session', value: 'over', url: new URL(page.url()).origin }])
    await page.getByRole('button', { name: 'Disable laptop' }).click()
    await page.waitForURL('**/login?*')
    expect(new URL(page.url()).searchParams.get('expired')).toBe('true')
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe(`${PATH}?keyword=lap`)
    await page.getByText('Your session has ended').waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)
