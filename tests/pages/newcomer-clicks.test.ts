// @engine sqlite
// @tier long
/** A newcomer's clicks, from an empty installation to the first receipt. */
import { afterAll, expect, test } from 'bun:test'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { Clicker } from '../support/browser/clicks.ts'
import { drawer } from '../support/browser/walks.ts'
import { anyone } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const CLICKS_MAX = 12

const upstream = await fakeUpstream()
upstream.scripts(MODEL, chat({ text: 'The gate is open.' }))
afterAll(() => upstream.stop())

test(
  `a newcomer sees the first receipt after ${CLICKS_MAX} clicks at most`,
  async () => {
    const page = await visit(anyone, '/')
    const reader = new Clicker(page)
    await page.waitForURL('**/setup')
    await page.getByLabel('Administrator').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('opensesame')
    await page.getByLabel('Password again').fill('opensesame')
    await reader.button('Start Tollgate')
    await page.waitForURL('**/app/tokens')

    await reader.link('Add a channel')
    await drawer(page).getByLabel('Key', { exact: true }).fill('sk-upstream')
    await drawer(page).getByLabel('Base URL').fill(upstream.url)
    await reader.button('Fetch from provider', drawer(page))
    await reader.button(/^Select all/, page)
    await reader.button(/^Done/, page)
    await reader.button('Test', drawer(page))
    await reader.see('responded in')
    await reader.button('Add channel', drawer(page))
    await reader.see(/Channel OpenAI created/)

    await reader.menu('API keys')
    await reader.link('Create API key')
    await drawer(page).getByLabel('Name', { exact: true }).fill('first')
    await reader.button('Create API key', drawer(page))
    await reader.button('Send it', drawer(page))
    const receipt = page.locator('tollgate-call .receipt')
    await receipt.getByText('first').waitFor()
    expect(await receipt.evaluate(sent => sent.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    expect(reader.count).toBe(11)
    expect(reader.count).toBeLessThanOrEqual(CLICKS_MAX)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
