// @engine sqlite
/** The channel page in a browser. */
import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { toast } from '../support/browser/walks.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const upstream = await fakeUpstream()
upstream.scripts('good', chat())
upstream.scripts('bad', refuses(503))
afterAll(() => upstream.stop())

const PATH = '/admin/channels'
const open = (fields: Record<string, unknown> = {}) =>
  makeChannel(root, { key: 'sk-upstream', base_url: upstream.url, models: 'good', ...fields })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test(
  'a provider is found by its Chinese and its English name in a Chinese console',
  async () => {
    const page = await visit(root, `${PATH}?new`, { language: 'zh' })
    const drawer = page.getByRole('dialog')
    const search = drawer.getByRole('searchbox').first()
    for (const [text, name] of [
      ['通义', '阿里通义千问'],
      ['qwen', '阿里通义千问'],
      ['自定义', '自定义'],
      ['百度', '百度千帆 V2'],
    ] as const) {
      await search.fill(text)
      await drawer.getByRole('radio', { name, exact: true }).waitFor()
    }
    await drawer.getByRole('radio', { name: '百度千帆 V2' }).check()
    expect(await drawer.locator('[name=name]').inputValue()).toBe('百度千帆 V2')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a channel is added with the models of its provider, typed models and a note about repeated ones',
  async () => {
    const page = await visit(root, PATH)
    await page.getByRole('link', { name: 'Add channel' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Name', { exact: true }).fill('by-hand')
    await drawer.getByLabel('Key', { exact: true }).fill('sk-one-0123456789\nsk-two-0123456789,sk-one-0123456789')
    await drawer.getByText('2 keys · 1 repeated key left out').waitFor()
    await drawer.getByRole('radio', { name: 'Custom' }).check()
    await drawer.getByText('The full URL').waitFor()
    await drawer.getByLabel('Base URL').fill(`${upstream.url}/v1/chat/completions`)
    await drawer.getByRole('button', { name: 'Add known models' }).click()
    await drawer.getByLabel('gpt-4o', { exact: true }).check()
    await drawer.getByRole('button', { name: /^gpt- \d/ }).click()
    await drawer.getByRole('button', { name: 'Done' }).click()
    await drawer.getByRole('combobox', { name: 'Models' }).fill('house-blend,gpt-4o ')
    await drawer.getByText('Already there: gpt-4o').waitFor()
    await drawer.getByLabel('Priority').fill('7')
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe('Channel by-hand created')
    expect(new URL(page.url()).search).toBe('')
    expect(await rowOf(page, 'by-hand').textContent()).toContain('2 keys')
    const { data } = await admin.get('/api/channel/search?keyword=by-hand')
    expect(data[0]).toMatchObject({ type: 8, priority: 7, auto_ban: 1, group: 'default' })
    expect(data[0].models).toContain('gpt-4o,')
    expect(data[0].models).toContain(',house-blend')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a test shows its result, and switch and priority are saved at once',
  async () => {
    const [good, bad] = [await open({ name: 'answers' }), await open({ name: 'refuses', models: 'bad' })]
    const page = await visit(admin, PATH)
    await rowOf(page, 'answers').getByRole('button', { name: 'Test answers' }).click()
    await page.getByText(/^answers responded in/).waitFor()
    // How fast that was is the machine's to say, not whether it was.
    await rowOf(page, 'answers').locator('.dot:not(.none)').waitFor()
    await rowOf(page, 'refuses').getByRole('button', { name: 'Test refuses' }).click()
    await page.getByText(/^refuses: The upstream responded with status 503/).waitFor()

    await rowOf(page, 'answers').getByRole('button', { name: 'Disable answers' }).click()
    await rowOf(page, 'answers').getByRole('button', { name: 'Enable answers' }).waitFor()
    expect((await storedChannel(good.id)).status).toBe(ChannelStatus.disabled)

    await page.getByLabel('Priority of refuses').fill('99')
    await page.keyboard.press('Tab')
    await page.getByText('Channel refuses updated').waitFor()
    expect((await storedChannel(bad.id)).priority).toBe(99)
    expect(await page.getByRole('row').nth(1).textContent()).toContain('refuses')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a JSON field counts lines, names the wrong one and formats the text',
  async () => {
    const page = await visit(admin, `${PATH}?new`)
    await page.getByText('Advanced', { exact: true }).first().click()
    await page.getByText('Parameter override', { exact: true }).first().click()
    await page.getByText('Other parameters as JSON', { exact: true }).first().click()
    const params = page.getByLabel('Other parameters as JSON')
    const footer = page.locator('tollgate-json').filter({ has: params }).locator('footer')
    await footer.getByText('JSON · 1 line', { exact: true }).waitFor()
    await params.fill('{\n"old": new\n}')
    await footer.getByText('Not valid JSON, line 2').waitFor()
    await params.fill('{"old":"new"}')
    await footer.getByRole('button', { name: 'Format' }).click()
    await footer.getByText('JSON · 3 lines').waitFor()
    expect(await params.inputValue()).toBe('{\n  "old": "new"\n}')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a refused channel shows errors at its fields and keeps typed values',
  async () => {
    const page = await visit(admin, `${PATH}?new`)
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Name', { exact: true }).fill('half')
    await drawer.getByLabel('Key', { exact: true }).fill('sk-half')
    await drawer.getByLabel('Base URL').fill('api.example.com')
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    await drawer.getByText('Enter a URL that starts with').waitFor()
    await drawer.getByText('A channel needs at least one model').waitFor()
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('half')
    expect(await drawer.getByLabel('Key', { exact: true }).inputValue()).toBe('sk-half')
    expect(await drawer.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(
  looksInTier([
    ['desktop', 'en', 'gate'],
    ['tablet', 'zh', 'gate-night'],
    ['phone', 'zh', 'gate'],
  ] as const),
)(
  'the channel page passes axe and does not overflow: %s, %s, %s',
  async (screen, language, theme) => {
    const { id } = await open({ name: 'a-rather-long-name-of-a-channel-in-the-far-east', group: 'default,vip,svip' })
    for (const path of [PATH, `${PATH}?edit=${id}`, `${PATH}?delete=${id}`]) {
      const page = await visit(admin, path, { screen, language, theme })
      expect({ path, violations: await accessibilityViolations(page) }).toEqual({ path, violations: [] })
      expect({ path, overflows: await overflows(page) }).toEqual({ path, overflows: false })
      await leave(page)
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the phone drawer has the actions of the row',
  async () => {
    const { id } = await open({ name: 'in-the-pocket' })
    const page = await visit(admin, PATH, { screen: 'phone' })
    await page.getByRole('link', { name: 'in-the-pocket' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('in-the-pocket is disabled').waitFor()
    expect((await storedChannel(id)).status).toBe(ChannelStatus.disabled)
  },
  PAGE_TEST_TIMEOUT_MS,
)
