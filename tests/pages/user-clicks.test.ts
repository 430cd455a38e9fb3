// @engine sqlite
// @tier long
/** A customer's clicks on the demo, from the sign-up to the first bill: nothing is a dead end with an empty balance. */
import { afterAll, expect, test } from 'bun:test'
import { showAddress, startDemo } from '../shots/demo.ts'
import { launched, STEP_TIMEOUT_MS } from '../support/browser/chromium.ts'
import { Clicker } from '../support/browser/clicks.ts'
import { drawer, sendMessage } from '../support/browser/walks.ts'

const CLICKS_MAX = 5
const TIMEOUT_MS = 240_000

const demo = await startDemo()
// The payment gateway sends its readers back there.
await showAddress(demo.url, demo.url)
afterAll(() => demo.stop())

test(
  `a customer takes at most ${CLICKS_MAX} clicks for each step from the sign-up to a bill`,
  async () => {
    const context = await (await launched()).newContext({
      ...{ baseURL: demo.url, locale: 'en-US', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_TIMEOUT_MS)
    const counts: Record<string, number> = {}
    const step = async (name: string, walk: (reader: Clicker) => Promise<unknown>) => {
      const reader = new Clicker(page)
      await walk(reader)
      counts[name] = reader.count
      expect(reader.count, name).toBeLessThanOrEqual(CLICKS_MAX)
    }

    await page.goto('/')
    await step('sign up, and be signed in', async reader => {
      await reader.link('Sign up')
      await page.getByLabel('Username').fill('zoe')
      await page.getByLabel('Password', { exact: true }).fill('opensesame')
      await page.getByLabel('Password again').fill('opensesame')
      await reader.button('Create account')
      await page.waitForURL('**/app/tokens')
      await reader.see('your balance is used up')
    })
    await step('read in the playground what a call may cost, and go to the wallet', async reader => {
      await reader.menu('Playground')
      await sendMessage(page, 'Hello')
      await reader.see(/this call needs up to \$0\.\d+, \$0\.00\d* is left/)
      await reader.link('Top up', page.getByRole('main'))
      await page.waitForURL('**/app/wallet**')
    })
    await step('top up ten dollars', async reader => {
      await reader.button('$10')
      await reader.button('Continue')
      await reader.click(page.getByRole('button', { name: /^Pay/ }).first())
      await reader.see('This gateway is built into the demo')
      await reader.button(/^Pay/)
      await page.waitForURL('**/app/wallet**')
      await page.locator('.receipt').waitFor()
    })
    await step('create a key', async reader => {
      await reader.menu('API keys')
      await reader.link('Create API key')
      await drawer(page).getByLabel('Name', { exact: true }).fill('first')
      await reader.button('Create API key', drawer(page))
      await reader.click(drawer(page).getByText('Claude Code', { exact: true }))
      await reader.button('Send it', drawer(page))
      await page.locator('tollgate-call .receipt').waitFor()
    })
    await page.keyboard.press('Escape')
    await step('read the bill', async reader => {
      await reader.menu('Usage log')
      await reader.click(page.locator('main tbody a[href*="open="]:visible').first())
      await page.locator('.receipt').waitFor()
    })
    await step('find a price', async reader => {
      await reader.link('Pricing')
      await page.getByRole('searchbox').first().fill('gpt-4o-mini')
      await page.keyboard.press('Enter')
      await reader.click(page.locator('main tbody a[href*="open="]:visible').first())
      await reader.see('Output')
    })
    expect(counts).toEqual({
      'sign up, and be signed in': 2,
      'read in the playground what a call may cost, and go to the wallet': 2,
      'top up ten dollars': 4,
      'create a key': 5,
      'read the bill': 2,
      'find a price': 2,
    })
    await context.close()
  },
  TIMEOUT_MS,
)
