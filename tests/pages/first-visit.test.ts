// @engine sqlite
/** The whole first visit by hand-like clicks: set up, add a channel, make a key, make a call, read the receipt. */
import { afterAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { Page } from 'playwright'
import { listen } from '../support/app/app.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { anyone, Person } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o-mini'
const usage = { prompt_tokens: 1234, completion_tokens: 567 }
/** (1234 + 567 × 4) × 0.075, rounded. */
const cost = 263

const upstream = await fakeUpstream()
upstream.scripts(model, chat({ text: 'The gate is open.', usage }))
afterAll(() => upstream.stop())

/** The root account of this test, with the cookie that its browser got. */
let root: Person

async function signedIn(page: Page): Promise<Person> {
  const cookie = (await page.context().cookies()).find(found => found.name === 'session')!
  return new Person(1, 'root', `session=${cookie.value}`)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test(
  'a new installation leads from set-up to the first receipt',
  async () => {
    const page = await visit(anyone, '/')
    await page.waitForURL('**/setup')
    await page.getByLabel('Administrator').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('opensesame')
    await page.getByLabel('Password again').fill('opensesame')
    await button(page, 'Start Tollgate').click()

    await page.waitForURL('**/app/tokens')
    await page.getByText('you are signed in').waitFor()

    await link(page, 'Channels').first().click()
    await page.waitForURL('**/admin/channels')
    await link(page, 'Add channel').first().click()
    const channel = page.getByRole('dialog')
    await channel.getByLabel('Name', { exact: true }).fill('mock')
    await channel.getByLabel('Key', { exact: true }).fill('sk-upstream')
    await channel.getByLabel('Base URL').fill(upstream.url)
    await channel.getByRole('combobox', { name: 'Models' }).fill(model)
    await page.keyboard.press('Enter')
    await channel.getByRole('button', { name: 'Add channel', exact: true }).click()
    await page.getByText('Channel mock created').waitFor()
    await page.getByRole('button', { name: 'Test mock' }).click()
    await page.getByText('mock responded in').waitFor()

    await link(page, 'API keys').first().click()
    await page.waitForURL('**/app/tokens')
    await link(page, 'Create API key').first().click()
    const token = page.getByRole('dialog')
    await token.getByLabel('Name', { exact: true }).fill('first')
    await token.getByRole('button', { name: 'Create API key', exact: true }).click()
    const key = await page
      .getByText(/^sk-[0-9A-Za-z]{48}$/)
      .first()
      .innerText()

    const client = new OpenAI({ apiKey: key, baseURL: `${listen()}/v1`, maxRetries: 0 })
    const stream = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Open?' }],
      stream: true,
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('The gate is open.')

    await page.getByText('It works: the first call went through').waitFor()
    const tokenRow = await page.locator('#token-table').innerText()
    expect(tokenRow).toContain('$0.000526')
    await page.keyboard.press('Escape')
    await link(page, 'See its receipt').click()
    await page.locator('.receipt').getByText('$0.000526').first().waitFor()

    await page.goto('/app/logs/api-usage')
    const row = page.getByRole('row').filter({ hasText: model }).filter({ hasText: 'first' })
    expect(await row.innerText()).toContain('$0.000526')
    await row.getByRole('link').first().click()
    const receipt = page.locator('.receipt')
    await receipt.waitFor()
    const printed = await receipt.innerText()
    for (const figure of ['1,234', '567', '$0.000526', `${cost} quota`]) expect(printed).toContain(figure)

    root = await signedIn(page)
    expect((await root.get('/api/user/self')).data.quota).toBe(100_000_000 - cost)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the first frame of the home drawing shows the raised arm and the receipt',
  async () => {
    const page = await visit(root, '/')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const [arm, receipt] = await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = 0
      }
      const styleOf = (part: string) => getComputedStyle(document.querySelector(`.gate-drawing ${part}`)!)
      return [styleOf('.lift').transform, styleOf('.print').opacity]
    })
    expect([arm, receipt]).toEqual(['matrix(1, 0, 0, 1, 0, 0)', '1'])
  },
  PAGE_TEST_TIMEOUT_MS,
)
