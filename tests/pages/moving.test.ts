// @engine sqlite
/** Moving about in the working tables: quickly, back and forth, into new tabs, and while the server is away. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { visitor, withTokens } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const PATH = '/app/tokens'

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
const drawer = (page: Page) => page.locator('dialog:modal')
const toast = (page: Page) => page.locator('tollgate-toast').last().locator('p').first()

/** Waits until the keyboard is where this says. */
const focusOn = (page: Page, text: string) =>
  page.waitForFunction(wanted => {
    const { activeElement: at } = document
    return [at?.textContent?.trim(), at?.getAttribute('aria-label'), at?.getAttribute('name')].includes(wanted)
  }, text)

test(
  'back, forward and reload with a drawer open, and the keyboard is back at the row',
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
  'what was typed into one drawer does not stand in the next',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await row(page, 'server').click()
    await drawer(page).getByLabel('Name', { exact: true }).fill('typed')
    await drawer(page).getByRole('combobox', { name: 'Models' }).fill('o3,')
    await drawer(page).getByRole('button', { name: 'Remove o3' }).waitFor()
    const laptop = String(await row(page, 'laptop').getAttribute('href'))
    await page.evaluate(() => history.go(-2))
    await page.waitForURL(`**${laptop}`)
    await page.getByRole('button', { name: 'Remove o3' }).waitFor({ state: 'detached' })
    expect(await drawer(page).getByLabel('Name', { exact: true }).inputValue()).toBe('laptop')
    expect(await drawer(page).locator('[name=model_limits]').inputValue()).toBe('')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a double click does a thing once, and the keyboard stays at its button',
  async () => {
    const ann = await withTokens('laptop')
    const page = await visit(ann, PATH)
    await page.getByRole('button', { name: 'Disable laptop' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Enable laptop' }).waitFor()
    await focusOn(page, 'Enable laptop')

    await page.getByRole('link', { name: 'Create API key' }).first().dblclick()
    await drawer(page).getByLabel('Name', { exact: true }).fill('once')
    await drawer(page).getByRole('button', { name: 'Create API key' }).dblclick()
    await page.getByText('Created once').waitFor()
    const { data } = await ann.get('/api/token/?size=100')
    expect(data.filter((token: { name: string }) => token.name === 'once')).toHaveLength(1)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'of several views that were asked for the last one is shown',
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
    expect(await drawer(page).getByLabel('Name', { exact: true }).inputValue()).toBe('server')
    expect(page.url()).toEndWith(String(await row(page, 'server').getAttribute('href')))
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'with Ctrl a link opens in a tab of its own',
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
  'a server that is gone, or a proxy that answers for it, is told and nothing is lost',
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
    const awake = page.waitForResponse('**/api/user/models')
    await row(page, 'laptop').click()
    await drawer(page).getByLabel('Name', { exact: true }).fill('kept')
    await awake
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
  'a form that comes back has the keyboard at its first wrong field, wherever that is drawn',
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
    await page.waitForFunction(() => document.activeElement?.id === 'field-models')
    expect(await drawer(page).getByLabel('Name', { exact: true }).inputValue()).toBe('wrong')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'what a search has found is said to those who do not see the list change',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    const said = page.locator('#announcement')
    await page.getByRole('searchbox').fill('lap')
    await said.getByText('1–1 of 1').waitFor({ state: 'attached' })
    await page.getByRole('searchbox').fill('nothing')
    await said.getByText('nothing').waitFor({ state: 'attached' })
    expect(await page.getByRole('searchbox').evaluate(field => field === document.activeElement)).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a number in the list is saved once, by Enter or by leaving it',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'numbered' })
    const page = await visit(admin, '/admin/channels')
    const saved: string[] = []
    page.on('request', request => request.method() === 'POST' && saved.push(String(request.postData())))
    const priority = page.getByLabel('Priority of numbered')
    await priority.fill('12')
    await priority.press('Enter')
    await toast(page).waitFor()
    await focusOn(page, 'Priority of numbered')
    await page.getByLabel('Weight of numbered').fill('34')
    await page.keyboard.press('Tab')
    await until(async () => (await admin.get(`/api/channel/${id}`)).data.weight === 34)
    expect((await admin.get(`/api/channel/${id}`)).data.priority).toBe(12)
    expect(saved).toHaveLength(2)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a session that ends in the middle leads to sign-in, and from there back to the page',
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
