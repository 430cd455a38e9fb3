// @engine sqlite
/** Limits of a channel in a browser: set in its drawer, they send calls to the next one, and its page shows how full each is. */
import { beforeEach, expect, test } from 'bun:test'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const root = await setUp()
beforeEach(deleteChannels)

const usage = { prompt_tokens: 9, completion_tokens: 191, total_tokens: 200 }
const setting = JSON.stringify({
  tpm: 100_000,
  key_rpm: 8,
  key_concurrency: 4,
  model_limits: { 'gpt-4o': { tpm: 9000 } },
})
const words = {
  en: {
    limits: 'Limits',
    rpm: 'Requests per minute',
    full: '2 of 2',
    used: '400 of 100,000',
    tpm: 'Tokens per minute',
  },
  zh: { limits: '限额', rpm: '每分钟请求数', full: '2 / 2', used: '400 / 100,000', tpm: '每分钟 token 数' },
} as const

test.each(
  looksInTier([
    ['desktop', 'en', 'gate', true],
    ['phone', 'zh', 'gate-night', true],
    ['phone', 'en', 'gate', true],
    ['desktop', 'zh', 'gate-night', true],
    ['desktop', 'en', 'gate', false],
  ] as const),
)(
  'a limit of a channel is typed, met by calls and shown on its page: %s, %s, %s, script %p',
  async (screen, language, theme, javascript) => {
    const first = await served(chat({ usage }), { name: 'limited', setting, priority: 10 })
    const second = await served(chat({ usage }), { name: 'next' })
    const look = { screen, language, theme, javascript }
    const drawer = await visit(root, `/admin/channels?edit=${first.id}`, look)
    for (const closed of await drawer.locator('dialog details:not([open])').all())
      if (await closed.locator('[name=setting_rpm]').count()) await closed.locator('summary').first().click()
    await drawer.locator('[name=setting_rpm]').fill('2')
    await drawer.locator('[name=setting_rpm]').press('Enter')
    await drawer.waitForURL(url => !url.search.includes('edit='))
    await leave(drawer)

    const ann = await client()
    for (let call = 0; call < 5; call++) expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([2, 3])

    const { limits, rpm, full, used, tpm } = words[language]
    const page = await visit(root, `/admin/channels/${first.id}/report`, look)
    expect(await page.getByRole('heading', { name: new RegExp(`^${limits}`) }).count()).toBe(1)
    const meters = page.getByRole('meter')
    const read = await meters.evaluateAll(all =>
      all.map(meter => [
        meter.getAttribute('aria-label'),
        meter.getAttribute('aria-valuenow'),
        meter.getAttribute('aria-valuemax'),
      ]),
    )
    expect(read).toEqual(
      expect.arrayContaining([
        [rpm, '2', '2'],
        [tpm, '400', '100000'],
        [rpm, '2', '8'],
        [tpm, '400', '9000'],
      ]),
    )
    expect(await page.locator('main').innerText()).toContain(full)
    expect(await page.locator('main').innerText()).toContain(used)
    if (javascript) expect(await accessibilityViolations(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    expect(problemsOf(page)).toEqual([])
    await leave(page)
  },
  PAGE_TEST_TIMEOUT_MS,
)
