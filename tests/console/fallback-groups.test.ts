/** Groups that a key falls back to, as its owner sets them. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { resetPrices, setPrice } from '../support/app/prices.ts'
import { type Person, visitor } from '../support/people/person.ts'

const offer = (...groups: string[]) =>
  setPrice('UserUsableGroups', Object.fromEntries(groups.map(name => [name, name])))

beforeEach(async () => {
  await setPrice('GroupRatio', { default: 1, vip: 0.8, dear: 3, third: 2 })
  await offer('default', 'vip', 'dear', 'third')
})
afterAll(resetPrices)

const keys = (ann: Person) => ann.get('/api/token/').then(({ data }: { data: Record<string, unknown>[] }) => data)

const bad: [name: string, fields: object, message: string][] = [
  ['a group that the owner may not use', { fallback_groups: 'vip,secret' }, 'You cannot use the group “secret”'],
  ['the own group of the key', { group: 'vip', fallback_groups: 'dear,vip' }, 'begins in the group “vip”'],
  ['the own group of the owner', { fallback_groups: 'vip,default' }, 'begins in the group “default”'],
  ['too many groups', { fallback_groups: Array.from({ length: 9 }, (_, at) => `g${at}`).join() }, 'at most 8'],
  ['a list that is no text', { fallback_groups: ['vip'] }, ''],
]

test.each(bad)('fallback groups: %s is refused, and nothing is stored', async (_name, fields, message) => {
  const ann = await visitor()
  const { success, message: words } = await ann.post('/api/token/', { name: 'key', ...fields })
  expect([success, words]).toEqual([false, expect.stringContaining(message)])
  expect(await keys(ann)).toEqual([])
})

test('fallback groups: the order and the group are kept by the API, and by an edit without them', async () => {
  const ann = await visitor()
  await ann.post('/api/token/', { name: 'key', group: 'vip', fallback_groups: ' dear, third ,,dear' })
  const [made] = await keys(ann)
  expect(made).toMatchObject({ group: 'vip', fallback_groups: 'dear,third' })
  await ann.put('/api/token/', { id: made!.id, name: 'other' })
  expect((await keys(ann))[0]).toMatchObject({ name: 'other', group: 'vip', fallback_groups: 'dear,third' })
  const { success } = await ann.put('/api/token/', { id: made!.id, group: 'dear' })
  expect(success).toBe(false)
  expect((await keys(ann))[0]).toMatchObject({ group: 'vip', fallback_groups: 'dear,third' })
})

test('fallback groups: a group that is lost stays while the key is edited, and cannot be added again', async () => {
  const ann = await visitor()
  await ann.post('/api/token/', { name: 'key', fallback_groups: 'dear,vip' })
  const [made] = await keys(ann)
  await offer('default', 'vip')
  await ann.put('/api/token/', { id: made!.id, fallback_groups: 'vip,dear' })
  expect((await keys(ann))[0]).toMatchObject({ fallback_groups: 'vip,dear' })
  await ann.put('/api/token/', { id: made!.id, fallback_groups: 'vip' })
  expect((await ann.put('/api/token/', { id: made!.id, fallback_groups: 'vip,dear' })).success).toBe(false)
})

test('fallback groups: the form of a key has a field for each, in order, and shows what is wrong with one', async () => {
  const ann = await visitor()
  const typed = {
    name: 'typed',
    count: '1',
    used_quota: '0',
    rate_limit_period: '60',
    rate_limit_count: '0',
    rate_limit_success: '0',
  }
  const post = (path: string, ...groups: string[]) =>
    ann.form(path, { ...typed, group: 'vip', unlimited_quota: 'on', 'fallback_groups[]': groups })
  await post('/app/tokens?new', 'third', '', 'dear')
  const [made] = await keys(ann)
  expect(made).toMatchObject({ name: 'typed', fallback_groups: 'third,dear' })
  const page = await (await ann.page(`/app/tokens?edit=${made!.id}`)).text()
  const chosen = [...page.matchAll(/<option value="(\w+)" selected/g)].map(([, value]) => value)
  expect(chosen).toEqual(expect.arrayContaining(['vip', 'third', 'dear']))
  expect(chosen.indexOf('third')).toBeLessThan(chosen.indexOf('dear'))
  const refused = await (await post(`/app/tokens/${made!.id}`, 'dear', 'vip')).text()
  expect(refused).toContain('it cannot fall back to it')
  expect((await keys(ann))[0]).toMatchObject({ fallback_groups: 'third,dear' })
})
