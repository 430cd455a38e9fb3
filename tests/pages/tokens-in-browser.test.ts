// @engine sqlite
/** The token page in a browser, on every screen. */
import { expect, test } from 'bun:test'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { hasFocus } from '../support/browser/walks.ts'
import { type Person, visitor } from '../support/people/person.ts'

const make = async (person: Person, fields = {}) =>
  (await person.post('/api/token/', { name: 'laptop', ...fields })).data
const listOf = async (person: Person) => (await person.get('/api/token/?size=100')).data

test(
  'a key is created with presets and models, and copied',
  async () => {
    const ann = await visitor()
    const page = await visit(ann, '/app/tokens')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Name', { exact: true }).fill('crawler')
    await drawer.getByRole('button', { name: '$50', exact: true }).click()
    await drawer.getByRole('textbox', { name: 'Expires' }).fill('tomorrow')
    await drawer.getByRole('combobox', { name: 'Models' }).fill('gpt-5-mini,')
    await page.keyboard.type('o3')
    await page.keyboard.press('Enter')
    await drawer.getByRole('button', { name: 'Remove gpt-5-mini' }).waitFor()
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    await drawer.getByText('Expiry time format error').waitFor()
    expect(await hasFocus(drawer.getByRole('textbox', { name: 'Expires' }))).toBe(true)
    await drawer.getByRole('button', { name: 'Never', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Created crawler').waitFor()
    const [token] = await listOf(ann)
    expect(token).toMatchObject({ remain_quota: 25_000_000, model_limits: 'gpt-5-mini,o3', expired_time: -1 })
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).first().click()
    await page.getByText('Copied to clipboard').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${token.key}`)
    await page.keyboard.press('Escape')
    await page.waitForURL('**/app/tokens')
    expect(problemsOf(page).filter(problem => !problem.includes('422'))).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the selection works without JavaScript',
  async () => {
    const ann = await visitor()
    await make(ann, { name: 'one' })
    await make(ann, { name: 'two' })
    const page = await visit(ann, '/app/tokens', { javascript: false })
    await page.getByLabel('Select one').check()
    await page.getByRole('form', { name: 'Selection' }).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled one').waitFor()
    expect((await listOf(ann)).map((token: { status: number }) => token.status)).toEqual([1, 2])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the token page passes axe and does not overflow on any screen',
  async () => {
    const ann = await visitor()
    await make(ann, { name: 'web-chat', group: 'default', model_limits_enabled: true, model_limits: 'a,b' })
    await make(ann, { name: 'n'.repeat(30), unlimited_quota: true })
    const { id } = (await listOf(ann))[0]
    const walks = [
      { paths: ['', '?new', `?keys=${id}`], look: { screen: 'desktop', theme: 'gate', language: 'en' } },
      { paths: [''], look: { screen: 'tablet', theme: 'gate-night', language: 'zh' } },
      { paths: ['', `?edit=${id}`], look: { screen: 'phone', theme: 'gate-night', language: 'zh' } },
    ] as const
    for (const { paths, look } of looksInTier(walks)) {
      for (const path of paths) {
        const page = await visit(ann, `/app/tokens${path}`, look)
        const found = {
          violations: await accessibilityViolations(page),
          overflows: await overflows(page),
          problems: problemsOf(page),
        }
        expect({ ...look, path, ...found }).toEqual({ ...look, path, violations: [], overflows: false, problems: [] })
        await leave(page)
      }
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
