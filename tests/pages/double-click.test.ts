// @engine sqlite
// @tier long
/** Double clicks, repeated submits and late responses in the token and channel lists. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { doubleClick, drawer, focusOn, hasFocus, hold, nameField, postsOf, row } from '../support/browser/walks.ts'
import { visitor, withTokens } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const PATH = '/app/tokens'
const AN_HOUR_MS = 3_600_000

const toastWith = (page: Page, text: string) => page.locator('tollgate-toast').getByText(text, { exact: true })

test(
  'a double click sends one request: for a drawer, a new key, a switch',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    const posts = postsOf(page)
    await doubleClick(page, row(page, 'laptop'), () => drawer(page).waitFor())
    await nameField(page).fill('desk')
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await toastWith(page, 'Saved desk').waitFor()

    await page.getByRole('link', { name: 'Create API key' }).click()
    await nameField(page).fill('once')
    const made = page.getByText('Created once')
    await doubleClick(page, drawer(page).getByRole('button', { name: 'Create API key' }), () => made.waitFor())
    await page.getByRole('link', { name: 'Done' }).click()
    await made.waitFor({ state: 'detached' })

    const enable = page.getByRole('button', { name: 'Enable desk' })
    await doubleClick(page, page.getByRole('button', { name: 'Disable desk' }), () => enable.waitFor())
    await enable.click()
    await page.getByRole('button', { name: 'Disable desk' }).click()
    await enable.waitFor()
    expect(posts).toHaveLength(5)
    expect(await toastWith(page, 'Disabled desk').count()).toBe(1)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a pending form is not submitted again by button or key',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    const posts = postsOf(page)
    const saving = await hold(page, '**/app/tokens/*', headers => headers['content-type'] !== undefined)
    await row(page, 'laptop').click()
    await nameField(page).fill('desk')
    await page.keyboard.press('Control+Enter')
    await saving.requested
    expect(await drawer(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await drawer(page).getByRole('button', { name: 'Disable' }).isDisabled()).toBe(false)
    await page.keyboard.press('Control+Enter')
    saving.release()
    await toastWith(page, 'Saved desk').waitFor()

    const switching = await hold(page, '**/disable')
    await row(page, 'desk').click()
    const disable = drawer(page).getByRole('button', { name: 'Disable' })
    await disable.focus()
    await page.keyboard.press('Enter')
    await switching.requested
    await page.keyboard.press('Enter')
    switching.release()
    await page.getByRole('button', { name: 'Enable desk' }).click()
    await toastWith(page, 'Enabled desk').waitFor()
    expect(posts).toHaveLength(3)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a number that changes during its own save ends at the last value',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'numbered' })
    const page = await visit(admin, '/admin/channels')
    const first = await hold(page, '**/routing')
    await page.getByLabel('Priority of numbered').focus()
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowUp')
    first.release()
    await until(async () => (await admin.get(`/api/channel/${id}`)).data.priority === 5)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a late response shows its toast and leaves the open drawer as typed',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    const switching = await hold(page, '**/disable')
    await page.getByRole('button', { name: 'Disable laptop' }).click()
    await switching.requested
    await row(page, 'server').click()
    await nameField(page).fill('begun')
    switching.release()
    await toastWith(page, 'Disabled laptop').waitFor()
    expect(await nameField(page).inputValue()).toBe('begun')
    expect(page.url()).toContain('edit=')

    await page.unroute('**/disable')
    await page.goto(PATH)
    const enabling = await hold(page, '**/enable')
    await page.getByRole('button', { name: 'Enable laptop' }).click()
    await enabling.requested
    await page.getByRole('searchbox').fill('lap')
    await page.waitForURL('**/app/tokens?keyword=lap')
    enabling.release()
    await page.getByRole('button', { name: 'Disable laptop' }).waitFor()
    expect(new URL(page.url()).search).toBe('?keyword=lap')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a debounced search does not close a drawer that was opened meanwhile',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH, { isolated: true })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + AN_HOUR_MS)
    await page.evaluate(() => {
      // The fake clock stamps an event on the first read of `timeStamp`.
      for (const name of ['input', 'click'])
        document.addEventListener(name, event => event.timeStamp, { capture: true })
    })
    const searches: string[] = []
    page.on('request', request => searches.push(new URL(request.url()).search))
    await page.getByRole('searchbox').fill('lap')
    await page.clock.runFor(100)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.clock.runFor(1000)
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    expect(searches).not.toContain('?keyword=lap')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a late Back response does not replace the drawer that was opened since',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    const back = await hold(page, '**/app/tokens?edit=*', headers => 'hx-history-restore-request' in headers)
    await page.evaluate(() => history.back())
    await back.requested
    const opened = String(await row(page, 'server').getAttribute('href'))
    await row(page, 'server').click()
    await drawer(page).waitFor()
    const late = page.waitForResponse(response => 'hx-history-restore-request' in response.request().headers())
    back.release()
    await (await late).finished()
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve)))
    expect(await nameField(page).inputValue()).toBe('server')
    expect(page.url()).toEndWith(opened)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'Esc asks before it discards changes, however often it is pressed',
  async () => {
    const page = await visit(await withTokens(), `${PATH}?new`)
    const ask = page.getByRole('dialog', { name: 'Discard your changes?' })
    await nameField(page).fill('typed')
    await drawer(page).getByRole('heading', { name: 'Create API key' }).click()
    for (const state of ['visible', 'hidden', 'visible', 'hidden'] as const) {
      await page.keyboard.press('Escape')
      await ask.waitFor({ state })
    }
    expect(await nameField(page).inputValue()).toBe('typed')
  },
  PAGE_TEST_TIMEOUT_MS,
)

/** Triggers the polling of the first steps. */
const poll = (page: Page) =>
  page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    document.addEventListener('htmx:finally:request', () => setTimeout(resolve), { once: true })
    document.getElementById('first-steps')!.dispatchEvent(new CustomEvent('every'))
    await promise
  })

test(
  'polling neither moves the focus nor shows errors',
  async () => {
    const page = await visit(await visitor(Role.admin), PATH)
    await page.context().setOffline(true)
    await poll(page)
    expect(await page.locator('tollgate-toast').count()).toBe(0)
    await page.context().setOffline(false)

    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await drawer(page).getByRole('textbox', { name: 'Expires' }).fill('tomorrow')
    await nameField(page).fill('mine')
    await page.keyboard.press('Control+Enter')
    await drawer(page).getByText('Expiry time format error').waitFor()
    await focusOn(page, 'field-expired_time')
    await nameField(page).focus()
    await poll(page)
    expect(await hasFocus(nameField(page))).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the focus stays on the switch of a channel key',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'keyed', key: 'sk-first-key-1111,sk-other-key-2222' })
    const page = await visit(admin, `/admin/channels?edit=${id}`)
    const other = page.getByRole('button', { name: /able sk-o/ })
    await other.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Disabled manually').waitFor()
    await focusOn(page, 'turn')
    expect(await hasFocus(other)).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)
