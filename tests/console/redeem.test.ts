/** Redeeming: what a code gives, whom it refuses, and how often one may guess. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { type MessageKey, translate } from '../../src/locales/index.ts'
import { type Language, languageCodes } from '../../src/locales/languages.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { balance, setUp, visitor } from '../support/people/person.ts'
import { newCode, newCodes, newRow, redeem, rowOf } from '../support/people/redemption-codes.ts'

const root = await setUp()
const ann = await visitor()

const BASE = '/api/redemption/'

let address = 0
beforeEach(() => void address++)
/** Each test has addresses of its own. */
const from = (host = 1) => ({ address: `10.1.${address}.${host}` })

afterEach(async () => expect((await auditWallets()).difference).toBeUndefined())

test('a custom key is trimmed, has up to 32 printable characters, and is matched exactly', async () => {
  expect(await newCodes({ key: ' Spring-2027 ', quota: 5 })).toEqual(['Spring-2027'])
  expect(await newCodes({ key: `春节${'x'.repeat(30)}` })).toEqual([`春节${'x'.repeat(30)}`])
  for (const wrong of ['spring-2027', 'Spring-202', 'Spring-2027x', 'Spring -2027'])
    expect(await redeem(ann, wrong, from())).toMatchObject({ success: false, code: 'redemption.invalid', field: 'key' })
  expect(await redeem(ann, '\t Spring-2027\n', from())).toMatchObject({ success: true, data: { quota: 5 } })
})

test('a plain code is credited once, with its use, a ledger row and a log entry', async () => {
  const bob = await visitor()
  const row = await newRow({ name: 'once', quota: 250_000 })
  expect(await redeem(bob, row.key, from())).toMatchObject({
    ...{ status: 200, success: true, data: { quota: 250_000, is_gift: false } },
  })
  expect(await redeem(bob, row.key, from())).toMatchObject({ success: false, code: 'redemption.already_used' })
  expect(await balance(bob)).toBe(250_000)
  expect(await rowOf(row.id)).toMatchObject({
    ...{ status: 3, used_count: 1, used_user_id: bob.id, used_username: bob.username },
    redeemed_time: expect.any(Number),
  })
  const entries = await db.select().from(ledger).where(eq(ledger.user_id, bob.id))
  expect(entries).toMatchObject([{ kind: 'redeem', delta: 250_000, reference: String(row.id), balance_after: 250_000 }])
  const { items } = (await bob.get(`/api/log/self?type=${LogType.topUp}`)).data
  expect(items).toMatchObject([
    { type: 1, username: bob.username, quota: 250_000, content: `Redeemed code ${row.id}: $0.500000` },
  ])
  const chinese = (await bob.get('/api/log/self?type=1', { language: 'zh' })).data.items[0]
  expect(chinese.content).toBe(`通过兑换码充值 $0.500000，兑换码 ID ${row.id}`)
})

test('a gift is used once by each user, up to its limit', async () => {
  const [bob, cid, dan] = [await visitor(), await visitor(), await visitor()]
  const row = await newRow({ name: 'party', quota: 10, is_gift: true, max_uses: 2 })
  expect((await redeem(bob, row.key, from())).data).toEqual({ quota: 10, is_gift: true })
  expect((await redeem(bob, row.key, from())).code).toBe('redemption.used_by_you')
  expect(await rowOf(row.id)).toMatchObject({ status: 1, used_count: 1 })
  expect((await redeem(cid, row.key, from())).success).toBe(true)
  expect(await rowOf(row.id)).toMatchObject({ status: 3, used_count: 2, used_user_id: cid.id })
  expect((await redeem(dan, row.key, from())).code).toBe('redemption.limit_reached')
  expect((await redeem(bob, row.key, from())).code).toBe('redemption.limit_reached')
  expect(await Promise.all([bob, cid, dan].map(balance))).toEqual([10, 10, 0])
  const [entry] = (await bob.get('/api/log/self?type=1')).data.items
  expect(entry.content).toBe(`Redeemed gift code ${row.id}: $0.000020`)
})

test('a plain code ignores a limit of uses, and a gift without one has no end', async () => {
  const [bob, cid] = [await visitor(), await visitor()]
  const plain = await newCode({ quota: 1, max_uses: 7 })
  expect((await redeem(bob, plain, from())).success).toBe(true)
  expect((await redeem(cid, plain, from())).code).toBe('redemption.already_used')
  const gift = await newCode({ quota: 1, is_gift: true })
  for (const person of [bob, cid, ann]) expect((await redeem(person, gift, from())).success).toBe(true)
})

const unusable: [code: MessageKey, make: (is_gift: boolean) => Promise<string>][] = [
  [
    'redemption.is_disabled',
    async is_gift => {
      const { id, key } = await newRow({ is_gift })
      await root.put(`${BASE}?status_only=true`, { id, status: 2 })
      return key
    },
  ],
  [
    'redemption.expired',
    async is_gift => {
      const key = await newCode({ is_gift, valid_until: now() + 5 })
      shiftClock(6)
      return key
    },
  ],
  ['redemption.not_yet_valid', is_gift => newCode({ is_gift, valid_from: now() + 60 })],
  [
    'redemption.not_yet_valid',
    async is_gift => {
      const { id, key } = await newRow({ is_gift })
      await root.put(BASE, { id, valid_from: now() + 60 })
      return key
    },
  ],
  [
    'redemption.invalid',
    async is_gift => {
      const { id, key } = await newRow({ is_gift })
      await root.delete(`${BASE}${id}`)
      return key
    },
  ],
]

test('disabled, expired, future, edited and deleted codes are refused in both languages, plain and gift', async () => {
  const bob = await visitor()
  for (const is_gift of [false, true]) {
    for (const [code, make] of unusable) {
      const key = await make(is_gift)
      for (const language of languageCodes) {
        const answer = await bob.post('/api/user/topup', { key }, { language })
        expect(answer).toMatchObject({ status: 200, success: false, code, field: 'key' })
        expect(answer.message).toBe(translate(language, code))
      }
    }
  }
  expect(await balance(bob)).toBe(0)
})

test('conditions are checked in order: the period before the state, the limit before an earlier use', async () => {
  const bob = await visitor()
  const { id, key } = await newRow({ valid_from: now() + 60, valid_until: now() + 120 })
  await root.put(`${BASE}?status_only=true`, { id, status: 2 })
  expect((await redeem(bob, key, from())).code).toBe('redemption.not_yet_valid')
  shiftClock(121)
  expect((await redeem(bob, key, from())).code).toBe('redemption.expired')
  for (const missing of ['', '  ', undefined, 5, null])
    expect(await redeem(bob, missing, from())).toMatchObject({ status: 400, code: 'redemption.key_required' })
})

test('a code is valid in its first and last second and between them', async () => {
  holdClock(true)
  const key = await newCode({ is_gift: true, quota: 1, valid_from: now() + 10, valid_until: now() + 20 })
  const tries: [seconds: number, code: string | undefined][] = [
    [9, 'redemption.not_yet_valid'],
    [1, undefined],
    [10, undefined],
    [1, 'redemption.expired'],
  ]
  for (const [seconds, code] of tries) {
    shiftClock(seconds)
    expect((await redeem(await visitor(), key, from())).code).toBe(code)
  }
  resetStores()
})

test('a repeated redemption is answered as before, also when the code is gone', async () => {
  const bob = await visitor()
  const { id, key } = await newRow({ quota: 40 })
  const once = { ...from(), idempotency_key: 'redeem-1' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(bob, key, once)))
  for (const answer of answers) expect(answer).toMatchObject({ success: true, data: { quota: 40, is_gift: false } })
  await root.delete(`${BASE}${id}`)
  expect(await redeem(bob, key, once)).toMatchObject({ success: true, data: { quota: 40, is_gift: false } })
  expect(await redeem(bob, await newCode(), once)).toMatchObject({ status: 422, code: 'error.idempotency_key_reused' })
  expect(await balance(bob)).toBe(40)
})

const wrongKey = () => `wrong-${crypto.randomUUID()}`

test('a user has ten wrong tries in ten minutes, from any address, concurrent ones included', async () => {
  const bob = await visitor()
  const { key } = await newRow({ quota: 1, is_gift: true })
  const tries = await Promise.all(Array.from({ length: 30 }, (_, host) => redeem(bob, wrongKey(), from(host))))
  expect(tries.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), ...Array(20).fill(429)])
  expect(await redeem(bob, key, from(99))).toMatchObject({
    ...{ status: 429, code: 'redemption.throttled', data: { retry_after: expect.any(Number) } },
  })
  shiftClock(601)
  expect((await redeem(bob, key, from(99))).success).toBe(true)
})

test('an address has ten wrong tries in ten minutes, of all its users, and known codes are none', async () => {
  const people = await Promise.all(Array.from({ length: 11 }, () => visitor()))
  const used = await newCode({ quota: 1 })
  for (const person of people) await redeem(person, used, from())
  for (const person of people.slice(0, 10)) expect((await redeem(person, wrongKey(), from())).status).toBe(200)
  const last = people[10]!
  for (const language of languageCodes as Language[]) {
    const { status, message } = await last.post(
      '/api/user/topup',
      { key: wrongKey() },
      { language, headers: { 'x-forwarded-for': from().address } },
    )
    const expected = translate(language, 'redemption.throttled', { seconds: 600 }).replace(/600|59\d/, '')
    expect([status, message.replace(/600|59\d/, '')]).toEqual([429, expected])
  }
  expect((await redeem(last, wrongKey(), from(2))).code).toBe('redemption.invalid')
})

test('a code that would exceed the largest balance is refused and stays unused', async () => {
  const rich = await visitor(Role.user, Number.MAX_SAFE_INTEGER)
  const { id, key } = await newRow({ quota: 1 })
  expect(await redeem(rich, key, from())).toMatchObject({ status: 400, code: 'wallet.balance_too_large' })
  expect(await rowOf(id)).toMatchObject({ status: 1, used_count: 0, used_user_id: 0 })
  const [entry] = await db.select().from(ledger).where(eq(ledger.user_id, rich.id)).orderBy(desc(ledger.id)).limit(1)
  expect(entry?.kind).toBe('admin')
})
