// @engine sqlite
// @tier long
/** A user's first day in Chromium: a price, the playground, an API key, a call, its receipt, the statement, a chat site. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { listen } from '../support/app/app.ts'
import { setOption } from '../support/app/options.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { drawer, sendMessage } from '../support/browser/walks.ts'
import { MODEL, RICH } from '../support/people/client.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

const CHAT_SITE = 'https://chat.example.com'

beforeAll(async () => {
  await setUp()
  await served(chat({ text: 'The gate is open.', usage: { prompt_tokens: 1000, completion_tokens: 500 } }))
  await setOption('Chats', JSON.stringify([{ 'House chat': `${CHAT_SITE}/#key={key}&url={address}` }]))
})

test(
  'a user finds a price, tries a model, calls it with an own key, reads the bill and opens a chat site',
  async () => {
    const ann = await visitor(Role.user, RICH)
    const page = await visit(ann, '/pricing')
    await page.getByRole('searchbox').first().fill(MODEL)
    await page.getByRole('row').filter({ hasText: MODEL }).first().waitFor()

    await page.goto('/playground')
    await sendMessage(page, 'Is it open?')
    await page.getByText('The gate is open.').waitFor()
    await page.locator('button.answer-line').waitFor()

    await page.goto('/app/tokens?new')
    await drawer(page).getByLabel('Name', { exact: true }).fill('mine')
    await drawer(page).getByRole('button', { name: 'Create API key', exact: true }).click()
    const key = await page
      .getByText(/^sk-[0-9A-Za-z]{48}$/)
      .first()
      .innerText()
    const response = await fetch(`${listen()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Open?' }] }),
    })
    expect(response.status).toBe(200)
    const cost = response.headers.get('x-tollgate-cost')
    await until(async () => (await ann.get('/api/log/self')).data.items.length === 2)

    await page.goto('/app/logs/api-usage')
    const row = page.getByRole('row').filter({ hasText: 'mine' })
    expect(await page.getByRole('row').filter({ hasText: 'playground-default' }).count()).toBe(1)
    await row.getByRole('link').first().click()
    expect(await page.locator('.receipt').innerText()).toContain(Number(cost).toFixed(6))
    await page.goto('/app/statement')
    await page.getByText('2 calls').first().waitFor()

    await page.route(`${CHAT_SITE}/**`, route => route.fulfill({ contentType: 'text/html', body: 'Welcome' }))
    await page.goto('/chat')
    await page.getByRole('button', { name: 'Continue to chat.example.com' }).click()
    const frame = page.locator('main iframe')
    expect(await frame.getAttribute('src')).toBe(`${CHAT_SITE}/#key=${key}&url=${encodeURIComponent(listen())}`)
    await page.frameLocator('main iframe').getByText('Welcome').waitFor()
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
