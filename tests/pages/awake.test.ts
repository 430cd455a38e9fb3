// @engine sqlite
/** What a person does with a form before its script has come is not lost when it comes. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

/** Holds back what is loaded until it is let through: what makes islands live, or what it says. */
async function hold(page: Page, what = '**/build/hydrate-*.js') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(what, async route => {
    asked.resolve()
    await promise
    await route.continue()
  })
  return { asked: asked.promise, letThrough: resolve }
}

test(
  'a type, an address and models that were given early count, and the caret stays',
  async () => {
    const page = await visit(await visitor(Role.admin), '/admin/channels')
    const script = await hold(page)
    const known = await hold(page, '**/api/models')
    await page.getByRole('link', { name: 'Add channel' }).first().click()
    await script.asked
    const drawer = page.getByRole('dialog')
    const models = drawer.getByRole('combobox', { name: 'Models' })
    await drawer.getByLabel('Type').selectOption({ label: 'Anthropic Claude' })
    await drawer.getByLabel('Base URL').fill('https://mirror.example/v1')
    await models.fill('claude-one, claude-two, claude-th')
    await models.press('ArrowLeft')
    script.letThrough()

    await drawer.getByRole('button', { name: 'Remove claude-two' }).waitFor()
    expect(await models.inputValue()).toBe('claude-th')
    expect(await models.evaluate(field => field === document.activeElement)).toBe(true)
    await drawer.getByText('ends in /v1').waitFor()
    expect(await drawer.getByLabel('Type').evaluate((field: HTMLSelectElement) => field.value)).toBe('14')
    await drawer.getByRole('button', { name: 'Add known models' }).click()
    known.letThrough()
    await drawer
      .getByRole('button', { name: /Remove claude-sonnet/ })
      .first()
      .waitFor()
    expect(await drawer.locator('[name=models]').inputValue()).toStartWith('claude-one,claude-two,claude-th,claude-')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'early changes are asked about before they are thrown away',
  async () => {
    const page = await visit(await visitor(), '/app/tokens')
    const script = await hold(page)
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await script.asked
    await page.getByRole('combobox', { name: 'Models' }).fill('o3')
    await page.keyboard.press('Tab')
    script.letThrough()
    await page.getByRole('button', { name: 'Remove o3' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'discard' }).waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a button that was pressed early is pressed once, and before the form is sent',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'early', models: 'one,two' })
    const page = await visit(admin, '/admin/channels')
    const script = await hold(page)
    await page.getByRole('link', { name: 'early', exact: true }).click()
    await script.asked
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Remove one' }).click()
    await drawer.getByRole('button', { name: 'Save' }).click()
    script.letThrough()
    await page.getByText('Channel early updated').waitFor()
    expect((await admin.get(`/api/channel/${id}`)).data.models).toBe('two')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a form that is sent early waits until it knows what was typed, and Enter in a list sends nothing',
  async () => {
    const ann = await visitor()
    const page = await visit(ann, '/app/tokens')
    const script = await hold(page)
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await script.asked
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Name', { exact: true }).fill('limited')
    await drawer.getByRole('combobox', { name: 'Models' }).fill('o3')
    await page.keyboard.press('Enter')
    await page.keyboard.type('o4-mini')
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    expect(new URL(page.url()).search).toBe('?new')
    script.letThrough()
    await page.getByText('Created limited').waitFor()
    const { data } = await ann.get('/api/token/?size=100')
    expect(data.map((token: { model_limits: string }) => token.model_limits)).toEqual(['o3,o4-mini'])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a script that does not come is told, and comes with the next step',
  async () => {
    const page = await visit(await visitor(), '/app/tokens')
    await page.route('**/build/hydrate-*.js', route => route.abort())
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await page.getByText('Unable to connect to server').waitFor()
    await page.unroute('**/build/hydrate-*.js')
    const models = page.getByRole('combobox', { name: 'Models' })
    await models.fill('o3,')
    await page.getByRole('button', { name: 'Remove o3' }).waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)
