// @engine sqlite
/** The API documentation in Chromium: operations are sent from the page. */
import { expect, test } from 'bun:test'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

await setUp()
await served(chat())
const ann = await client({ name: 'laptop' })

test(
  'an operation is sent in the session, a write only after its confirmation, and a chat with the chosen key',
  async () => {
    const page = await visit(ann.person, '/docs/api?noun=keys&open=get_api_token')
    const send = () => page.getByRole('button', { name: 'Send', exact: true }).click()
    const result = page.locator('output')
    await send()
    await result.getByText('Status 200').waitFor()
    expect(await result.locator('pre').textContent()).toContain('"name": "laptop"')

    await page.goto('/docs/api?noun=keys&open=post_api_token')
    await page.getByLabel('Body (JSON)').fill('{"name":"from the page"}')
    await send()
    expect(await result.locator('pre').count()).toBe(0)
    await page.getByLabel('This changes real data').check()
    await send()
    await result.getByText('Status 200').waitFor()
    const { data } = await ann.person.get('/api/token/search?keyword=from the page')
    expect(data).toHaveLength(1)

    await page.goto('/docs/api?noun=models&open=post_v1_chat_completions')
    await page.getByLabel('API key', { exact: true }).selectOption('laptop')
    await send()
    await result.getByText('Status 200').waitFor()
    expect(await result.locator('pre').textContent()).toContain('"choices"')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

for (const [screen, theme, language] of looksInTier([
  ['desktop', 'gate', 'en'],
  ['phone', 'gate-night', 'zh'],
] as const))
  test(
    `API page has no barrier on ${screen} in ${theme}, ${language}`,
    async () => {
      const page = await visit(ann.person, '/docs/api', { screen, theme, language })
      for (const path of ['/docs/api', '/docs/api?noun=keys&open=put_api_token']) {
        await page.goto(path)
        expect([path, await accessibilityViolations(page), await overflows(page)]).toEqual([path, [], false])
      }
    },
    PAGE_TEST_TIMEOUT_MS,
  )
