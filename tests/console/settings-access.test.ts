/** Rights, secrets and the switch of password login on the settings page. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { and, desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { SETTINGS_TABS } from '../../src/contracts/option.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { catalog, type OptionKey, optionKeys } from '../../src/domain/options/catalog.ts'
import { loadOptions, option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { passkeys } from '../../src/domain/two-factor/table.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { changeSetting, openSettings, sectionForms, sendSection } from '../support/people/settings-form.ts'

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

const secrets = optionKeys.filter(key => catalog[key].secret)

test('no page has a stored secret, and an empty field keeps it', async () => {
  for (const key of secrets) await setOptionAsSystem(key, `secret-of-${key}`)
  for (const person of [root, admin])
    for (const tab of SETTINGS_TABS) {
      const { html } = await openSettings(person, tab)
      expect([tab, html.includes('secret-of-')]).toEqual([tab, false])
    }
  const { forms } = await openSettings(root, 'system')
  for (const key of secrets) await sendSection(root, forms[catalog[key].section_name]!, { [key]: '' })
  expect(secrets.filter(key => option(key) !== `secret-of-${key}`)).toEqual([])
})

test.each(secrets)(
  '%s: its box to remove it is there while it is set, and a conflict shows it to nobody',
  async key => {
    const { tab } = catalog[key].section
    const box = async () => (await openSettings(root, tab)).html.includes(`name="clear_${key}"`)
    await setOptionAsSystem(key, '')
    expect([key, await box()]).toEqual([key, false])
    const section = (await openSettings(root, tab)).forms[catalog[key].section_name]!
    await setOptionAsSystem(key, 'their-secret')
    expect([key, await box()]).toEqual([key, true])
    const { status, html, errors } = await sendSection(root, section, { [key]: 'my-secret' })
    expect([key, status, Object.keys(errors), html.includes('their-secret')]).toEqual([key, 422, [key], false])
    await setOptionAsSystem(key, '')
  },
)

test('a typed secret replaces the stored one, a tick removes it', async () => {
  await setOptionAsSystem('SMTPToken', 'old')
  expect((await changeSetting(root, 'SMTPToken', 'new')).toast).toBe('1 setting saved')
  expect(option('SMTPToken')).toBe('new')
  expect((await changeSetting(root, 'SMTPToken', '', { clear_SMTPToken: 'true' })).toast).toBe('1 setting saved')
  expect(option('SMTPToken')).toBe('')
  const [entry] = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.target_id, 'SMTPToken'), eq(auditLog.actor_id, root.id)))
    .orderBy(desc(auditLog.id))
    .limit(1)
  expect(JSON.stringify(entry).includes('"new"')).toBe(false)
})

test('a secret that an enabled login needs is not removed', async () => {
  for (const [key, text] of [
    ['GitHubClientId', 'id'],
    ['GitHubClientSecret', 's'],
    ['GitHubOAuthEnabled', 'true'],
  ])
    await setOptionAsSystem(key as OptionKey, text!)
  const { status } = await changeSetting(root, 'GitHubClientSecret', '', { clear_GitHubClientSecret: 'true' })
  expect([status, option('GitHubClientSecret')]).toEqual([422, 's'])
})

test('fields of the super admin are locked for administrators, who see their values but no secret', async () => {
  await setOptionAsSystem('SMTPServer', 'mail.example.com')
  const { html, forms } = await openSettings(admin, 'system')
  expect([html.includes('value="mail.example.com"'), forms.smtp!.SMTPServer, forms.smtp!.read_SMTPServer]).toEqual([
    ...[true, undefined, undefined],
  ])
  for (const key of optionKeys.filter(key => catalog[key].root && catalog[key].section.tab === 'system'))
    expect([key, forms[catalog[key].section_name]![`read_${key}`]]).toEqual([key, undefined])
  const drawn = (await openSettings(root, 'system')).forms.smtp!
  const { status } = await sendSection(admin, drawn, { SMTPServer: 'other.example.com' })
  expect([status, option('SMTPServer')]).toEqual([403, 'mail.example.com'])
})

test('an administrator changes the other fields of a section with locked ones', async () => {
  expect((await changeSetting(admin, 'RetryTimes', '5')).toast).toBe('1 setting saved')
  expect((await openSettings(admin, 'operation')).forms.operation!.read_DemoSiteEnabled).toBeUndefined()
})

test('users are sent home and save nothing', async () => {
  const ann = await visitor()
  expect((await ann.page('/admin/settings?tab=system')).headers.get('location')).toBe('/')
  const { forms } = await openSettings(admin, 'operation')
  expect((await sendSection(ann, forms.operation!, { RetryTimes: '8' })).status).toBe(303)
  expect(option('RetryTimes')).toBe(0)
})

const dialog = 'Turn off password login?'

test('turning it off asks first; confirmed it is saved, cancelled the switch is on again', async () => {
  await db.insert(passkeys).values({ id: 'root', user_id: root.id, name: 'key', public_key: 'x', created_time: 1 })
  const asked = await changeSetting(root, 'PasswordLoginEnabled', undefined, { RegisterEnabled: 'true' })
  expect([asked.status, asked.html.includes(dialog), option('PasswordLoginEnabled')]).toEqual([200, true, true])

  const cancelled = await changeSetting(root, 'PasswordLoginEnabled', undefined, { confirm: 'cancel' })
  const { signIn } = await sectionForms(cancelled.html)
  expect([cancelled.html.includes(dialog), signIn!.PasswordLoginEnabled, option('PasswordLoginEnabled')]).toEqual([
    ...[false, 'true', true],
  ])
  const confirmed = await changeSetting(root, 'PasswordLoginEnabled', undefined, { confirm: 'PasswordLoginEnabled' })
  expect([confirmed.status, option('PasswordLoginEnabled')]).toEqual([303, false])
})

test('it stays on while root has no other way in', async () => {
  const { status, errors } = await changeSetting(root, 'PasswordLoginEnabled', undefined, {
    confirm: 'PasswordLoginEnabled',
  })
  expect([status, Object.keys(errors), option('PasswordLoginEnabled')]).toEqual([422, ['PasswordLoginEnabled'], true])
})
