// @engine sqlite
// @tier long
/** Target sizes on phones, and printed pages. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { writeLog } from '../../src/domain/logs/service.ts'
import { leave, overflows, PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const bill = { lines: [{ bucket: 'input', count: 2140, unit_price: 3, per: 1_000_000, ratio: '1.5', amount: '3210' }] }

const spend = ({ id, username }: Person) =>
  writeLog({
    user_id: id,
    username,
    type: LogType.consume,
    model_name: 'o3',
    quota: 3210,
    prompt_tokens: 2140,
    other: JSON.stringify(bill),
  })

/** What can be pressed here and is smaller than a fingertip, by its name. A tick is pressed by its label or cell, a row by all of it. */
const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const FINGERTIP_PX = 40
    const place = [...document.querySelectorAll('dialog:modal, :popover-open')].at(-1) ?? document
    const heightOf = (element: Element) => {
      const area = element.matches('[type=checkbox], [type=radio]')
        ? element.closest('label, td')
        : element.closest('.card-title')?.parentElement || element.closest('.input')
      const { height } = (area ?? element).getBoundingClientRect()
      const reach = getComputedStyle(element, '::after')
      return reach.position === 'absolute' ? Math.max(height, Number.parseFloat(reach.height)) : height
    }
    return [...place.querySelectorAll('a[href], button, input, select, textarea, summary')]
      .filter(element => element.checkVisibility() && !element.closest('.sr-only, thead') && element.clientWidth !== 1)
      .filter(element => heightOf(element) < FINGERTIP_PX)
      .map(element => element.outerHTML.slice(0, 120))
  })

test(
  'phone targets are at least 40 px high, and no page scrolls sideways',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'held', models: 'one,two,three' })
    const { data } = await admin.post('/api/token/', { name: 'held' })
    await spend(admin)
    const paths = [
      '/app/tokens',
      `/app/tokens?edit=${data[0]?.id ?? data.id}`,
      '/app/tokens?new',
      '/admin/channels',
      `/admin/channels?edit=${id}`,
      '/app/logs/api-usage',
      '/',
    ]
    for (const path of paths) {
      const page = await visit(admin, path, { screen: 'phone' })
      await page.locator('dialog details').evaluateAll(all => {
        for (const one of all) one.setAttribute('open', '')
      })

      expect([path, await tooSmall(page)]).toEqual([path, []])
      expect([path, await overflows(page)]).toEqual([path, false])
      await leave(page)
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a receipt is printed alone, a page without its controls, black on white in the dark theme too',
  async () => {
    const ann = await visitor()
    await spend(ann)
    const page = await visit(ann, '/app/logs/api-usage', { theme: 'gate-night' })
    await page.getByRole('row').getByRole('link', { name: 'o3' }).first().click()
    const receipt = page.locator('.receipt')
    await receipt.waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.sidebar, .topbar, .sentence').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Usage log' }).isVisible()).toBe(true)
    expect(await page.locator('h1').evaluate(heading => getComputedStyle(heading).color)).toBe('rgb(0, 0, 0)')

    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => {
      window.print = () => {}
    })
    await receipt.getByRole('button', { name: 'Print' }).click()
    await page.emulateMedia({ media: 'print' })
    expect(await receipt.isVisible()).toBe(true)
    expect(await receipt.getByRole('button').filter({ visible: true }).count()).toBe(0)
    expect(await page.locator('h1').isVisible()).toBe(false)
    expect(await receipt.boundingBox()).toMatchObject({ x: 0, y: 0 })
  },
  PAGE_TEST_TIMEOUT_MS,
)
