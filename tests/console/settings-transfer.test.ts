/** Export and import of settings: one file without secrets, a preview, and all or nothing. */
import { beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { catalog, optionKeys } from '../../src/domain/options/catalog.ts'
import { loadOptions, option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { VERSION } from '../../src/pure/version.ts'
import { setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

beforeEach(async () => {
  await db.delete(auditLog)
  await db.delete(options)
  await loadOptions()
})

const send = (options: unknown, preview = false) => root.post('/api/option/import', { options, preview })
const nothing = { changes: [], unknown: [], secrets: [], invalid: [] }

test('the export has every option but the secrets, and imports as no change', async () => {
  await setOptionAsSystem('SMTPToken', 'canary')
  await setOptionAsSystem('RetryTimes', '3')
  const { data } = await root.get('/api/option/export')
  expect(data).toMatchObject({ version: VERSION, options: { RetryTimes: '3' } })
  expect(Object.keys(data.options)).toEqual(optionKeys.filter(key => !catalog[key].secret))
  expect(JSON.stringify(data)).not.toContain('canary')
  expect(await root.post('/api/option/import', data)).toMatchObject({
    success: true,
    data: { ...nothing, unchanged: Object.keys(data.options).length },
  })
  expect(await db.$count(auditLog)).toBe(2)
})

test('an import restores every setting of the export, secrets aside', async () => {
  await setOptionAsSystem('RetryTimes', '3')
  await setOptionAsSystem('GroupRatio', '{"default":1,"vip":0.5}')
  const { data } = await root.get('/api/option/export')
  await db.delete(options)
  await loadOptions()
  await setOptionAsSystem('CheckInEnabled', 'true')
  const imported = await root.post('/api/option/import', data)
  expect(imported.data.changes.map(({ key }: { key: string }) => key).toSorted()).toEqual([
    ...['CheckInEnabled', 'GroupRatio', 'RetryTimes'],
  ])
  expect((await root.get('/api/option/export')).data.options).toEqual(data.options)
})

test('a preview names what changes, what is unknown, what is a secret and what is invalid, and changes nothing', async () => {
  const texts = {
    RetryTimes: 3,
    CheckInEnabled: false,
    AffEnabled: false,
    Newer: 'from another version',
    constructor: 'x',
    SMTPToken: 'canary',
    QuotaPerUnit: 0,
    GroupRatio: '{"default":-1}',
    GitHubOAuthEnabled: true,
    EmailDomainRestrictionEnabled: true,
    EmailDomainWhitelist: '',
  }
  const { data } = await send(texts, true)
  expect(data).toMatchObject({
    changes: [
      { key: 'RetryTimes', before: '0', after: '3' },
      { key: 'AffEnabled', before: 'true', after: 'false' },
      { key: 'GitHubOAuthEnabled' },
      { key: 'EmailDomainRestrictionEnabled' },
      { key: 'EmailDomainWhitelist' },
    ],
    unchanged: 1,
    unknown: ['Newer', 'constructor'],
    secrets: ['SMTPToken'],
    invalid: [
      { key: 'QuotaPerUnit', code: 'option.out_of_range' },
      { key: 'GroupRatio', code: 'option.group_ratio_negative' },
      { key: 'GitHubOAuthEnabled', code: 'option.github_incomplete' },
      { key: 'EmailDomainRestrictionEnabled', code: 'option.whitelist_empty' },
    ],
  })
  expect(await db.$count(options)).toBe(0)
})

test('one invalid option refuses the whole import', async () => {
  expect(await send({ RetryTimes: 3, QuotaPerUnit: 0, CheckInEnabled: true })).toMatchObject({
    ...{ status: 400, success: false, field: 'QuotaPerUnit' },
    message: 'Quota per dollar: this number is out of range',
  })
  expect([option('RetryTimes'), option('CheckInEnabled')]).toEqual([0, false])
  expect(await db.$count(options)).toBe(0)
})

test('an import that would lock root out changes nothing', async () => {
  expect(await send({ RetryTimes: 3, PasswordLoginEnabled: false })).toMatchObject({ code: 'option.root_locked_out' })
  expect(await db.$count(options)).toBe(0)
})

test('options that depend on each other are imported together', async () => {
  await setOptionAsSystem('GitHubClientSecret', 'secret')
  expect(await send({ GitHubOAuthEnabled: true, GitHubClientId: 'client' })).toMatchObject({ success: true })
  expect(option('GitHubOAuthEnabled')).toBe(true)
})

test.each([[undefined], [{}], [null], [[]], ['text'], [{ RetryTimes: null }], [{ RetryTimes: { a: 1 } }]])(
  'an import of %j is refused',
  async options => {
    expect(await send(options)).toMatchObject({ status: 400, success: false })
    expect(await db.$count(auditLog)).toBe(0)
  },
)

test('export and import are root’s', async () => {
  expect((await admin.get('/api/option/export')).status).toBe(403)
  expect((await admin.post('/api/option/import', { options: { RetryTimes: 1 } })).status).toBe(403)
})
