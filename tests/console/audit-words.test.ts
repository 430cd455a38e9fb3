/** The audit log page in words: names of fields, values, links to the thing, and undo of an entry. */
import { beforeEach, expect, test } from 'bun:test'
import { desc } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { option } from '../../src/domain/options/index.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const root = await setUp()

beforeEach(async () => void (await db.delete(auditLog)))

const set = (key: string, value: string) => root.put('/api/option/', { key, value })

/** The newest entry, opened: its row and its fields as text, and its addresses. */
async function opened(language: 'en' | 'zh' = 'en') {
  const [entry] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  const headers = { cookie: `${root.cookie}; zone=UTC` }
  const response = await root.page(`/admin/audit?open=${entry!.id}`, { language, headers })
  const html = (await response.text()).replaceAll('<!-- -->', '')
  const [, row = ''] = /<tr id="row-\d+"[^>]*>(.*?)<\/tr>/s.exec(html) ?? []
  const [, body = ''] = /<table class="changed-fields">.*?<tbody>(.*?)<\/tbody>/s.exec(html) ?? []
  const texts = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, cells]) =>
    [...cells!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, text]) => text!.replaceAll('&amp;', '&')),
  )
  const links = [...row.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
  const undo = /action="([^"]*\/undo)"/.exec(html)?.[1]
  return { summary: row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '), fields: texts, links, undo }
}

const toast = (response: Response) =>
  JSON.parse(decodeURIComponent(/notice=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')![1]!)).text

test('a setting has its label and its value in money, and leads to its field', async () => {
  await set('QuotaForNewUser', '1000')
  await set('QuotaForNewUser', '5000')
  const english = await opened()
  expect(english.fields).toEqual([['Quota for new users', '1,000 ($0.002000)', '5,000 ($0.01)']])
  expect(english.summary.includes('Quota for new users 1,000 ($0.002000) → 5,000 ($0.01)')).toBe(true)
  expect(english.links).toContain('/admin/settings?tab=operation#field-QuotaForNewUser')
  expect((await opened('zh')).fields[0]![0]).toBe('新用户初始额度')
})

test('flags, secrets and tables of models are written as people read them', async () => {
  await set('RegisterEnabled', 'false')
  expect((await opened()).fields[0]!.slice(1)).toEqual(['Yes', 'No'])
  await set('RegisterEnabled', 'true')
  await set('SMTPToken', 'canary')
  expect((await opened()).fields[0]!.slice(1)).toEqual(['replaced', 'replaced'])
  await set('ModelPrice', '{}')
  await set('ModelPrice', '{"audited":0.5}')
  const prices = await opened()
  expect(prices.fields).toEqual([['audited', '–', '0.5']])
  expect(prices.links).toContain('/admin/settings?tab=operation&area=prices')
})

test('a channel has the names of its form, and leads to its drawer until it is deleted', async () => {
  const { id } = await makeChannel(root, { name: 'audited' })
  await root.put('/api/channel/', { id, type: 14, key: 'sk-other', auto_ban: 0, tag: 'eu' })
  const edit = await opened()
  expect(Object.fromEntries(edit.fields.map(([label, ...values]) => [label, values]))).toEqual({
    Provider: ['OpenAI', 'Anthropic Claude'],
    Keys: ['replaced', 'replaced'],
    'Automatic disabling': ['Yes', 'No'],
    Tag: ['–', 'eu'],
  })
  expect([edit.links.includes(`/admin/channels?edit=${id}`), edit.undo]).toEqual([true, undefined])
  await root.form(`/admin/channels/${id}/status`, { status: '2' })
  const off = await opened()
  expect(off.fields).toContainEqual(['State', 'Enabled', 'Disabled'])
  expect(off.fields).toContainEqual(['Reason', '–', 'Disabled manually'])
  await root.delete(`/api/channel/${id}`)
  expect((await opened()).links.some(link => link.includes('edit='))).toBe(true)
  expect((await opened()).links).not.toContain(`/admin/channels?edit=${id}`)
})

test('an entry is undone once by root, and refused after a later change', async () => {
  const { id } = await makeChannel(root, { tag: 'eu' })
  await root.put('/api/channel/', { id, tag: 'us' })
  const { undo } = await opened()
  const ann = await visitor(Role.admin)
  expect((await ann.form(undo!)).headers.get('location')).toBe('/')
  expect(toast(await root.form(undo!))).toBe('Change undone')
  expect((await storedChannel(id)).tag).toBe('eu')
  expect(toast(await root.form(undo!))).toBe('Nothing was undone: it has been changed since')
  expect((await root.form('/admin/audit/999999/undo')).status).toBe(404)

  const before = option('RetryTimes')
  await set('RetryTimes', String(before + 1))
  expect(toast(await root.form((await opened()).undo!))).toBe('Change undone')
  expect(option('RetryTimes')).toBe(before)
})

test('users and codes have words for state, role and balance, and a balance is not undone', async () => {
  const ann: Person = await visitor(Role.user, 1000)
  await root.form(`/admin/users/${ann.id}/manage`, { action: 'promote' })
  expect((await opened()).fields).toEqual([['Role', 'User', 'Admin']])
  await root.form(`/admin/users/${ann.id}/manage`, { action: 'disable' })
  const banned = await opened()
  expect([banned.fields, banned.links.includes(`/admin/users?edit=${ann.id}`)]).toEqual([
    [['State', 'Enabled', 'Banned']],
    true,
  ])
  await root.post('/api/topup', { user_id: ann.id, quota: 500_000 })
  const paid = await opened()
  expect([paid.fields[0], paid.undo]).toEqual([['Balance', '1,000 ($0.002000)', '501,000 ($1.00)'], undefined])
  await root.post('/api/redemption/', { name: 'audited', quota: 500, is_gift: true })
  const { fields } = await opened()
  expect(fields).toContainEqual(['Maximum of uses', '–', 'no limit'])
  expect(fields).toContainEqual(['Gift code', '–', 'Yes'])
  expect(fields).toContainEqual(['Quota', '–', '500 ($0.001000)'])
  expect(fields).toContainEqual(['Until', '–', '–'])
})
