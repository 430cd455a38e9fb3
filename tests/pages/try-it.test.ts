// @engine sqlite
/** "Try it" on the home page: offered where the operator says so; the answer comes with its receipt, without an account. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { anyone } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const upstream = await startUpstream(chat({ text: 'The arm rises', usage }))
await channelTo(upstream)

let host: Client
beforeEach(async () => {
  host = await client({ name: 'for-visitors' })
  await setOption('TryItKey', `sk-${host.key}`)
  await setOption('TryItModel', MODEL)
})
afterEach(async () => {
  await setOption('TryItModel', '')
  await setOption('TryItDailyQuota', 250_000)
})

const homePage = async () => (await anyone.page('/')).text()

test('the home page offers it with its model while it is on, and never tells the key', async () => {
  const html = await homePage()
  expect(html).toContain(`<tollgate-try-it model="${MODEL}"`)
  expect(html).not.toContain(host.key)
  await setOption('TryItModel', '')
  expect(await homePage()).not.toContain('tollgate-try-it')
})

test('a receipt is that of a call with the key of visitors, without its name; other calls have none', async () => {
  const receipt = async (id: string) => (await anyone.page(`/try-it/receipt/${id}?tries=99`)).text()
  const own = await client()
  const other = (await own.chat()).headers.get('x-request-id')!
  expect(await receipt(other)).not.toContain('class="receipt"')
  const unnamed = (await host.chat()).headers.get('x-request-id')!
  const html = await receipt(unnamed)
  expect([html.includes('class="receipt"'), html.includes('for-visitors')]).toEqual([true, false])
})

test.each([
  ['en', 'Try it', 'Your question'],
  ['zh', '试一试', '您的问题'],
] as const)(
  'in %s a visitor asks, and reads the answer above its receipt',
  async (language, name, label) => {
    const page = await visit(anyone, '/', { language })
    await page.getByLabel(label).fill('What is a gate?')
    await page.keyboard.press('Enter')
    await page.locator('tollgate-try-it').getByText('The arm rises', { exact: true }).waitFor()
    await page.locator('tollgate-try-it .receipt').getByText('$0.000450').first().waitFor()
    expect(RICH - (await host.balance())).toBe(quotaOf(100, 20))
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, await accessibilityViolations(page), await overflows(page)]).toEqual([width, [], false])
    }
    await setOption('TryItDailyQuota', 1)
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('tollgate-try-it .error-text').waitFor()
    expect(await page.locator('tollgate-try-it .receipt').count()).toBe(0)
    expect(problemsOf(page).filter(problem => !problem.includes('429'))).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
