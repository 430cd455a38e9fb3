// @engine sqlite
/** The price page and price administration in Chromium. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { option } from '../../src/domain/options/service.ts'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { client, MODEL } from '../support/people/client.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

let admin: Person

beforeAll(async () => {
  const root = await setUp()
  admin = await visitor(Role.admin)
  await served(chat({ usage: { prompt_tokens: 1000, completion_tokens: 500 } }))
  await root.post('/api/channel/', { name: 'more', key: 'sk-1', models: 'claude-opus-4-5,dall-e-3,brand-new-model' })
  await setOption('TierRatio', JSON.stringify({ [MODEL]: [{ from: 200_001, model_ratio: 2.5 }] }))
  await (await client()).chat()
})

for (const [screen, theme, language] of looksInTier([
  ['desktop', 'gate-night', 'zh'],
  ['phone', 'gate', 'en'],
] as const))
  test(
    `price pages: no barrier on ${screen} in ${theme}, ${language}`,
    async () => {
      const page = await visit(admin, `/pricing?open=${MODEL}`, { screen, theme, language })
      await page.locator('.explanation summary').click()
      const found = [await accessibilityViolations(page), await overflows(page)]
      await page.goto(`/admin/settings?tab=operation&edit=${MODEL}`)
      await page.locator('button[value=simulate]').click()
      await page.locator('.simulation').waitFor()
      found.push(await accessibilityViolations(page), await overflows(page))
      expect([found, problemsOf(page)]).toEqual([[[], false, [], false], []])
    },
    PAGE_TEST_TIMEOUT_MS,
  )

test(
  'price page: the search narrows the list while typing, and ticked names are copied',
  async () => {
    const page = await visit(anyone, '/pricing')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('searchbox').fill('opus')
    await page.waitForURL('**/pricing?keyword=opus')
    await page.getByRole('searchbox').fill('')
    await page.locator('#row-dall-e-3').waitFor()
    for (const name of ['claude-opus-4-5', 'dall-e-3']) await page.getByLabel(`Select ${name}`).check()
    await page.getByRole('button', { name: 'Copy names' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    expect(await until(async () => (await copied()) === 'claude-opus-4-5,dall-e-3')).toBeTruthy()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'price editor: ratios and USD follow each other, a simulation keeps the form, and saving closes it',
  async () => {
    const page = await visit(admin, `/admin/settings?tab=operation&edit=${MODEL}`)
    await page.locator('[name=mode][value=ratio]').check()
    await page.locator('[name=completion_ratio]').fill('4')
    await page.locator('[name=mode][value=usd]').check()
    await page.locator('[name=usd_input]').fill('5')
    expect(await page.locator('[name=model_ratio]').inputValue()).toBe('2.5')
    await page.getByText('= ×2.5', { exact: true }).first().waitFor()
    await page.locator('[name=tier_0_usd_input]').fill('10')
    expect(await page.locator('[name=tier_0_model_ratio]').inputValue()).toBe('5')
    await page.locator('button[value=simulate]').click()
    await page.locator('.simulation').waitFor()
    expect(await page.locator('[name=usd_input]').inputValue()).toBe('5')
    expect(option('ModelRatio')[MODEL]).toBe(1.25)
    await page.locator('tollgate-drawer button.btn-primary').click()
    await page.locator('tollgate-drawer').waitFor({ state: 'detached' })
    expect([option('ModelRatio')[MODEL], option('CompletionRatio')[MODEL]]).toEqual([2.5, 2])
    expect(option('TierRatio')[MODEL]).toEqual([{ from: 200_001, model_ratio: 5 }])
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
