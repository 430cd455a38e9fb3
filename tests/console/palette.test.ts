/** The palette and the suggestions of pickers: what they find, and that they find only what the reader may see. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { requestId } from '../../src/crypto/random-id.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

let root: Person
let admin: Person
let ann: Person
let bob: Person
let channel: { id: number }
const request_id = requestId()

beforeAll(async () => {
  root = await setUp()
  ;[admin, ann, bob] = [await visitor(Role.admin), await visitor(), await visitor()]
  channel = await makeChannel(root, { name: 'Harbour-eu', models: 'harbour-large', group: 'default' })
  await makeChannel(root, { name: HOSTILE, models: 'secret-model', group: 'harbour-insiders' })
  await ann.post('/api/token/', { name: 'harbour-laptop' })
  await bob.post('/api/token/', { name: 'harbour-of-bob' })
  await write(ann, { request_id, model_name: 'harbour-large', token_name: 'harbour-laptop' })
})

const part = { 'hx-request': 'true', 'hx-request-type': 'partial', 'hx-target': 'div#palette-results' }

/** Addresses, or values of buttons, that the palette finds. */
async function found(person: Person, text: string, language: 'en' | 'zh' = 'en'): Promise<string[]> {
  const response = await person.page(`/palette?${new URLSearchParams({ q: text })}`, { headers: part, language })
  expect(response.status).toBe(200)
  const html = await response.text()
  return [...html.matchAll(/<(?:a href|button[^>]* value)="([^"]+)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'))
}

test('the palette lists the pages of the reader’s own menu, found in both languages and by path', async () => {
  const [everything, own] = [await found(root, ''), await found(ann, '')]
  expect(everything).toEqual(expect.arrayContaining(['/app/tokens', '/admin/channels', '/admin/audit', '/pricing']))
  expect(own).toEqual(expect.arrayContaining(['/app/tokens', '/app/wallet', '/app/tokens?new', 'gate-night', 'zh']))
  expect(own.filter(to => to.startsWith('/admin'))).toEqual([])
  for (const all of [everything, own]) expect(all.filter((to, at) => all.indexOf(to) !== at)).toEqual([])
  for (const [text, language] of [
    ['wallet', 'en'],
    ['钱包', 'zh'],
    ['wallet', 'zh'],
    ['/app/wal', 'en'],
  ] as const)
    expect([text, language, await found(ann, text, language)]).toEqual([text, language, ['/app/wallet']])
})

test('the palette finds channels and users for administrators, and own keys and callable models for everyone', async () => {
  expect(await found(root, 'HARBOUR')).toEqual([
    `/admin/channels?edit=${channel.id}`,
    '/pricing?keyword=harbour-large&open=harbour-large',
  ])
  expect(await found(root, `#${channel.id}`)).toEqual([`/admin/channels?edit=${channel.id}`])
  const { data } = await ann.get('/api/token/search?keyword=harbour-laptop')
  expect(await found(ann, 'harbour')).toEqual([
    `/app/tokens?edit=${data[0].id}`,
    '/pricing?keyword=harbour-large&open=harbour-large',
  ])
  expect(await found(ann, 'secret-model')).toEqual([])
  expect(await found(root, bob.username)).toContain(`/admin/users?edit=${bob.id}`)
  expect(await found(ann, bob.username)).toEqual([])
  // An administrator reads the name of root, and may not open it.
  expect(await found(admin, 'root')).toEqual(['/admin/users?keyword=root'])
})

test('a code that a customer sends is found by its end, by administrators only', async () => {
  await root.post('/api/redemption/', { key: 'welcome-to-the-harbour-K3wq', quota: 5 })
  const [{ id }] = (await root.get('/api/redemption/')).data.items
  expect(await found(root, 'K3wq')).toEqual([`/admin/coupons?edit=${id}`])
  expect(await found(ann, 'K3wq')).toEqual([])
})

test('settings are found by label and by key, by administrators only', async () => {
  expect(await found(root, 'CheckInQuota')).toEqual(['/admin/settings?tab=operation#field-CheckInQuota'])
  expect(await found(admin, 'checkinquota')).toHaveLength(1)
  expect((await found(admin, 'quota')).filter(to => to.startsWith('/admin/settings'))).toHaveLength(5)
  expect(await found(ann, 'CheckInQuota')).toEqual([])
})

test('a request id leads to its entry in the log, for its user and administrators', async () => {
  const [entry] = await db.select({ id: logs.id }).from(logs)
  const address = `/app/logs/api-usage?open=${entry!.id}`
  expect(await found(ann, request_id)).toEqual([address])
  expect(await found(root, ` ${request_id} `)).toEqual([address])
  expect(await found(bob, request_id)).toEqual([])
  for (const text of [requestId(), 'req_', 'req_none', `${request_id}x`, '%', '_'.repeat(300)])
    expect([text, await found(ann, text)]).toEqual([text, []])
})

test('without JavaScript the palette is a page with a form, which shows names as text', async () => {
  const html = await (await root.page(`/palette?${new URLSearchParams({ q: '<img' })}`)).text()
  expect([html.includes('<form role="search"'), html.includes('&lt;img src=x'), html.includes(HOSTILE)]).toEqual([
    true,
    true,
    false,
  ])
  const sheet = await (await ann.page('/palette/shortcuts')).text()
  expect([sheet.includes('data-go="t"'), sheet.includes('data-go="c"')]).toEqual([true, false])
  expect((await anyone.page('/palette')).headers.get('location')).toStartWith('/login')
})

const suggested = async (person: Person, of: string, text = '') =>
  (await person.get(`/api/suggestions/${of}?${new URLSearchParams({ q: text })}`)).data?.map(
    ({ value }: { value: string }) => value,
  )

test('pickers suggest at most ten names that the reader may see', async () => {
  expect(await suggested(root, 'channels', 'harb')).toEqual([`#${channel.id} Harbour-eu`])
  expect(await suggested(root, 'channels', String(channel.id))).toContain(`#${channel.id} Harbour-eu`)
  expect(await suggested(root, 'users', ann.username)).toEqual([ann.username])
  expect(await suggested(root, 'users')).toEqual([ann.username])
  expect(await suggested(ann, 'models')).toEqual(['harbour-large'])
  await setOption('GroupRatio', '{"default":1,"vip":1,"harbour-crew":1}')
  await makeChannel(root, { models: 'harbour-crew-large', group: 'harbour-crew' })
  for (const who of [root, admin])
    expect(await suggested(who, 'models', 'harbour')).toEqual(['harbour-large', 'harbour-crew-large'])
  expect(await suggested(ann, 'models', 'harbour')).toEqual(['harbour-large'])
  expect(await suggested(ann, 'tokens', 'harbour')).toEqual(['harbour-laptop'])
  expect(await suggested(bob, 'tokens', 'harbour')).toEqual(['harbour-of-bob'])
  for (const of of ['channels', 'users']) expect((await ann.get(`/api/suggestions/${of}`)).status).toBe(403)
  expect((await anyone.get('/api/suggestions/models')).status).toBe(401)
  for (let more = 0; more < 12; more++) await ann.post('/api/token/', { name: `many-${more}` })
  expect(await suggested(ann, 'tokens', 'many')).toHaveLength(10)
})

test('an administrator finds no user by an address that the list hides from them', async () => {
  await root.put('/api/user/', { id: root.id, username: 'root', display_name: 'Root User', email: 'chief@example.com' })
  expect(await suggested(admin, 'users', 'chief@')).toEqual([])
  expect(await found(admin, 'chief@')).toEqual([])
})

test('the log page carries no list of channels, and takes id and name of one as its filter', async () => {
  const page = async (query: string) => (await root.page(`/app/logs/api-usage?${query}`)).text()
  const plain = await page('')
  expect([plain.includes('Harbour-eu'), plain.includes('from="/api/suggestions/channels"')]).toEqual([false, true])
  for (const text of [String(channel.id), `#${channel.id}`, `#${channel.id} Harbour-eu`]) {
    const html = await page(new URLSearchParams({ channel: text }).toString())
    expect([text, html.includes(`value="#${channel.id} Harbour-eu"`)]).toEqual([text, true])
    expect(html.includes(`api-usage/export.csv?channel=${channel.id}"`)).toBe(true)
  }
})
