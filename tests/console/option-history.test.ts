/** History of options: who changed what, and undoing one change. */
import { beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { loadOptions, option } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

beforeEach(async () => {
  await db.delete(auditLog)
  await db.delete(options)
  await loadOptions()
})

const save = async (key: string, value: unknown, person: Person = root) =>
  expect(await person.put('/api/option/', { key, value })).toMatchObject({ success: true })
const history = async (query = '', person = root) => (await person.get(`/api/option/history?${query}`)).data.items
const undo = (id: number, person = root, language: 'en' | 'zh' = 'en') =>
  person.post(`/api/option/history/${id}/undo`, {}, { language })

test('option history shows who changed what, newest first, with both values whole', async () => {
  await save('RetryTimes', 3, admin)
  await save('SensitiveWords', 'one\ntwo')
  await save('UserUsableGroups', '{"default":"","vip":"Very important"}')
  expect(await history()).toMatchObject([
    { key: 'UserUsableGroups', actor_name: 'root', after: { default: '' }, can_undo: true },
    { key: 'SensitiveWords', before: { value: ['test_sensitive'] }, after: { value: ['one', 'two'] } },
    { key: 'RetryTimes', actor_name: admin.username, before: { value: 0 }, after: { value: 3 } },
  ])
})

test.each([
  ['RetryTimes', '4'],
  ['CheckInEnabled', 'true'],
  ['SystemName', 'Gate'],
  ['ServerAddress', 'https://gate.example'],
  ['fallback_input_ratio', '2.5'],
  ['DataExportDefaultTime', 'day'],
  ['SensitiveWords', 'one\ntwo'],
  ['EmailDomainWhitelist', 'a.example,b.example'],
  ['Chats', '[{"A":"https://a.example/{key}"}]'],
  ['GroupRatio', '{"default":2,"other":1}'],
  ['UserUsableGroups', '{"default":"","__proto__":"x"}'],
  ['gemini.safety_settings', '{}'],
  ['Notice', '# Hello\n'],
  ['TierRatio', '{"m":[{"from":9,"model_ratio":2}]}'],
])('undo of %s writes back the value before, and can itself be undone', async (key, value) => {
  const texts = async () => JSON.stringify((await root.get('/api/option/')).data)
  const before = await texts()
  await save(key, value)
  const changed = await texts()
  expect(changed).not.toBe(before)
  const [change] = await history()
  expect(await undo(change.id)).toMatchObject({ success: true })
  expect(JSON.parse(await texts())).toEqual(JSON.parse(before))
  const [undone, first] = await history()
  expect([undone.before, first.can_undo]).toEqual([change.after, false])
  expect(await undo(undone.id)).toMatchObject({ success: true })
  expect(JSON.parse(await texts())).toEqual(JSON.parse(changed))
})

test('undo is refused once the value has changed since', async () => {
  await save('RetryTimes', 3)
  const [change] = await history()
  await save('RetryTimes', 5)
  expect(await undo(change.id)).toMatchObject({
    ...{ status: 409, success: false, code: 'option.changed_since' },
    message: 'Retries has been changed since: undo the later change first',
  })
  expect((await undo(change.id, root, 'zh')).message).toBe('失败重试次数 此后又有改动，请先撤销后来的改动')
  expect(option('RetryTimes')).toBe(5)
})

test('undo of one entry of a map leaves the entries changed later', async () => {
  await save('ModelRatio', '{"a":1,"b":2}')
  await save('ModelRatio', '{"a":1,"b":3}')
  const [second] = await history()
  await save('ModelRatio', '{"a":9,"b":3,"c":4}')
  expect(await undo(second.id)).toMatchObject({ success: true })
  expect(option('ModelRatio')).toEqual({ a: 9, b: 2, c: 4 })
})

test('undo is refused while another node has stored a value that this one has not read yet', async () => {
  await save('RetryTimes', 3)
  const [change] = await history()
  await db.update(options).set({ value: '7' })
  expect(await undo(change.id)).toMatchObject({ status: 409 })
  expect((await db.select().from(options)).map(({ value }) => value)).toEqual(['7'])
})

test('undo is validated as every save', async () => {
  await save('GitHubClientId', 'client')
  await save('GitHubClientSecret', 'secret')
  await save('GitHubOAuthEnabled', true)
  const change = (await history()).find(({ key }: { key: string }) => key === 'GitHubClientId')
  expect(await undo(change.id)).toMatchObject({
    success: false,
    message: 'Fill in the GitHub client ID and secret first',
  })
  expect(option('GitHubClientId')).toBe('client')
})

test('a secret is only marked as replaced, and its change cannot be undone', async () => {
  await save('SMTPToken', 'canary-1')
  await save('SMTPToken', 'canary-2')
  const edits = await history()
  expect(edits).toMatchObject([
    { secret: true, can_undo: false, before: { value: 'changed' }, after: { value: 'changed' } },
    { secret: true, can_undo: false },
  ])
  expect(JSON.stringify(edits)).not.toContain('canary')
  expect(await undo(edits[0].id)).toMatchObject({ status: 409, code: 'option.secret_not_undone' })
  expect(option('SMTPToken')).toBe('canary-2')
})

test('an administrator undoes no option of root, and no one else reads the history', async () => {
  await save('Notice', 'hello')
  const [change] = await history('', admin)
  expect(await undo(change.id, admin)).toMatchObject({ status: 403 })
  expect(option('Notice')).toBe('hello')
  expect((await (await visitor()).get('/api/option/history')).status).toBe(403)
})

test('undo of what is no change of an option is not found', async () => {
  await root.post('/api/user/', { username: 'undone', password: 'long-enough' })
  const [{ id }] = (await root.get('/api/audit/')).data.items
  for (const other of [id, 999_999]) expect((await undo(other)).status).toBe(404)
})

test('option history of one section leaves the others out, in pages', async () => {
  await save('RetryTimes', 3)
  await save('CheckInQuota', 5)
  await save('RetryTimes', 4)
  expect(await history('section=operation&page_size=1&p=2')).toMatchObject([{ key: 'RetryTimes', after: { value: 3 } }])
  expect((await history('section=checkIn')).map(({ key }: { key: string }) => key)).toEqual(['CheckInQuota'])
  expect((await root.get('/api/option/history?section=nothing')).status).toBe(400)
})

test('two simultaneous undos of one change write it back once', async () => {
  await save('RetryTimes', 3)
  const [change] = await history()
  const answers = await Promise.all([undo(change.id), undo(change.id)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(option('RetryTimes')).toBe(0)
})
