// @engine sqlite
// @tier long
/** An operator's daily jobs on the demo: each takes four clicks at most from the dashboard, and ends where it should. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { signIn, startDemo } from '../shots/demo.ts'
import { launched, STEP_TIMEOUT_MS } from '../support/browser/chromium.ts'
import { Clicker } from '../support/browser/clicks.ts'
import { drawer, drawerClosed } from '../support/browser/walks.ts'

const CLICKS_MAX = 4
const TIMEOUT_MS = 240_000
const TAG = 'house'

const demo = await startDemo()
afterAll(() => demo.stop())

const headers = { 'tollgate-user': '1', origin: demo.url }

let page: Page

beforeAll(async () => {
  const context = await (await launched()).newContext({
    baseURL: demo.url,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await signIn(context, 'root')
  page = await context.newPage()
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
})

/** Ctrl K, the text, arrows and Enter, which take no click. */
async function goTo(text: string, result: RegExp) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).fill(text)
  const option = page.getByRole('option', { name: result }).first()
  await option.waitFor()
  while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

const jobs: [job: string, clicks: number, walk: (operator: Clicker) => Promise<unknown>][] = [
  [
    'find the channels that failed',
    2,
    async operator => {
      await operator.menu('Channels')
      await operator.choose(page.getByRole('combobox', { name: 'State' }), 'auto-disabled')
      await page.getByRole('link', { name: 'openai-main', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'anthropic-trial', exact: true }).waitFor()
    },
  ],
  [
    'see why calls fail, and their route',
    4,
    async operator => {
      await operator.menu('Usage log')
      await operator.choose(page.getByRole('combobox', { name: 'Type' }), 'errors')
      await page.waitForURL('**type=6**')
      await operator.click(page.locator('main tbody a[href*="open="]:visible').first())
      await operator.link('Why this route')
      await page.waitForURL('**/admin/routes?**model=**')
    },
  ],
  [
    'change a key, and enable its channel',
    3,
    async operator => {
      await goTo('anthropic-trial', /^anthropic-trial/)
      await operator.click(drawer(page).getByText('Replace').first())
      await drawer(page).getByLabel('Key', { exact: true }).fill('sk-ant-0123456789')
      await operator.button('Test', drawer(page))
      await operator.button('Save and enable channel', drawer(page))
      await drawerClosed(page)
      await page.getByRole('button', { name: 'Disable anthropic-trial' }).waitFor()
    },
  ],
  [
    'disable channels by their tag, and take it back',
    4,
    async operator => {
      await operator.menu('Channels')
      await operator.click(page.getByRole('switch', { name: 'By tag' }))
      await operator.button(`Disable all channels of ${TAG}`)
      await operator.button('Undo')
      await page.getByRole('button', { name: `Disable all channels of ${TAG}` }).waitFor()
    },
  ],
  [
    'raise a price, and see what it costs',
    4,
    async operator => {
      await operator.menu('Settings')
      await operator.link('Prices')
      await operator.link('gpt-4o')
      await drawer(page).locator('[name=usd_input]').fill('3')
      await operator.button('Simulate', drawer(page))
      await page.locator('.simulation .receipt').waitFor()
      await page.keyboard.press('Control+Enter')
      await drawerClosed(page)
    },
  ],
  [
    'refund a call',
    4,
    async operator => {
      await operator.menu('Usage log')
      await operator.click(page.locator('main tbody a[href*="open="]:visible').filter({ hasText: 'claude' }).first())
      await operator.link('Refund this call')
      await operator.button('Refund', drawer(page))
      await drawerClosed(page)
    },
  ],
  [
    'create a hundred codes, and export them',
    4,
    async operator => {
      await operator.menu('Codes')
      await operator.link('Create codes')
      const fields = { name: 'hundred', quota: '5', count: '100' }
      for (const [name, text] of Object.entries(fields)) await drawer(page).locator(`[name=${name}]`).fill(text)
      await operator.button('Create codes', drawer(page))
      const download = page.waitForEvent('download')
      await operator.link('CSV', drawer(page))
      expect(await (await download).failure()).toBeNull()
    },
  ],
  [
    'send a message to a group',
    4,
    async operator => {
      await operator.menu('Messages')
      await operator.link('New message')
      await drawer(page).locator('[name=title]').fill('Tonight')
      await drawer(page).locator('[name=content]').fill('We update at 22:00.')
      await operator.click(drawer(page).getByText('A group', { exact: true }))
      await operator.choose(drawer(page).getByRole('combobox', { name: 'Group' }), /^vip/)
      await page.keyboard.press('Control+Enter')
      await operator.see(/Message created/)
    },
  ],
  [
    'find a call by its request id',
    0,
    async operator => {
      const { data } = await (await page.context().request.get('/api/log/?type=2&page_size=1', { headers })).json()
      const { request_id } = data.items[0]
      await goTo(request_id, new RegExp(request_id))
      await operator.see(request_id)
    },
  ],
  [
    'explain a bill down to its calls',
    4,
    async operator => {
      await goTo('mira', /^mira/)
      await operator.button('More for mira', drawer(page))
      await operator.click(page.locator('a[href^="/admin/users/"][href$="/statement"]:visible'))
      await operator.link(/^Usage/, page.getByRole('main'))
      await operator.link(/^Show the calls/)
      await page.waitForURL('**/app/logs/api-usage?**')
    },
  ],
  [
    'find who spends the most this week',
    1,
    async operator => {
      await operator.choose(page.getByRole('combobox', { name: 'Range' }), 'the last 7 days')
      await page.waitForURL('**range=7d**')
      await page.getByRole('heading', { name: /By user/ }).waitFor()
    },
  ],
]

test.each(jobs)(
  'an operator can %s in %i clicks',
  async (job, clicks, walk) => {
    if (job.includes('tag')) await tagChannels()
    await page.goto('/app/dashboard')
    const operator = new Clicker(page)
    await walk(operator)
    expect(operator.count).toBe(clicks)
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX)
  },
  TIMEOUT_MS,
)

async function tagChannels() {
  const response = await page
    .context()
    .request.post('/api/channel/batch/tag', { headers, data: { ids: [7, 9], tag: TAG } })
  expect((await response.json()).success).toBe(true)
}
