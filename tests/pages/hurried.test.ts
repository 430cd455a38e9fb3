// @engine sqlite
/** Hands that are faster than the server: what is done twice is meant once, and what comes late takes nobody away. */
import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { visitor, withTokens } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const PATH = '/app/tokens'
const AN_HOUR_MS = 3_600_000

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const drawer = (page: Page) => page.locator('dialog:modal')
const nameIn = (page: Page) => drawer(page).getByLabel('Name', { exact: true })
const told = (page: Page, text: string) => page.locator('tollgate-toast').getByText(text, { exact: true })

/** The forms that the page has sent so far. */
function formsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(String(request.postData())))
  return sent
}

/** Answers to these wait until they are let through. */
async function hold(page: Page, what: string, isMeant: (headers: Record<string, string>) => boolean = () => true) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(what, async route => {
    if (isMeant(route.request().headers())) {
      asked.resolve()
      await promise
    }
    await route.continue().catch(() => {})
  })
  return { asked: asked.promise, letThrough: resolve }
}

/** A double click between whose halves the server has answered. */
async function doubleClick(page: Page, place: Locator, answered: () => Promise<unknown>) {
  const { x, y, width, height } = (await place.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  await answered()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

test(
  'a double click opens a drawer, makes one token and shows its key, and switches once',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    const sent = formsOf(page)
    await doubleClick(page, row(page, 'laptop'), () => drawer(page).waitFor())
    await nameIn(page).fill('desk')
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved desk').waitFor()

    await page.getByRole('link', { name: 'Create API key' }).click()
    await nameIn(page).fill('once')
    const made = page.getByText('Created once')
    await doubleClick(page, drawer(page).getByRole('button', { name: 'Create API key' }), () => made.waitFor())
    await page.getByRole('link', { name: 'Done' }).click()
    await made.waitFor({ state: 'detached' })

    const enable = page.getByRole('button', { name: 'Enable desk' })
    await doubleClick(page, page.getByRole('button', { name: 'Disable desk' }), () => enable.waitFor())
    await enable.click()
    await page.getByRole('button', { name: 'Disable desk' }).click()
    await enable.waitFor()
    expect(sent).toHaveLength(5)
    expect(await told(page, 'Disabled desk').count()).toBe(1)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a form that is under way is not sent again, by whichever of its buttons or keys',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH)
    const sent = formsOf(page)
    const saving = await hold(page, '**/app/tokens/*', headers => headers['content-type'] !== undefined)
    await row(page, 'laptop').click()
    await nameIn(page).fill('desk')
    await page.keyboard.press('Control+Enter')
    await saving.asked
    expect(await drawer(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await drawer(page).getByRole('button', { name: 'Disable' }).isDisabled()).toBe(false)
    await page.keyboard.press('Control+Enter')
    saving.letThrough()
    await told(page, 'Saved desk').waitFor()

    const switching = await hold(page, '**/disable')
    await row(page, 'desk').click()
    const disable = drawer(page).getByRole('button', { name: 'Disable' })
    await disable.focus()
    await page.keyboard.press('Enter')
    await switching.asked
    await page.keyboard.press('Enter')
    switching.letThrough()
    await page.getByRole('button', { name: 'Enable desk' }).click()
    await told(page, 'Enabled desk').waitFor()
    expect(sent).toHaveLength(3)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'of a number that is changed quickly the last is kept',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'numbered' })
    const page = await visit(admin, '/admin/channels')
    const first = await hold(page, '**/routing')
    await page.getByLabel('Priority of numbered').focus()
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowUp')
    first.letThrough()
    await until(async () => (await admin.get(`/api/channel/${id}`)).data.priority === 5)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'an answer that comes when one has gone on is told, and what was begun there stays',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    const switching = await hold(page, '**/disable')
    await page.getByRole('button', { name: 'Disable laptop' }).click()
    await switching.asked
    await row(page, 'server').click()
    await nameIn(page).fill('begun')
    switching.letThrough()
    await told(page, 'Disabled laptop').waitFor()
    expect(await nameIn(page).inputValue()).toBe('begun')
    expect(page.url()).toContain('edit=')

    await page.unroute('**/disable')
    await page.goto(PATH)
    const enabling = await hold(page, '**/enable')
    await page.getByRole('button', { name: 'Enable laptop' }).click()
    await enabling.asked
    await page.getByRole('searchbox').fill('lap')
    await page.waitForURL('**/app/tokens?keyword=lap')
    enabling.letThrough()
    await page.getByRole('button', { name: 'Disable laptop' }).waitFor()
    expect(new URL(page.url()).search).toBe('?keyword=lap')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a search that waited for more keys does not close what was opened meanwhile',
  async () => {
    const page = await visit(await withTokens('laptop'), PATH, { isolated: true })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + AN_HOUR_MS)
    await page.evaluate(() => {
      // The clock stamps an event when it is first looked at.
      for (const name of ['input', 'click'])
        document.addEventListener(name, event => event.timeStamp, { capture: true })
    })
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).search))
    await page.getByRole('searchbox').fill('lap')
    await page.clock.runFor(100)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.clock.runFor(1000)
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    expect(asked).not.toContain('?keyword=lap')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a view that was left by Back does not come over the one that was opened since',
  async () => {
    const page = await visit(await withTokens('laptop', 'server'), PATH)
    await row(page, 'laptop').click()
    await drawer(page).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    const back = await hold(page, '**/app/tokens?edit=*', headers => 'hx-history-restore-request' in headers)
    await page.evaluate(() => history.back())
    await back.asked
    const opened = String(await row(page, 'server').getAttribute('href'))
    await row(page, 'server').click()
    await drawer(page).waitFor()
    const late = page.waitForResponse(response => 'hx-history-restore-request' in response.request().headers())
    back.letThrough()
    await (await late).finished()
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve)))
    expect(await nameIn(page).inputValue()).toBe('server')
    expect(page.url()).toEndWith(opened)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'Esc asks before it throws away, however often it is pressed',
  async () => {
    const page = await visit(await withTokens(), `${PATH}?new`)
    const ask = page.getByRole('dialog', { name: 'Discard your changes?' })
    await nameIn(page).fill('typed')
    await drawer(page).getByRole('heading', { name: 'Create API key' }).click()
    for (const state of ['visible', 'hidden', 'visible', 'hidden'] as const) {
      await page.keyboard.press('Escape')
      await ask.waitFor({ state })
    }
    expect(await nameIn(page).inputValue()).toBe('typed')
  },
  PAGE_TEST_TIMEOUT_MS,
)

/** What the page does every few seconds, now. */
const lookNow = (page: Page) =>
  page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    document.addEventListener('htmx:finally:request', () => setTimeout(resolve), { once: true })
    document.getElementById('first-steps')!.dispatchEvent(new CustomEvent('every'))
    await promise
  })

test(
  'what the page looks after by itself neither moves the keyboard nor complains',
  async () => {
    const page = await visit(await visitor(Role.admin), PATH)
    await page.context().setOffline(true)
    await lookNow(page)
    expect(await page.locator('tollgate-toast').count()).toBe(0)
    await page.context().setOffline(false)

    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await drawer(page).getByRole('textbox', { name: 'Expires' }).fill('tomorrow')
    await nameIn(page).fill('mine')
    await page.keyboard.press('Control+Enter')
    await drawer(page).getByText('Expiry time format error').waitFor()
    await page.waitForFunction(() => document.activeElement?.id === 'field-expired_time')
    await nameIn(page).focus()
    await lookNow(page)
    expect(await nameIn(page).evaluate(field => field === document.activeElement)).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the keyboard stays at the key that it has switched',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'keyed', key: 'sk-first-key-1111,sk-other-key-2222' })
    const page = await visit(admin, `/admin/channels?edit=${id}`)
    const other = page.getByRole('button', { name: /able sk-o/ })
    await other.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Disabled manually').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'turn')
    expect(await other.evaluate(button => button === document.activeElement)).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)
