// @engine sqlite
// @tier long
/** An operator's first day in Chromium: set-up, a channel with many models, tags, a copy, every tab of the settings. */
import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { option } from '../../src/domain/options/index.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { drawer, drawerClosed } from '../support/browser/walks.ts'
import { anyone } from '../support/people/person.ts'
import { storedChannel } from '../support/upstream/channel.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const models = [MODEL, ...Array.from({ length: 49 }, (_, index) => `house-${index + 1}`)]
const keys = ['sk-one-0123456789', 'sk-two-0123456789', 'sk-three-0123456789']

const upstream = await fakeUpstream()
upstream.scripts(MODEL, chat())
for (const key of keys) upstream.keys.add(key)
afterAll(() => upstream.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function setUp(page: Page) {
  await page.waitForURL('**/setup')
  await page.getByLabel('Administrator').fill('root')
  await page.getByLabel('Password', { exact: true }).fill('opensesame')
  await page.getByLabel('Password again').fill('opensesame')
  await button(page, 'Start Tollgate').click()
  await page.waitForURL('**/app/tokens')
}

async function addChannel(page: Page) {
  await page.getByRole('link', { name: 'Add channel' }).first().click()
  await drawer(page).getByLabel('Name', { exact: true }).fill('mock')
  await drawer(page).getByLabel('Key', { exact: true }).fill(keys.join('\n'))
  await drawer(page).getByText('3 keys').first().waitFor()
  await drawer(page).getByLabel('Base URL').fill(upstream.url)
  await drawer(page).getByRole('combobox', { name: 'Models' }).fill(`${models.join()} `)
  await drawer(page).getByRole('button', { name: 'Add channel', exact: true }).click()
  await said(page, 'Channel mock created')
}

/** Tests with one of the models, tags, edits and disables by the tag, and copies. */
async function runChannel(page: Page) {
  await button(page, 'More for mock').click()
  await page.getByRole('link', { name: 'Test a model' }).click()
  await drawer(page).getByLabel('Model').selectOption(MODEL)
  await drawer(page).getByRole('button', { name: 'Test' }).click()
  await said(page, 'mock responded in')
  await page.getByRole('checkbox', { name: 'Select mock' }).check()
  await button(page, 'Set tag').click()
  await drawer(page).getByLabel('Tag').fill('house')
  await drawer(page).getByRole('button', { name: 'Save' }).click()
  await said(page, '1 channel updated')
  await page.getByRole('switch', { name: 'By tag' }).click()
  await page.getByRole('link', { name: 'Edit tag house' }).click()
  await drawer(page).getByLabel('Priority').fill('7')
  await drawer(page).getByRole('button', { name: 'Save' }).click()
  await drawerClosed(page)
  await button(page, 'Disable all channels of house').click()
  await button(page, 'Enable all channels of house').waitFor()
  expect(await storedChannel(1)).toMatchObject({ tag: 'house', priority: 7, status: ChannelStatus.disabled })
  await button(page, 'Enable all channels of house').click()
  await button(page, 'Disable all channels of house').waitFor()
  await page.getByRole('link', { name: /^house tag/ }).click()
  await button(page, 'More for mock').click()
  await button(page, 'Copy').click()
  await page.getByRole('dialog', { name: 'Edit mock_copy' }).waitFor()
  expect((await storedChannel(2)).models.split(',').sort()).toEqual(models.toSorted())
}

/** One setting of each tab, with what is stored then. */
const changes = [
  { tab: 'operation', value: '2', key: 'RetryTimes', stored: 2 },
  { tab: 'ratelimit', value: '3', key: 'ModelRequestRateLimitDurationMinutes', stored: 3 },
  { tab: 'models', value: '45', key: 'general_setting.ping_interval_seconds', stored: 45 },
  { tab: 'system', value: 'https://gate.example.com', key: 'ServerAddress' },
  { tab: 'other', value: 'House gate', key: 'SystemName' },
] as const

async function changeSettings(page: Page) {
  for (const { tab, value, key, ...change } of changes) {
    await page.goto(`/admin/settings?tab=${tab}`)
    const field = page.locator(`[name="${key}"]`)
    await field.fill(value)
    await button(page, 'Save changes').click()
    await said(page, '1 setting saved')
    await page.reload()
    expect([key, await field.inputValue(), option(key)]).toEqual([
      key,
      value,
      'stored' in change ? change.stored : value,
    ])
  }
}

test(
  'an operator sets up, adds and runs a channel, changes every tab of the settings and takes a change back',
  async () => {
    const page = await visit(anyone, '/')
    await setUp(page)
    await page.goto('/admin/channels')
    await addChannel(page)
    await runChannel(page)
    await changeSettings(page)
    await page.goto('/admin/settings?tab=operation')
    await page.locator('section header').getByRole('link', { name: 'History' }).first().click()
    await drawer(page).getByRole('button', { name: 'Undo the change of Retries' }).click()
    await said(page, 'Change undone')
    expect(option('RetryTimes')).toBe(0)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
