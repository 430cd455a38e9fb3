// @engine sqlite
/** Input before the hydration of an island is kept. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { hasFocus, hold } from '../support/browser/walks.ts'
import { visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const SCRIPT = '**/build/hydrate-*.js'

test(
  'type, base URL and models typed before hydration count, and the caret stays',
  async () => {
    const page = await visit(await visitor(Role.admin), '/admin/channels')
    const script = await hold(page, SCRIPT)
    const known = await hold(page, '**/api/models')
    await page.getByRole('link', { name: 'Add channel' }).first().click()
    await script.requested
    const dialog = page.getByRole('dialog')
    const models = dialog.getByRole('combobox', { name: 'Models' })
    await dialog.getByRole('radio', { name: 'Anthropic Claude' }).check()
    await dialog.getByLabel('Base URL').fill('https://mirror.example/v1')
    await models.fill('claude-one, claude-two, claude-th')
    await models.press('ArrowLeft')
    script.release()

    await dialog.getByRole('button', { name: 'Remove claude-two' }).waitFor()
    expect(await models.inputValue()).toBe('claude-th')
    expect(await hasFocus(models)).toBe(true)
    await dialog.getByText('ends in /v1').waitFor()
    expect(await dialog.locator('[name=type]').inputValue()).toBe('14')
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Anthropic Claude')
    await dialog.getByRole('button', { name: 'Add known models' }).click()
    known.release()
    await dialog.getByRole('button', { name: /^Select all/ }).click()
    await dialog
      .getByRole('button', { name: /Remove claude-sonnet/ })
      .first()
      .waitFor()
    expect(await dialog.locator('[name=models]').inputValue()).toStartWith('claude-one,claude-two,claude-th,claude-')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'changes before hydration need a confirmation to be discarded',
  async () => {
    const page = await visit(await visitor(), '/app/tokens')
    const script = await hold(page, SCRIPT)
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await script.requested
    await page.getByRole('combobox', { name: 'Models' }).fill('o3')
    await page.keyboard.press('Tab')
    script.release()
    await page.getByRole('button', { name: 'Remove o3' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'discard' }).waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a click before hydration is replayed once, before the submit',
  async () => {
    const admin = await visitor(Role.admin)
    const { id } = await makeChannel(admin, { name: 'early', models: 'one,two' })
    const page = await visit(admin, '/admin/channels')
    const script = await hold(page, SCRIPT)
    await page.getByRole('link', { name: 'early', exact: true }).click()
    await script.requested
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove one' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    script.release()
    await page.getByText('Channel early updated').waitFor()
    expect((await admin.get(`/api/channel/${id}`)).data.models).toBe('two')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a submit before hydration waits for typed values, and Enter in a tag input submits nothing',
  async () => {
    const ann = await visitor()
    const page = await visit(ann, '/app/tokens')
    const script = await hold(page, SCRIPT)
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await script.requested
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('limited')
    await dialog.getByRole('combobox', { name: 'Models' }).fill('o3')
    await page.keyboard.press('Enter')
    await page.keyboard.type('o4-mini')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    expect(new URL(page.url()).search).toBe('?new')
    script.release()
    await page.getByText('Created limited').waitFor()
    const { data } = await ann.get('/api/token/?size=100')
    expect(data.map((token: { model_limits: string }) => token.model_limits)).toEqual(['o3,o4-mini'])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a script that fails to load shows a toast and is loaded again on the next interaction',
  async () => {
    const page = await visit(await visitor(), '/app/tokens')
    await page.route(SCRIPT, route => route.abort())
    await page.getByRole('link', { name: 'Create API key' }).first().click()
    await page.getByText('Unable to connect to server').waitFor()
    await page.unroute(SCRIPT)
    const models = page.getByRole('combobox', { name: 'Models' })
    await models.fill('o3,')
    await page.getByRole('button', { name: 'Remove o3' }).waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)
