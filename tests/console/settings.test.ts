/** The settings page: its forms, without scripts. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { units } from '../../src/console/option-words.ts'
import { Role } from '../../src/contracts/account.ts'
import { SETTINGS_TABS } from '../../src/contracts/option.ts'
import { GROUP_KEYS, PRICE_TABLES } from '../../src/contracts/pricing.ts'
import { db } from '../../src/db/database.ts'
import { catalog, type OptionKey, optionKeys } from '../../src/domain/options/catalog.ts'
import { currentOptions, loadOptions, option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { passkeys } from '../../src/domain/two-factor/table.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { changeSetting, openSettings, sendSection } from '../support/people/settings-form.ts'

let root: Person
let admin: Person

beforeAll(async () => {
  root = await setUp()
  admin = await visitor(Role.admin)
})

afterEach(async () => {
  await db.delete(options)
  await db.delete(passkeys)
  await loadOptions()
})

const elsewhere = new Set<string>([...PRICE_TABLES, ...GROUP_KEYS])
test('every tab draws every declared option with its section; price tables have pages of their own', async () => {
  const drawn: OptionKey[] = []
  for (const tab of SETTINGS_TABS) {
    const { status, html, forms } = await openSettings(root, tab)
    expect([tab, status]).toEqual([tab, 200])
    const keys = [...html.matchAll(/data-setting="([\w.]+)"/g)].map(([, key]) => key as OptionKey)
    expect(keys.filter(key => catalog[key].section.tab !== tab)).toEqual([])
    for (const key of keys) expect([key, html.includes(`id="field-${key}"`)]).toEqual([key, true])
    expect(Object.keys(forms).filter(name => !html.includes(`href="#section-${name}"`))).toEqual([])
    drawn.push(...keys)
  }
  expect(optionKeys.filter(key => !drawn.includes(key)).sort()).toEqual([...elsewhere].sort() as OptionKey[])
  for (const [area, keys] of [
    ['prices&view=tables', PRICE_TABLES],
    ['groups', GROUP_KEYS],
  ] as const) {
    const html = await (await root.page(`/admin/settings?tab=operation&area=${area}`)).text()
    expect(keys.filter(key => !html.includes(`name="${key}"`))).toEqual([])
  }
})

/** Texts of which each option takes at least one that is not its default. */
const texts = [
  ...['3', '0.5', '100', 'https://example.com/a', 'example.org', '{"default":2}', '{"default":"v1"}', '["x"]'],
  ...['[{"Site":"https://chat.example.com/#{key}"}]', '{"m":{"h":["v"]}}', 'week', 'some text'],
]

function otherText(key: OptionKey): string {
  const { schema, widget, initial } = catalog[key]
  if (widget === 'flag') return String(!initial)
  const encoded = schema.encode(initial)
  const wanted = texts.find(text => {
    const read = schema.safeParse(text)
    return read.success && schema.encode(read.data) !== encoded
  })
  if (wanted === undefined) throw new Error(`no other text for ${key}`)
  return wanted
}

/** What enabling these needs. */
const configuration: Record<string, string> = {
  ...{ TurnstileSiteKey: 'site', TurnstileSecretKey: 's3', GitHubClientId: 'id', GitHubClientSecret: 's3' },
  ...{ LinuxDOClientId: 'id', LinuxDOClientSecret: 's3', WeChatServerAddress: 'https://wechat.example.com' },
  ...{ TelegramBotToken: 't0', 'oidc.client_id': 'id', 'oidc.client_secret': 's3' },
  ...{ 'oidc.well_known': 'https://id.example.com/.well-known/openid-configuration' },
  ...{ fallback_single_price: '1' },
}

/** Quota is typed in dollars. */
const quotaIn = (key: OptionKey, text: string) =>
  units[key] === 'settings.unit_quota' ? String(Number(text) * option('QuotaPerUnit')) : text

test.each(SETTINGS_TABS.map(tab => [tab]))(
  'tab %s: each option is changed through its form, and read back',
  async tab => {
    const keys = optionKeys.filter(key => catalog[key].section.tab === tab && !elsewhere.has(key))
    const { forms: drawn } = await openSettings(root, tab)
    for (const key of keys) {
      const { section_name } = catalog[key]
      for (const [name, text] of Object.entries(configuration))
        if (/enabled$/i.test(key) && catalog[name as OptionKey].section_name === section_name)
          await setOptionAsSystem(name as OptionKey, text)
      if (section_name === 'payment') await setOptionAsSystem('ServerAddress', 'https://gate.example.com')
      if (key === 'GroupFallbacks') await setOptionAsSystem('ModelPrice', JSON.stringify({ v: 1 }))
      if (key === 'PasswordLoginEnabled')
        await db
          .insert(passkeys)
          .values({ id: 'root', user_id: root.id, name: 'key', public_key: 'x', created_time: 1 })
      const text = otherText(key)
      const value = catalog[key].widget === 'flag' ? (text === 'true' ? 'true' : undefined) : text
      const more = key === 'PasswordLoginEnabled' ? { confirm: key } : {}
      const { status, toast, errors } = await sendSection(root, drawn[section_name]!, { [key]: value, ...more })
      expect([key, status, toast, errors]).toEqual([key, 303, '1 setting saved', {}])
      const { schema } = catalog[key]
      const stored = schema.encode(schema.parse(quotaIn(key, text)))
      expect([key, currentOptions().text(key)]).toEqual([key, stored])
      await setOptionAsSystem('AdminTwoFactorRequired', 'false')
      if (!catalog[key].secret && key !== 'AdminTwoFactorRequired') {
        const { forms } = await openSettings(root, tab)
        const shown = forms[catalog[key].section_name]![key] ?? (catalog[key].widget === 'flag' ? 'false' : undefined)
        expect([key, schema.encode(schema.parse(quotaIn(key, String(shown))))]).toEqual([key, stored])
      }
      await db.delete(options)
      await loadOptions()
    }
  },
)

test('a search over name, help, key and place leads to the field on its tab', async () => {
  for (const [language, q, key] of [
    ['en', 'retries', 'RetryTimes'],
    ['en', 'smtpport', 'SMTPPort'],
    ['en', 'implicit tls', 'SMTPPort'],
    ['zh', '失败重试', 'RetryTimes'],
  ] as const) {
    const page = await admin.page(`/admin/settings?tab=other&q=${encodeURIComponent(q)}`, { language })
    const html = await page.text()
    const href = `href="/admin/settings?tab=${catalog[key].section.tab}#field-${key}"`
    expect([q, page.status, html.includes(href)]).toEqual([q, 200, true])
  }
  const none = await (await admin.page('/admin/settings?q=%3Cb%3Exyzzy')).text()
  expect([none.includes('No setting matches.'), none.includes('<b>xyzzy')]).toEqual([true, false])
})

test('an option with another value shows its default, and the link fills the field without saving', async () => {
  await setOptionAsSystem('SMTPPort', '465')
  const { html } = await openSettings(root, 'system')
  const href = /href="([^"]*default=SMTPPort[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  expect([html.includes('Default: 587.'), href]).toEqual([
    true,
    '/admin/settings?tab=system&default=SMTPPort#field-SMTPPort',
  ])
  const filled = await openSettings(root, 'system', '&default=SMTPPort')
  expect([filled.forms.smtp!.SMTPPort, option('SMTPPort')]).toEqual(['587', 465])
  expect((await sendSection(root, filled.forms.smtp!, {})).toast).toBe('1 setting saved')
  expect([option('SMTPPort'), (await openSettings(root, 'system')).html.includes('default=SMTPPort')]).toEqual([
    587,
    false,
  ])
})

test('its unknown options are named, and values that this one refuses are shown beside the default', async () => {
  await db.insert(options).values([
    { key: 'future.setting', value: 'x' },
    { key: 'RetryTimes', value: '<many>' },
    { key: 'Chats', value: '{"not": "a list"}' },
  ])
  await loadOptions()
  const operation = await openSettings(admin, 'operation')
  expect([operation.status, operation.html.includes('&lt;many&gt;'), operation.forms.operation!.RetryTimes]).toEqual([
    ...[200, true, '0'],
  ])
  const other = await openSettings(admin, 'other')
  expect([other.status, other.html.includes('<code>future.setting</code>')]).toEqual([200, true])
  expect((await changeSetting(admin, 'RetryTimes', '1')).toast).toBe('1 setting saved')
  const after = await openSettings(admin, 'operation')
  expect([option('RetryTimes'), after.html.includes('&lt;many&gt;')]).toEqual([1, false])
  expect((await db.select().from(options).where(eq(options.key, 'future.setting'))).length).toBe(1)
})
