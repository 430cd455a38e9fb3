/** Steps that page tests share: elements by role, held requests, the focus. */
import type { Locator, Page } from 'playwright'

export const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
export const drawer = (page: Page) => page.locator('dialog:modal')
export const nameField = (page: Page) => drawer(page).getByLabel('Name', { exact: true })
/** The text of the newest toast. */
export const toast = (page: Page) => page.locator('tollgate-toast').last().locator('p').first()
export const drawerClosed = (page: Page) => page.locator('tollgate-drawer').waitFor({ state: 'detached' })
export const hasFocus = (field: Locator) => field.evaluate(element => element === document.activeElement)

/** Waits until the focused element has this text, label, name or id. */
export const focusOn = (page: Page, text: string) =>
  page.waitForFunction(wanted => {
    const focused = document.activeElement
    const names = ['aria-label', 'name', 'id'].map(name => focused?.getAttribute(name))
    return [focused?.textContent?.trim(), ...names].includes(wanted)
  }, text)

/** Bodies of the POST requests from now on. */
export function postsOf(page: Page): string[] {
  const posts: string[] = []
  page.on('request', request => request.method() === 'POST' && posts.push(String(request.postData())))
  return posts
}

/** Holds requests to a URL until `release`; `requested` resolves with the first of them. */
export async function hold(
  page: Page,
  url: string,
  matches: (headers: Record<string, string>) => boolean = () => true,
) {
  const released = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  await page.route(url, async route => {
    if (matches(route.request().headers())) {
      requested.resolve()
      await released.promise
    }
    await route.continue().catch(() => {})
  })
  return { requested: requested.promise, release: released.resolve }
}

/** A double click with a step between its clicks. */
export async function doubleClick(page: Page, target: Locator, between: () => Promise<unknown>) {
  const { x, y, width, height } = (await target.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  await between()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

/** Sends a message of the playground. Until its island is hydrated, Enter begins a new line. */
export async function sendMessage(page: Page, text: string) {
  await page.locator('.composer textarea').fill(text)
  await page.locator('.composer button[type=submit]:enabled').waitFor()
  await page.keyboard.press('Enter')
}
