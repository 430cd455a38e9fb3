// @engine sqlite
// @tier long
/** The console in a browser that runs no script: every page reads, no control is dead, and operators do their work. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { screens } from '../shots/screens.ts'
import { PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { MODEL } from '../support/people/client.ts'
import { anyone, setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const root = await setUp()
const upstream = await startUpstream(chat())
await channelTo(upstream, { name: 'first' })
const second = await channelTo(upstream, { name: 'second' })
await root.post('/api/token/', { name: 'laptop', unlimited_quota: true })

/** Controls that do nothing without a script, what waits for one, and selects without a button that sends them. */
const deadControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = <Found extends HTMLElement>(selector: string) => [...document.querySelectorAll<Found>(selector)]
    for (const details of all<HTMLDetailsElement>('details')) details.open = true
    for (const layer of all('[popover]')) layer.removeAttribute('popover')
    const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })
    const isSender = (element: HTMLElement) => element.matches('button:not([type=button], [type=reset])')
    const isSent = (form: HTMLFormElement | null) =>
      ([...(form?.elements ?? [])] as HTMLElement[]).some(element => isSender(element) && isShown(element))
    const isLink = (button: HTMLButtonElement) => button.hasAttribute('popovertarget') || button.type === 'reset'
    const isDead = (button: HTMLButtonElement) => !button.disabled && !(button.type === 'submit' && button.form)
    // The bar of a selection is shown when a row is ticked.
    const isChoice = ({ type }: HTMLInputElement) => type === 'checkbox' || type === 'radio'
    const found = [
      ...all<HTMLButtonElement>('button:not(.shows-copied)').filter(button => !isLink(button) && isDead(button)),
      ...all<HTMLInputElement>('input, textarea').filter(
        field => field.type !== 'hidden' && !field.readOnly && !(field.form && (field.name || field.disabled)),
      ),
      ...all<HTMLSelectElement>('select').filter(({ form, name }) => !name || !isSent(form)),
      ...all<HTMLInputElement>('input').filter(
        field => isChoice(field) && field.form?.id !== 'selection' && !isSent(field.form),
      ),
      ...all('.loading, .skeleton, [aria-busy=true], progress:not([value]), iframe:not([src], [srcdoc])'),
    ]
    return found.filter(isShown).map(element => element.outerHTML.replace(/<svg.*?<\/svg>/gs, '').slice(0, 120))
  })

const overlays = [
  ...['/admin/channels?keyword=first', `/admin/channels?test=${second.id}`, `/admin/channels?edit=${second.id}`],
  ...['/admin/settings?tab=operation&history=operation', '/admin/users?new=', '/admin/messages?new='],
  ...['/admin/coupons?new=', '/app/me/notifications', '/app/tokens?keys=1', '/app/me/security?passkey='],
]

test(
  'every page reads without JavaScript, and none shows a control that only a script could serve',
  async () => {
    const dead: Record<string, string[]> = {}
    for (const reader of [anyone, root]) {
      const page = await visit(reader, '/about', { javascript: false })
      const own = screens.filter(screen => (screen.reader === 'visitor') === (reader === anyone))
      for (const path of [...own.map(screen => screen.path), ...(reader === root ? overlays : [])]) {
        await page.goto(path)
        expect([path, await page.locator('h1:visible').count()]).toEqual([path, 1])
        const found = await deadControls(page)
        if (found.length) dead[path] = found
      }
    }
    expect(dead).toEqual({})
  },
  PAGE_TEST_TIMEOUT_MS,
)

const fieldOf = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator(':is(input, select, textarea):visible'))

test(
  'settings of each kind are saved without JavaScript, refused at the field, and undone from the history',
  async () => {
    const page = await visit(root, '/admin/settings?tab=operation', { javascript: false })
    const field = (label: string) => fieldOf(page, label)
    const save = (section: string) =>
      page.locator(`form[data-section=${section}]`).getByRole('button', { name: 'Save', exact: true }).click()
    await field('Top-up link').fill('https://shop.example/')
    await field('Retries').fill('many')
    await save('operation')
    expect(await field('Retries').getAttribute('aria-invalid')).toBe('true')
    expect(await field('Top-up link').inputValue()).toBe('https://shop.example/')
    await field('Retries').fill('3')
    await field('Self-use mode').check()
    await save('operation')
    await field('Default granularity').selectOption('day')
    await save('dashboard')
    await field('Sensitive words').fill('one\ntwo')
    await save('sensitiveWords')
    await field('Chat sites').fill('[{"Chat":"https://chat.example/{key}"}]')
    await save('chats')
    const labels = ['Top-up link', 'Retries', 'Default granularity', 'Sensitive words', 'Chat sites']
    const values = await Promise.all(labels.map(label => field(label).inputValue()))
    expect(values.slice(0, 4)).toEqual(['https://shop.example/', '3', 'day', 'one\ntwo'])
    expect(JSON.parse(values[4]!)).toEqual([{ Chat: 'https://chat.example/{key}' }])
    expect(await field('Self-use mode').isChecked()).toBe(true)
    await page.locator('a[href*="history=operation"]').click()
    await page.getByRole('button', { name: 'Undo the change of Retries' }).click()
    await page.getByText('Change undone').waitFor()
    await page.goto('/admin/settings?tab=operation')
    expect(await field('Retries').inputValue()).toBe('0')

    await page.goto('/admin/settings?tab=system')
    await field('SMTP password').fill('canary')
    await save('smtp')
    const ratios = page.locator('[data-setting=TopupGroupRatio]')
    await ratios.getByLabel('Ratio 1', { exact: true }).fill('2')
    await ratios.getByLabel('Group 4', { exact: true }).fill('gold')
    await ratios.getByLabel('Ratio 4', { exact: true }).fill('3')
    await save('payment')
    await ratios.locator('summary').click()
    expect(JSON.parse(await ratios.locator('textarea').inputValue())).toEqual({ default: 2, vip: 1, svip: 1, gold: 3 })
    await page.getByText('Replace', { exact: true }).waitFor()
    expect((await page.content()).includes('canary')).toBe(false)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'channels are added, tested, copied, tagged and deleted without JavaScript',
  async () => {
    const page = await visit(root, '/admin/channels?new=', { javascript: false })
    const drawer = page.getByRole('dialog')
    const row = (name: string | RegExp) => page.getByRole('row', { name })
    const field = (label: string) => drawer.locator(fieldOf(page, label))
    await field('Type').selectOption('OpenAI')
    await field('Name').fill('by-hand')
    await field('Key').fill('sk-upstream')
    await drawer.getByLabel('Base URL').fill('upstream.example')
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    expect(await drawer.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true')
    await drawer.getByLabel('Base URL').fill(upstream.url)
    await field('Models').fill(MODEL)
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('Channel by-hand created').waitFor()
    await page.getByRole('button', { name: 'Test by-hand' }).click()
    await page.getByText(/^by-hand responded in/).waitFor()
    await page.getByRole('link', { name: 'by-hand' }).click()
    await field('Name').fill('renamed')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'renamed' }).click()
    await drawer.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.goto('/admin/channels')
    for (const box of await page.getByRole('checkbox', { name: /renamed/ }).all()) await box.check()
    await page.getByRole('button', { name: 'Set tag' }).click()
    await field('Tag').fill('eu')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 channels updated').waitFor()
    await page.getByRole('switch', { name: 'By tag' }).click()
    await page.getByRole('button', { name: 'Disable all channels of eu' }).click()
    await page.getByText('2 channels disabled').waitFor()
    await page.getByRole('link', { name: 'Edit tag eu' }).click()
    await field('Name').fill('europe')
    await field('Priority').fill('7')
    await drawer.getByRole('button', { name: 'Save' }).click()
    expect(await row(/europe/).textContent()).toContain('0 of 2 enabled')
    await page.goto('/admin/channels?open=europe')
    await page
      .getByRole('link', { name: /^renamed/ })
      .first()
      .click()
    expect(await field('Priority').inputValue()).toBe('7')
    await drawer.getByRole('link', { name: 'Delete' }).click()
    await drawer.getByRole('textbox').fill((await drawer.locator('b').first().textContent())!)
    await drawer.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^Channel renamed.* deleted$/).waitFor()
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'prices, playground and search lead on without JavaScript',
  async () => {
    const page = await visit(root, '/pricing', { javascript: false })
    await page.getByRole('searchbox').fill('4o-mini')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pricing?*4o-mini*')
    await page.goto('/playground')
    await fieldOf(page, 'Model').selectOption(MODEL)
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(await page.locator('pre:visible').textContent()).toContain(`"model": "${MODEL}"`)
    await page.locator('a.palette-button').click()
    await page.getByRole('searchbox').fill('audit')
    await page.keyboard.press('Enter')
    await page
      .getByRole('main')
      .getByRole('link', { name: /Audit log/ })
      .click()
    await page.waitForURL('**/admin/audit')
  },
  PAGE_TEST_TIMEOUT_MS,
)
