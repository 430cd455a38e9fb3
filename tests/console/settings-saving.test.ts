/** Saving settings: order, failures, conflicts and what they reach. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { SETTINGS_TABS } from '../../src/contracts/option.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { catalog, optionKeys } from '../../src/domain/options/catalog.ts'
import { loadOptions, option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { changeSetting, openSettings, sectionForms, sendSection } from '../support/people/settings-form.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

let root: Person
let admin: Person

beforeAll(async () => {
  root = await setUp()
  admin = await visitor(Role.admin)
  await resetOptions()
})
afterEach(resetOptions)

async function resetOptions() {
  await db.delete(options)
  await loadOptions()
}

test('a form as it was drawn changes nothing and says so', async () => {
  for (const tab of SETTINGS_TABS) {
    const { forms } = await openSettings(root, tab)
    for (const [section, fields] of Object.entries(forms)) {
      const { status, toast } = await sendSection(root, fields, {})
      expect([section, status, toast]).toEqual([section, 303, 'You seem not to have changed anything'])
    }
  }
  expect(await db.$count(options)).toBe(0)
})

test('only what was changed is stored, with an entry of the audit log each', async () => {
  await db.delete(auditLog)
  const { forms } = await openSettings(admin, 'operation')
  const saved = await sendSection(admin, forms.operation!, { RetryTimes: '4', DisplayTokenStatEnabled: undefined })
  expect([saved.status, saved.location, saved.toast]).toEqual([
    ...[303, '/admin/settings?tab=operation#section-operation', '2 settings saved'],
  ])
  expect((await db.select().from(options)).map(({ key }) => key).sort()).toEqual([
    ...['DisplayTokenStatEnabled', 'RetryTimes'],
  ])
  const entries = await db.select().from(auditLog).where(eq(auditLog.actor_id, admin.id)).orderBy(desc(auditLog.id))
  expect(entries.map(({ action, target_id }) => [action, target_id])).toEqual([
    ['option.change', 'RetryTimes'],
    ['option.change', 'DisplayTokenStatEnabled'],
  ])
})

test('the server address comes before any option of top-ups', async () => {
  const { forms } = await openSettings(root, 'system')
  const typed = { Price: '7', MinTopUp: '5', TopupGroupRatio: '{"default":0.9}' }
  for (const [name, text] of Object.entries(typed)) {
    const section = Object.values(forms).find(fields => name in fields)!
    const { status, html } = await sendSection(root, section, { [name]: text })
    expect([name, status, html.includes('Please fill in server address first')]).toEqual([name, 422, true])
  }
})

test('quota is typed in dollars, is said in quota too, and stays exact where a dollar cannot say it', async () => {
  await setOptionAsSystem('QuotaForInvitee', '1234567')
  const { forms, html } = await openSettings(root, 'operation')
  const { QuotaForNewUser, QuotaForInvitee } = forms.quota!
  expect([QuotaForNewUser, QuotaForInvitee]).toEqual(['0', '2.469134'])
  expect(html.includes('Stored as 1,234,567 quota.')).toBe(true)
  const saved = await sendSection(root, forms.quota!, { QuotaForNewUser: '0.5' })
  expect([saved.toast, option('QuotaForNewUser'), option('QuotaForInvitee')]).toEqual([
    ...['1 setting saved', 250_000, 1_234_567],
  ])
  const refused = await sendSection(root, forms.quota!, { QuotaForInviter: 'many' })
  expect([refused.status, Object.keys(refused.errors), option('QuotaForInviter')]).toEqual([
    422,
    ['QuotaForInviter'],
    0,
  ])
  await setOptionAsSystem('QuotaPerUnit', '10000000')
  await setOptionAsSystem('QuotaForInvitee', '1234567')
  const fine = (await openSettings(root, 'operation')).forms.quota!
  expect(fine.QuotaForInvitee).toBe('0.123457')
  expect((await sendSection(root, fine, {})).toast).toBe('You seem not to have changed anything')
  await setOptionAsSystem('DisplayInCurrencyEnabled', 'false')
  const inQuota = await openSettings(root, 'operation')
  expect([inQuota.forms.quota!.QuotaForInvitee, inQuota.html.includes('Stored as')]).toEqual(['1234567', false])
})

const listed = optionKeys.filter(key => catalog[key].widget === 'list')
test.each(listed)('%s is shown as a list with spaces, which are not stored', async key => {
  const { tab } = catalog[key].section
  const text = ['a.example,b.example', '10.0.0.1,10.0.0.2', '80,443'].find(
    one => catalog[key].schema.safeParse(one).success,
  )!
  await setOptionAsSystem(key, text)
  const form = (await openSettings(root, tab)).forms[catalog[key].section_name]!
  expect([key, form[key]]).toEqual([key, text.replace(',', ', ')])
  expect((await sendSection(root, form, {})).toast).toBe('You seem not to have changed anything')
})

test('price administration is one part of the index, and the section of its options is gone', async () => {
  const { html } = await openSettings(root, 'operation')
  const [, index = ''] = /<nav class="section-list"[^>]*>(.*?)<\/nav>/s.exec(html) ?? []
  const titles = [...index.matchAll(/<a [^>]*>([^<]*)/g)].map(([, title]) => title)
  expect(titles.filter(title => title === 'Prices' || title === 'Pricing')).toEqual(['Prices'])
  expect(html.includes('field-ExposeRatioEnabled')).toBe(true)
})

test('errors stand at their fields, in their sections and in the index, and nothing is saved', async () => {
  const { forms } = await openSettings(root, 'operation')
  const answer = await sendSection(
    root,
    { ...forms.operation!, ...forms.rebate!, ...forms.chats! },
    { RetryTimes: '7', RebatePercentage: '120', RebateEnabled: 'true', Chats: '[{"a": ' },
  )
  expect([answer.status, answer.errors]).toEqual([
    422,
    {
      RebatePercentage: 'The rebate percentage must be between 0 and 100',
      Chats: 'Chat sites: not a valid JSON string',
    },
  ])
  expect(answer.problems).toEqual([
    'Please check input. Nothing was saved. There are errors in Chat links too.',
    'Please check input. Nothing was saved. There are errors in Invitations too.',
  ])
  expect(
    [...answer.html.matchAll(/data-section="(\w+)">[^<]*<span class="count-errors">/g)].map(([, name]) => name),
  ).toEqual([...['rebate', 'chats']])
  const again = await sectionForms(answer.html)
  expect([again.rebate!.RebatePercentage, again.rebate!.RebateEnabled, again.operation!.RetryTimes]).toEqual([
    ...['120', 'true', '7'],
  ])
  expect(again.chats!.Chats).toBe('[{"a": ')
  expect(await db.$count(options)).toBe(0)
})

test('switches are saved after the fields that they may need, until one fails, and the message names what was saved', async () => {
  const { forms } = await openSettings(root, 'system')
  const answer = await sendSection(
    root,
    { ...forms.server!, ...forms.email!, ...forms.github! },
    {
      ServerAddress: 'https://gate.example.com',
      EmailAliasRestrictionEnabled: 'true',
      GitHubOAuthEnabled: 'true',
      GitHubClientId: 'client',
    },
  )
  expect([answer.status, answer.errors]).toEqual([
    422,
    { GitHubOAuthEnabled: 'Fill in the GitHub client ID and secret first' },
  ])
  expect(answer.problems).toEqual([
    'Some saves failed, please retry. Saved: Reject email aliases, Server address, GitHub client ID. Not saved: GitHub login.',
  ])
  expect([option('EmailAliasRestrictionEnabled'), option('ServerAddress'), option('GitHubClientId')]).toEqual([
    ...[true, 'https://gate.example.com', 'client'],
  ])
  const again = await sectionForms(answer.html)
  expect([again.github!.GitHubClientId, again.github!.GitHubOAuthEnabled]).toEqual(['client', 'true'])
})

test('a login provider is filled in and switched on in one save', async () => {
  const { forms } = await openSettings(root, 'system')
  const { toast } = await sendSection(root, forms.github!, {
    GitHubOAuthEnabled: 'true',
    GitHubClientId: 'client',
    GitHubClientSecret: 'typed-secret',
  })
  expect(toast).toBe('3 settings saved')
  expect(option('GitHubOAuthEnabled')).toBe(true)
})

test('a first save that fails says that nothing was saved', async () => {
  const { status, errors, problems } = await changeSetting(root, 'TurnstileCheckEnabled', 'true')
  expect([status, errors, problems]).toEqual([
    422,
    { TurnstileCheckEnabled: 'Fill in the Turnstile site key and secret key first' },
    ['Save failed, please retry'],
  ])
})

test('options of a section that depend on each other are saved together', async () => {
  await setOptionAsSystem('fallback_input_ratio', '2')
  await setOptionAsSystem('fallback_completion_ratio', '3')
  await setOptionAsSystem('fallback_pricing_enabled', 'true')
  const { forms } = await openSettings(root, 'models')
  const ratios = { fallback_input_ratio: '', fallback_completion_ratio: '' }
  const bad = await sendSection(root, forms.fallbackPricing!, { fallback_single_price: '0.5' })
  expect([bad.status, Object.values(bad.errors)]).toEqual([
    422,
    [expect.stringContaining('with a price per call no ratios may be set')],
  ])
  const { toast } = await sendSection(root, forms.fallbackPricing!, { fallback_single_price: '0.5', ...ratios })
  expect([toast, option('fallback_single_price'), option('fallback_input_ratio')]).toEqual([
    ...['3 settings saved', 0.5, undefined],
  ])
})

test('payment needs the server address first', async () => {
  const { status, errors } = await changeSetting(root, 'PayAddress', 'https://pay.example.com')
  expect([status, errors]).toEqual([422, { PayAddress: 'Please fill in server address first' }])
  await setOptionAsSystem('ServerAddress', 'https://gate.example.com')
  expect((await changeSetting(root, 'PayAddress', 'https://pay.example.com/')).status).toBe(303)
  expect(option('PayAddress')).toBe('https://pay.example.com')
})

test('a change reaches the relay at once', async () => {
  await served(chat())
  const ann = await client()
  expect((await ann.chat()).status).toBe(200)
  const { forms } = await openSettings(admin, 'ratelimit')
  const limits = { ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitCount: '1' }
  expect((await sendSection(admin, forms.rateLimit!, limits)).toast).toBe('2 settings saved')
  expect([(await ann.chat()).status, (await ann.chat()).status]).toEqual([200, 429])
  const opened = await openSettings(admin, 'ratelimit')
  await sendSection(admin, opened.forms.rateLimit!, { ModelRequestRateLimitEnabled: undefined })
  expect((await ann.chat()).status).toBe(200)
})

test('an operator who saves what another has changed meanwhile sees both, and a second save replaces it', async () => {
  const { forms } = await openSettings(admin, 'operation')
  expect((await changeSetting(root, 'TopUpLink', 'https://theirs.example.com')).status).toBe(303)
  const changes = { TopUpLink: 'https://mine.example.com', RetryTimes: '9' }
  const answer = await sendSection(admin, forms.operation!, changes)
  expect([answer.status, Object.keys(answer.errors)]).toEqual([422, ['TopUpLink']])
  expect(answer.errors.TopUpLink).toContain('Someone else has changed this')
  expect(answer.html.includes('<pre>https://theirs.example.com</pre>')).toBe(true)
  expect([option('TopUpLink'), option('RetryTimes')]).toEqual(['https://theirs.example.com', 0])
  const again = (await sectionForms(answer.html)).operation!
  expect([again.TopUpLink, again.RetryTimes]).toEqual(['https://mine.example.com', '9'])
  expect((await sendSection(admin, again, {})).toast).toBe('2 settings saved')
  expect([option('TopUpLink'), option('RetryTimes')]).toEqual(['https://mine.example.com', 9])
})

test('an older form keeps what another has changed in fields that it leaves alone', async () => {
  const { forms } = await openSettings(admin, 'operation')
  await changeSetting(root, 'TopUpLink', 'https://theirs.example.com')
  expect((await sendSection(admin, forms.operation!, { RetryTimes: '2' })).toast).toBe('1 setting saved')
  expect([option('TopUpLink'), option('RetryTimes')]).toEqual(['https://theirs.example.com', 2])
})

test('two saves of one option at once: one succeeds, the other sees the conflict', async () => {
  const { forms } = await openSettings(root, 'operation')
  const answers = await Promise.all(['2', '3'].map(RetryTimes => sendSection(root, forms.operation!, { RetryTimes })))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422])
})
