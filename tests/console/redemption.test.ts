// @engine both
/** Redemption codes as administrators manage them in the API. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { redemptions } from '../../src/domain/redemption/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { type MessageKey, translate } from '../../src/locales/index.ts'
import { languageCodes } from '../../src/locales/languages.ts'
import { holdClock, now } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { setUp, visitor } from '../support/people/person.ts'
import {
  type ListedCode,
  latest,
  newCode,
  newCodes,
  newRow,
  redeem,
  rowOf,
} from '../support/people/redemption-codes.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const ann = await visitor()

const BASE = '/api/redemption/'
const list = async (query = '') => (await root.get(`${BASE}${query}`)).data
const stored = () => db.$count(redemptions)

let address = 0
beforeEach(() => void address++)
/** Each test has addresses of its own. */
const from = (host = 1) => ({ address: `10.1.${address}.${host}` })

afterEach(async () => expect((await auditWallets()).difference).toBeUndefined())

test('a new code has the documented fields, and the list is newest first with its total', async () => {
  const { status, success, message, data } = await admin.post(BASE, { name: 'promo', quota: 7000, count: 2 })
  expect({ status, success, message }).toEqual({ status: 200, success: true, message: '' })
  expect(data).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
  const { items, page, total } = await list()
  expect([page, total >= 2, items.map(({ key }: ListedCode) => key)]).toEqual([1, true, data.toReversed()])
  expect(items[0]).toEqual({
    id: items[0].id,
    ...{ user_id: admin.id, key: data[1], status: 1, name: 'promo', quota: 7000, created_time: items[0].created_time },
    ...{ redeemed_time: 0, valid_from: 0, valid_until: 0, count: 0, used_user_id: 0, used_username: '' },
    ...{ is_gift: false, max_uses: -1, used_count: 0, DeletedAt: null },
  })
  expect(await list(String(items[0].id))).toEqual(items[0])
  expect((await list('?p=2&page_size=1')).items).toEqual([items[1]])
  const [row] = await db.select().from(redemptions).where(eq(redemptions.id, items[0].id))
  expect(JSON.stringify(row)).not.toContain(data[1])
})

test('defaults are 100,000 quota, one code, unlimited uses, and the quota as its name', async () => {
  await newCode()
  expect(await latest()).toMatchObject({ name: '$0.20', quota: 100_000, max_uses: -1, is_gift: false })
  await newCode({ name: '  ', quota: 1 })
  expect(await latest()).toMatchObject({ name: '$0.000002' })
  await newCode({ quota: Number.MAX_SAFE_INTEGER })
  expect(await latest()).toMatchObject({ name: '$18,014,398,509.48' })
  await setOption('DisplayInCurrencyEnabled', false)
  await newCode({ quota: 1_500_000 })
  expect(await latest()).toMatchObject({ name: '1,500,000' })
  await newCode({ quota: Number.MAX_SAFE_INTEGER })
  expect(await latest()).toMatchObject({ name: '9007199254740991' })
  await setOption('DisplayInCurrencyEnabled', true)
})

test('a search finds the start of a name in any case, or an id, and takes no wildcard', async () => {
  const one = await newRow({ name: 'Spring_sale 1' })
  await newCode({ name: 'late spring' })
  const found = async (keyword: string) =>
    (await list(`search?keyword=${encodeURIComponent(keyword)}&p=1&page_size=10`)).items.map(({ id }: ListedCode) => id)
  expect(await found('spring_')).toEqual([one.id])
  expect(await found('spring%')).toEqual([])
  expect(await found('sale')).toEqual([])
  expect(await found(String(one.id))).toEqual([one.id])
  expect(await found(one.key)).toEqual([one.id])
  expect(await found(one.key.slice(1))).toEqual([])
})

test('a code is found by the whole of it or its last four characters, a short one by the whole alone', async () => {
  const found = async (query: string) => (await list(`search?${query}`)).items.map(({ id }: ListedCode) => id)
  const long = await newRow({ key: 'a-long-code-of-ours-Zq7x' })
  const short = await newRow({ key: 'short-Zq7x' })
  expect(await found('keyword=Zq7x')).toEqual([long.id])
  expect(await found('keyword=%20a-long-code-of-ours-Zq7x')).toEqual([long.id])
  expect(await found('keyword=short-Zq7x')).toEqual([short.id])
  // As an earlier version has left it.
  await db.update(redemptions).set({ key_tail: null }).where(eq(redemptions.id, long.id))
  expect(await found('keyword=Zq7x')).toEqual([long.id])
})

test('codes are filtered by their state', async () => {
  holdClock(true)
  const named = { name: 'stated' }
  const codes = {
    unused: await newRow(named),
    used: await newRow(named),
    expired: await newRow(named),
    disabled: await newRow(named),
  }
  const set = (id: number, values: Partial<typeof redemptions.$inferInsert>) =>
    db.update(redemptions).set(values).where(eq(redemptions.id, id))
  await set(codes.used.id, { is_gift: true, max_uses: 1, used_count: 1, valid_until: past() })
  await set(codes.unused.id, { valid_until: now() })
  await set(codes.expired.id, { valid_until: now() - 1 })
  await set(codes.disabled.id, { status: 2, valid_until: past() })
  for (const [state, { id }] of Object.entries(codes)) {
    const { items } = await list(`search?keyword=stated&state=${state}`)
    expect([state, ...items.map((code: ListedCode) => code.id)]).toEqual([state, id])
    expect(await (await root.page(`/admin/coupons?keyword=stated&state=${state}`)).text()).toContain(`id="row-${id}"`)
  }
  holdClock(false)
})

test('paths work with and without a slash at the end', async () => {
  const { id } = await newRow()
  const made = await root.post('/api/redemption', { name: 'slash' })
  expect(made.data).toHaveLength(1)
  expect((await root.get('/api/redemption?p=1')).data.items[0].name).toBe('slash')
  expect((await root.get(`/api/redemption/${id}/`)).data.id).toBe(id)
  expect((await root.put('/api/redemption?status_only=true', { id, status: 2 })).data.status).toBe(2)
  expect(await root.delete(`/api/redemption/${id}/`)).toMatchObject({ success: true, data: 1 })
  expect((await root.get(`/api/redemption/${id}`)).status).toBe(404)
  expect(await root.delete(`/api/redemption/${id}`)).toMatchObject({ status: 404, code: 'redemption.not_found' })
})

const past = () => now() - 10
/** Each field with values that it refuses. */
const refusedValues: Record<string, [code: MessageKey, values: unknown[]]> = {
  count: ['redemption.count_invalid', [0, -1, 1.5, '5']],
  quota: ['redemption.quota_invalid', [-1, 0, 1.5, 2 ** 53, 'many', null]],
  max_uses: ['redemption.max_uses_invalid', [0, -2, 1.5]],
  name: ['redemption.name_length', ['兑'.repeat(21), 5]],
  key: ['redemption.key_invalid', ['a b', 'a\tb', 'x'.repeat(33), 'a\u0007']],
  valid_from: ['redemption.period_invalid', [-1, 1.5, 253_402_300_800]],
  valid_until: ['redemption.period_invalid', [-1, 1.5, 253_402_300_800]],
}

const refusedFields: [fields: () => object, field: string, code: MessageKey][] = [
  [() => ({ count: 101 }), 'count', 'redemption.too_many'],
  [() => ({ key: 'MINE', count: 5 }), 'count', 'redemption.key_count'],
  [() => ({ key: 'known' }), 'key', 'redemption.key_taken'],
  [() => ({ key: 'deleted' }), 'key', 'redemption.key_taken'],
  [() => ({ valid_from: now() + 20, valid_until: now() + 10 }), 'valid_until', 'redemption.period_reversed'],
  [() => ({ valid_from: 5, valid_until: 5 }), 'valid_until', 'redemption.period_reversed'],
  [() => ({ valid_until: past() }), 'valid_until', 'redemption.period_past'],
  [() => ({ valid_until: now() }), 'valid_until', 'redemption.period_past'],
  ...Object.entries(refusedValues).flatMap(([field, [code, values]]) =>
    values.map((value): (typeof refusedFields)[number] => [() => ({ [field]: value }), field, code]),
  ),
]

test('bad input of new codes is refused at its field in both languages, and nothing is created', async () => {
  await newCode({ key: 'known' })
  await newCode({ key: 'deleted' })
  await root.delete(`${BASE}${(await latest()).id}`)
  const before = await stored()
  for (const [fields, field, code] of refusedFields) {
    for (const language of languageCodes) {
      const answer = await root.post(BASE, { name: 'bad', ...fields() }, { language })
      expect([fields(), answer]).toMatchObject([{}, { status: 400, success: false, field, code }])
      expect(answer.message).toBe(translate(language, code))
    }
  }
  expect(await stored()).toBe(before)
})

test('a name has 20 characters of any script', async () => {
  expect((await root.post(BASE, { name: '兑'.repeat(20) })).success).toBe(true)
  expect((await root.post(BASE, { name: '🎁'.repeat(20) })).success).toBe(true)
})

test('an edit changes the given fields of an unused code only', async () => {
  const row = await newRow({ name: 'before', quota: 10, is_gift: true, max_uses: 3 })
  const valid_until = now() + 500
  const edited = await root.put(BASE, { ...row, name: 'after', quota: 20, max_uses: 5, valid_until })
  expect(edited.data).toMatchObject({ id: row.id, name: 'after', quota: 20, max_uses: 5, valid_until, key: row.key })
  expect((await root.put(BASE, { id: row.id, quota: 30 })).data).toMatchObject({
    name: 'after',
    quota: 30,
    max_uses: 5,
  })
  expect((await root.put(BASE, { id: row.id, is_gift: false })).data.is_gift).toBe(false)
  const refusals: [fields: object, field: string, code: string][] = [
    [{ name: ' ' }, 'name', 'redemption.name_length'],
    [{ quota: 0 }, 'quota', 'redemption.quota_invalid'],
    [{ max_uses: 0 }, 'max_uses', 'redemption.max_uses_invalid'],
    [{ valid_from: valid_until }, 'valid_until', 'redemption.period_reversed'],
    [{ valid_until: past() }, 'valid_until', 'redemption.period_past'],
  ]
  const before = await rowOf(row.id)
  for (const [fields, field, code] of refusals)
    expect(await root.put(BASE, { id: row.id, name: 'never', ...fields })).toMatchObject({ status: 400, field, code })
  expect(await rowOf(row.id)).toEqual(before)
  expect(await root.put(BASE, { id: 999_999, quota: 5 })).toMatchObject({ status: 404, code: 'redemption.not_found' })
})

test('a code whose period is over is edited like any other', async () => {
  const { id } = await newRow({ name: 'before' })
  const valid_until = past()
  await db.update(redemptions).set({ valid_until }).where(eq(redemptions.id, id))
  expect((await root.put(BASE, { id, name: 'after' })).data).toMatchObject({ name: 'after', valid_until })
})

test('the limit of a gift falls to its uses but not below, and its kind stays', async () => {
  const [bob, cid] = [await visitor(), await visitor()]
  const { id, key } = await newRow({ quota: 1, is_gift: true, max_uses: 9 })
  for (const person of [bob, cid]) await redeem(person, key, from())
  expect(await root.put(BASE, { id, max_uses: 1 })).toMatchObject({
    ...{ status: 400, field: 'max_uses', code: 'redemption.max_uses_below' },
    message: 'The code has been used 2 times: allow at least as many',
  })
  expect(await root.put(BASE, { id, is_gift: false })).toMatchObject({
    field: 'is_gift',
    code: 'redemption.kind_fixed',
  })
  expect((await root.put(BASE, { id, max_uses: 2 })).data).toMatchObject({ status: 3, max_uses: 2 })
  expect((await redeem(ann, key, from())).code).toBe('redemption.limit_reached')
  expect(await root.put(BASE, { id, max_uses: 3 })).toMatchObject({ code: 'redemption.only_unused_edited' })
})

test('a state is switched between unused and disabled, and used is final', async () => {
  const { id, key } = await newRow({ quota: 1 })
  const turn = (status: unknown) => root.put(`${BASE}?status_only=true`, { id, status })
  expect((await turn(2)).data.status).toBe(2)
  expect(await root.put(BASE, { id, quota: 5 })).toMatchObject({ code: 'redemption.only_unused_edited' })
  expect((await turn(2)).data.status).toBe(2)
  expect((await turn(1)).data.status).toBe(1)
  for (const wrong of [0, 3, 4, '1', null])
    expect(await turn(wrong)).toMatchObject({ status: 400, field: 'status', code: 'redemption.status_invalid' })
  await redeem(await visitor(), key, from())
  for (const status of [1, 2])
    expect(await turn(status)).toMatchObject({ success: false, code: 'redemption.used_final' })
  expect((await rowOf(id)).status).toBe(3)
})

test('a batch is disabled without its used codes, which stay used', async () => {
  const keys = await newCodes({ name: 'batch', quota: 1, count: 3 })
  await redeem(ann, keys[1], from())
  const rows: ListedCode[] = (await list('search?keyword=batch')).items
  const ids = rows.map(({ id }) => id)
  expect((await root.put(`${BASE}batch-disable`, { ids: [...ids, 999_999] })).data).toBe(2)
  expect((await list('search?keyword=batch')).items.map(({ status }: ListedCode) => status)).toEqual([2, 3, 2])
  for (const wrong of [[], undefined, ['1'], [1.5]])
    expect(await root.put(`${BASE}batch-disable`, { ids: wrong })).toMatchObject({
      ...{ status: 400, code: 'redemption.select_first' },
    })
})

test('deletion by name counts and takes the exact name, and disabled and used codes go together', async () => {
  await root.delete(`${BASE}delete-disabled`)
  await newCodes({ name: 'exact', count: 3 })
  await newCode({ name: 'exactly' })
  await newCode({ name: 'Exact' })
  expect((await root.get(`${BASE}count-by-name?name=exact`)).data).toBe(3)
  expect((await root.delete(`${BASE}delete-by-name?name=exact`)).data).toBe(3)
  expect((await root.get(`${BASE}count-by-name?name=exact`)).data).toBe(0)
  expect((await list('search?keyword=exact')).total).toBe(2)
  for (const call of [root.get(`${BASE}count-by-name?name=`), root.delete(`${BASE}delete-by-name`)])
    expect(await call).toMatchObject({ status: 400, field: 'name', code: 'redemption.name_required' })
  const [used, disabled, unused] = await newCodes({ name: 'done', quota: 1, count: 3 })
  await redeem(ann, used, from())
  const row = (await list('search?keyword=done')).items.find(({ key }: ListedCode) => key === disabled)
  await root.put(`${BASE}?status_only=true`, { id: row.id, status: 2 })
  expect((await root.delete(`${BASE}delete-disabled`)).data).toBe(2)
  expect((await list('search?keyword=done')).items.map(({ key }: ListedCode) => key)).toEqual([unused])
  expect((await redeem(await visitor(), disabled, from())).code).toBe('redemption.invalid')
})

test('a repeated Idempotency-Key creates nothing more and is answered as before', async () => {
  const before = await stored()
  const headers = { 'idempotency-key': 'create-1' }
  const create = (fields: object) => root.post(BASE, { name: 'idem', count: 3, ...fields }, { headers })
  const answers = await Promise.all(Array.from({ length: 5 }, () => create({})))
  expect(new Set(answers.map(({ data }) => data.join())).size).toBe(1)
  expect(await stored()).toBe(before + 3)
  expect(await create({ count: 2 })).toMatchObject({ status: 422, code: 'error.idempotency_key_reused' })
  const wrong = await root.post(BASE, {}, { headers: { 'idempotency-key': 'a b' } })
  expect(wrong).toMatchObject({ status: 400, code: 'error.idempotency_key_invalid' })
  expect(await stored()).toBe(before + 3)
})

test.each(['', null])('a blank limit of uses (%p) is no limit', async max_uses => {
  expect((await newRow({ is_gift: true, max_uses })).max_uses).toBe(-1)
})
