// @engine sqlite
/**
 * Channel types with a wire of their own are created, tested, listed and disabled in a browser: in the long tier all of
 * them in both languages, else three whose forms differ most in one language each.
 */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { type Translate, translator } from '../../src/locales/index.ts'
import type { Language } from '../../src/locales/languages.ts'
import { nameIn } from '../../src/locales/makers.ts'
import { providerOf } from '../../src/providers/index.ts'
import { PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { toast } from '../support/browser/walks.ts'
import { setUp } from '../support/people/person.ts'
import { storedChannel } from '../support/upstream/channel.ts'
import { modelOf, type RecordedProvider, recordedProviders } from '../support/upstream/fixtures.ts'

const TYPES = [11, 15, 16, 17, 18, 21, 23, 27, 33, 34, 37, 38, 39, 41, 44, 53, 56, 58, 59, 60, 101]
/** Access keys and a region, a service account, one key. */
const SHORT_TIER_TYPES = [33, 41, 17]
const PATH = '/admin/channels'

const root = await setUp()
const recorded = (await recordedProviders()).filter(({ server }) => TYPES.includes(server.channel.type))

test('every such type has recorded calls', () => {
  expect(recorded.map(({ server }) => server.channel.type).sort((a, b) => a - b)).toEqual(TYPES)
})

const languages = ['en', 'zh'] as const
const all = recorded.flatMap(one => languages.map(language => [one.name, language, one] as const))
const cases =
  process.env.TIER === 'long'
    ? all
    : SHORT_TIER_TYPES.map((type, at) => {
        const one = recorded.find(({ server }) => server.channel.type === type)!
        return [one.name, languages[at % languages.length]!, one] as const
      })

test.each(cases)(
  'a channel of %s is created, tested, listed and disabled: %s',
  async (name, language, one) => {
    const t = translator(language)
    const label = `${name}-${language}`
    const page = await visit(root, `${PATH}?new=`, { language })
    await fill(page, label, language, one)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('channel.add') })
      .click()
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe(t('channel.created', { name: label }))

    const row = page.getByRole('row').filter({ hasText: label })
    expect(await row.textContent()).toContain(providerOf(one.server.channel.type)!.label)
    prepare(one)
    await row.getByRole('button', { name: t('channel.test_it', { name: label }) }).click()
    await page.getByText(answered(t, label)).waitFor()
    expect(one.upstream.violations()).toEqual([])

    await row.getByRole('button', { name: t('channel.disable_it', { name: label }) }).click()
    await row.getByRole('button', { name: t('channel.enable_it', { name: label }) }).waitFor()
    const { data } = await root.get(`/api/channel/search?keyword=${label}`)
    expect((await storedChannel(data[0].id)).status).toBe(ChannelStatus.disabled)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

/** The beginning of the notice of a test that has succeeded. */
const answered = (t: Translate, name: string) => t('channel.answered', { name, seconds: '\0' }).split('\0')[0]!

function probeOf({ server, fixtures }: RecordedProvider) {
  return Object.fromEntries(fixtures)[server.probe ?? 'chat']!
}

/** The upstream is about to respond as in its recorded call. */
function prepare(one: RecordedProvider) {
  const { channel, answers, beside } = probeOf(one)
  one.upstream.expects({ ...one.server.channel, ...channel }, answers, {}, beside)
}

async function fill(page: Page, name: string, language: Language, one: RecordedProvider) {
  const { server, upstream } = one
  const { asks, channel } = probeOf(one)
  const { type, key = '', other, setting, model_mapping } = { ...server.channel, ...channel }
  const provider = providerOf(type)!
  const drawer = page.getByRole('dialog')
  const t = translator(language)
  await drawer.getByRole('searchbox', { name: t('provider.find') }).fill(provider.label)
  const shown = nameIn(language, provider.label)
  await drawer.getByRole('radio', { name: shown, exact: true }).check()
  await drawer.locator('[name=name]').fill(name)
  await drawer.locator('textarea[name=key]').fill(key)
  if (!provider.quirks.settings?.includes('routes')) {
    await drawer.locator('[name=base_url]').fill(upstream.url + (server.base ?? ''))
  }
  if (other) await drawer.locator('[name=other]').fill(other)
  await drawer.getByRole('combobox', { name: t('provider.models'), exact: true }).fill(`${modelOf(asks)} `)
  const settings = setting ? JSON.parse(setting.replaceAll('{upstream}', upstream.url)) : {}
  for (const [field, value] of Object.entries(settings)) await setTo(page, t, field, value)
  expect(model_mapping).toBeUndefined()
}

/** A setting with a field of its own. */
async function setTo(page: Page, t: Translate, name: string, value: unknown) {
  const field = page.getByRole('dialog').locator(`[name=setting_${name}]`)
  if (name === 'dify_app') return void (await field.selectOption(String(value)))
  if (name !== 'routes') return field.fill(String(value))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('mapping.as_json') })
    .click()
  await field.fill(JSON.stringify(value))
}
