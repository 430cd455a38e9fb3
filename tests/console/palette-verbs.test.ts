/** Verbs of the palette, values in its lines, and synonyms. */
import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { TokenStatus } from '../../src/contracts/token.ts'
import { db } from '../../src/db/database.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { setOption } from '../support/app/options.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

let root: Person
let admin: Person
let mira: Person
let channel: { id: number }

beforeAll(async () => {
  root = await setUp()
  ;[admin, mira] = [await visitor(Role.admin), await visitor(Role.user, 1_210_000)]
  channel = await makeChannel(root, { name: 'harbour', models: 'harbour-large', tag: 'tag-harbour' })
})

const part = { 'hx-request': 'true', 'hx-request-type': 'partial', 'hx-target': 'div#palette-results' }

/** Of each line of the palette: its text, and where it leads. */
async function lines(person: Person, text: string, language: 'en' | 'zh' = 'en'): Promise<[string, string][]> {
  const response = await person.page(`/palette?${new URLSearchParams({ q: text })}`, { headers: part, language })
  const html = await response.text()
  return [...html.matchAll(/<a href="([^"]+)"[^>]*>(.*?)<\/a>/g)].map(([, href, inside]) => [
    inside!
      .replace(/<svg.*?<\/svg>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    href!.replaceAll('&amp;', '&'),
  ])
}

test('a verb with a name leads to the form that does it, before or after the name, in both languages', async () => {
  const quota: [string, string] = [`Add quota to ${mira.username}… $2.42`, `/admin/users?quota=${mira.id}`]
  for (const text of [`Add quota to ${mira.username}`, `recharge ${mira.username}`, `给 ${mira.username} 充值`])
    expect([text, (await lines(admin, text))[0]]).toEqual([text, quota])
  const disable = `/admin/channels?edit=${channel.id}`
  expect(await lines(root, 'disable harbour')).toContainEqual(['Disable harbour… Enabled', disable])
  expect(await lines(root, '停用 harbour', 'zh')).toContainEqual(['禁用 harbour… 已启用', disable])
  expect((await storedChannel(channel.id)).status).toBe(1)
})

test('a name alone leads to what it names, and to what can be done with it after that', async () => {
  const found = await lines(admin, mira.username)
  expect(found[0]![0]).toContain(mira.username)
  expect(found[0]![0]).not.toContain('Add quota')
  expect(found.map(([label]) => label)).toContain(`Add quota to ${mira.username}… $2.42`)
})

test('a key that is not disabled can be disabled, an expired one too, and root never', async () => {
  const own = await visitor()
  const { data } = await own.post('/api/token/', { name: 'verb-key' })
  const verbs = async () => [
    (await lines(own, 'disable verb-key')).filter(([text]) => text.startsWith('Disable verb-key')).length,
    (await lines(own, 'enable verb-key')).filter(([text]) => text.startsWith('Enable verb-key')).length,
  ]
  expect(await verbs()).toEqual([1, 0])
  await db.update(tokens).set({ status: TokenStatus.expired }).where(eq(tokens.id, data.id))
  expect(await verbs()).toEqual([1, 0])
  await db.update(tokens).set({ status: TokenStatus.disabled }).where(eq(tokens.id, data.id))
  expect(await verbs()).toEqual([0, 1])
  expect((await lines(root, `disable ${root.username}`)).filter(([text]) => text.startsWith('Disable root'))).toEqual(
    [],
  )
})

test('a verb with a tag opens a dialog that switches its channels', async () => {
  const [, href] = (await lines(root, 'disable tag-harbour'))[0]!
  expect(href).toBe('/admin/channels?switch_tag=tag-harbour')
  const dialog = await (await root.page(href)).text()
  expect(dialog).toContain('Channels of the tag tag-harbour')
  expect((await root.form('/admin/channels/tag/switch?tag=tag-harbour', { status: '2' })).status).toBe(303)
  expect((await storedChannel(channel.id)).status).toBe(2)
  expect((await lines(root, 'enable tag-harbour'))[0]![0]).toBe('Enable tag-harbour… 0 of 1 enabled')
  await root.form('/admin/channels/tag/switch?tag=tag-harbour', { status: '1' })
})

test('the price of a model stands in its line: administrators reach its form, users the price page', async () => {
  const name = 'gpt-4o'
  const { id } = await makeChannel(root, { name: 'priced', models: name, group: 'default' })
  const text = 'Price of gpt-4o'
  expect((await lines(root, text))[0]).toEqual([
    'Price of gpt-4o $2.50 / $10.00',
    '/admin/settings?tab=operation&area=prices&edit=gpt-4o',
  ])
  expect((await lines(mira, text))[0]).toEqual([
    'Price of gpt-4o $2.50 / $10.00',
    '/pricing?keyword=gpt-4o&open=gpt-4o',
  ])
  await root.delete(`/api/channel/${id}`)
})

test('lines show states and balances, and more than five models', async () => {
  await mira.post('/api/token/', { name: 'laptop', remain_quota: 600_000, unlimited_quota: false })
  expect((await lines(mira, 'lapt'))[0]![0]).toMatch(/^laptop #\d+ Enabled · \$1\.20$/)
  expect((await lines(admin, mira.username)).map(([text]) => text)).toContain(`${mira.username} #${mira.id} $2.42`)
  const models = Array.from({ length: 9 }, (_, index) => `many-${index}`).join(',')
  const { id } = await makeChannel(root, { name: 'wide', models, group: 'default' })
  expect((await lines(mira, 'many-')).filter(([, href]) => href.startsWith('/pricing'))).toHaveLength(9)
  await root.delete(`/api/channel/${id}`)
})

test('pages and actions are found by synonyms of both languages, and what one may not do is not offered', async () => {
  const hrefs = async (person: Person, text: string) => (await lines(person, text)).map(([, href]) => href)
  expect(await hrefs(mira, 'recharge')).toEqual(['/app/wallet'])
  expect(await hrefs(mira, '余额')).toEqual(['/app/wallet'])
  expect(await hrefs(mira, 'voucher')).toEqual(['/app/wallet#field-key'])
  expect(await hrefs(root, 'upstreams')).toEqual(['/admin/channels'])
  expect(await hrefs(mira, 'create key')).toContain('/app/tokens?new')
  await setOption('TopUpLink', 'https://shop.example.com')
  expect(await lines(mira, 'top up')).toContainEqual(['Top up', '/app/wallet'])
  await setOption('TopUpLink', '')
  for (const text of [`add quota to ${mira.username}`, 'disable harbour', 'disable tag-harbour'])
    expect([text, (await hrefs(mira, text)).filter(href => href.startsWith('/admin'))]).toEqual([text, []])
  expect((await hrefs(admin, 'add quota to root')).filter(href => href.includes('quota='))).toEqual([])
})
