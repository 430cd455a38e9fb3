/** Rotation of an API key: a new secret in the same row, and the end of the old one. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { anyone, type Person, visitor } from '../support/people/person.ts'

const make = async (person: Person, fields = {}) =>
  (await person.post('/api/token/', { name: 'laptop', remain_quota: 700, ...fields })).data
const tokenOf = async (person: Person, id: number) => (await person.get(`/api/token/${id}`)).data
const statusOf = async (key: string) =>
  (await anyone.get('/v1/models', { headers: { authorization: `Bearer sk-${key}` } })).status

test('a rotated key keeps its row and settings, the old secret is refused at once, and the change is audited', async () => {
  const [ann, bob, root] = [await visitor(), await visitor(), await visitor(Role.root)]
  const before = await make(ann, { model_limits_enabled: true, model_limits: 'gpt-4o' })
  expect(await statusOf(before.key)).toBe(200)
  const path = `/app/tokens/${before.id}/rotate`
  expect([(await bob.form(path)).status, await statusOf(before.key)]).toEqual([404, 200])

  const response = await ann.form(path, { returnTo: `/app/tokens?keys=${before.id}` })
  expect([response.status, response.headers.get('location')]).toEqual([303, `/app/tokens?keys=${before.id}`])
  const after = await tokenOf(ann, before.id)
  expect(after.key).not.toBe(before.key)
  expect({ ...after, key: '', accessed_time: 0 }).toEqual({ ...before, key: '', accessed_time: 0 })
  expect([await statusOf(before.key), await statusOf(after.key)]).toEqual([401, 200])

  const page = await (await ann.page(response.headers.get('location')!)).text()
  expect([page.includes(`sk-${after.key}`), page.includes(before.key)]).toEqual([true, false])

  const { data } = await root.get(`/api/audit/?action=token.rotate&actor=${ann.username}`)
  expect(data.items).toMatchObject([{ target_id: String(before.id), target_name: 'laptop', after: { key: 'changed' } }])
})

/** What the drawer sends of a new key when only its name is typed. */
const untouched = {
  ...{ group: '', count: '1', unlimited_quota: 'on', remain_quota: '', remain_quota_was: '1', used_quota: '0' },
  ...{ expired_time: '', rate_limit_period: '60', rate_limit_count: '1000', rate_limit_success: '0' },
  ...{ model_limits: '', allow_ips: '' },
}

test("a key's panel has both base URLs, and a new key is without limit until an amount is typed", async () => {
  const ann = await visitor()
  const { id } = await make(ann)
  const panel = await (await ann.page(`/app/tokens?keys=${id}`)).text()
  const urls = [...panel.matchAll(/select-all">(http[^<]+)</g)].map(([, url]) => url)
  expect(urls).toEqual(['http://localhost/v1', 'http://localhost'])

  const form = await (await ann.page('/app/tokens?new')).text()
  expect(/name="unlimited_quota"[^>]*checked=""|checked=""[^>]*name="unlimited_quota"/.test(form)).toBe(true)
  await ann.form('/app/tokens', { ...untouched, name: 'free' })
  await ann.form('/app/tokens', { ...untouched, name: 'five', remain_quota: '5' })
  const made = (await ann.get('/api/token/?size=100')).data as { name: string; unlimited_quota: boolean }[]
  expect(Object.fromEntries(made.map(({ name, unlimited_quota }) => [name, unlimited_quota]))).toEqual({
    ...{ laptop: false, free: true, five: false },
  })
})
