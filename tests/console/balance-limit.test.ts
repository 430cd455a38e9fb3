/** The largest balance, 2^53 - 1: every way to credit reaches it exactly and is refused beyond it. */
import { afterAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import type { Language } from '../../src/locales/languages.ts'
import { type Answer, type Person, setUp, visitor } from '../support/people/person.ts'
import { newCode } from '../support/people/redemption-codes.ts'

/** 9007199254740991; 2^53 is the first whole number that a float takes for another. */
const MAX = Number.MAX_SAFE_INTEGER
/** Least quota of a transfer. */
const UNIT = 500_000

afterAll(async () => expect((await auditWallets()).difference).toBeUndefined())

type Send = (ann: Person, quota: number | string, language: Language) => Promise<Answer>

/** A body with this number as it is written, which may be none that a float holds. */
const bodyWith = (field: string, quota: number | string, fields: object = {}) =>
  JSON.stringify({ ...fields, [field]: 0 }).replace(`"${field}":0`, `"${field}":${quota}`)

const topUp: Send = async (ann, quota, language) =>
  (await setUp()).post('/api/topup', bodyWith('quota', quota, { user_id: ann.id }), { language })

const edit: Send = async (ann, quota, language) =>
  (await setUp()).put('/api/user/', bodyWith('quota_delta', quota, { id: ann.id }), { language })

const transfer: Send = (ann, quota, language) =>
  ann.post('/api/user/aff_transfer', bodyWith('quota', quota), { language })

/** A code of so much quota is created, and redeemed when that is not refused. */
const redeem: Send = async (ann, quota, language) => {
  const root = await setUp()
  const created = await root.post('/api/redemption/', bodyWith('quota', quota), { language })
  return created.success ? ann.post('/api/user/topup', { key: created.data[0] }, { language }) : created
}

const invalid = {
  en: 'Quota must be a whole number, at most 9,007,199,254,740,991',
  zh: '额度必须是整数，最大为 9,007,199,254,740,991',
}
const ways: [name: string, send: Send, least: number, beyond: Record<Language, string>][] = [
  ['top-up by an administrator', topUp, 1, invalid],
  ['edit by an administrator', edit, 1, invalid],
  [
    ...(['redemption code', redeem, 1] as const),
    {
      en: 'Quota must be a whole number from 1 to 9,007,199,254,740,991',
      zh: '额度必须是 1 到 9,007,199,254,740,991 之间的整数',
    },
  ],
  [
    ...(['transfer of earnings', transfer, UNIT] as const),
    {
      en: 'Enter a whole amount of quota, at most 9,007,199,254,740,991',
      zh: '请输入整数额度，最大为 9,007,199,254,740,991',
    },
  ],
]

const refusalOf = (balance: number, delta: number): Record<Language, string> => ({
  en: `The balance of ${balance} cannot grow by ${delta}: it would exceed the maximum`,
  zh: `余额 ${balance} 增加 ${delta} 后将超出上限`,
})

/** Someone with this balance, and earnings to transfer. */
async function rich(quota: number): Promise<Person> {
  const ann = await visitor(1, quota)
  await db
    .update(users)
    .set({ aff_quota: 3 * UNIT })
    .where(eq(users.id, ann.id))
  return ann
}

/** The digits of the balance, as the API writes them. */
async function balanceText(ann: Person): Promise<string> {
  const body = await (await ann.fetch('/api/user/self')).text()
  return /"quota":([^,}]+)/.exec(body)![1]!
}

async function rowOf(ann: Person) {
  const [row] = await db.select().from(users).where(eq(users.id, ann.id))
  return { quota: row!.quota, aff_quota: row!.aff_quota }
}

describe.each(ways)('%s', (_, send, least, beyond) => {
  test('the largest balance is reached exactly, and not exceeded', async () => {
    const ann = await rich(MAX - least)
    expect(await send(ann, least, 'en')).toMatchObject({ success: true })
    expect(await balanceText(ann)).toBe('9007199254740991')
    const before = await rowOf(ann)
    for (const language of ['en', 'zh'] as const) {
      const refused = await send(ann, least, language)
      expect(refused).toMatchObject({ success: false, status: 400, message: refusalOf(MAX, least)[language] })
    }
    expect(await rowOf(ann)).toEqual(before)
  })

  test('a credit that would exceed the largest balance by one is refused', async () => {
    const ann = await rich(MAX - least + 1)
    const { message } = await send(ann, least, 'en')
    expect(message).toBe(refusalOf(MAX - least + 1, least).en)
    expect(await balanceText(ann)).toBe(String(MAX - least + 1))
  })

  test.each(['9007199254740992', '9007199254740993', '1e16', '1e400'])('a credit of %s is refused', async quota => {
    const ann = await rich(7)
    for (const language of ['en', 'zh'] as const) {
      const { success, message } = await send(ann, quota, language)
      expect([success, message]).toEqual([false, beyond[language]])
    }
    expect(await balanceText(ann)).toBe('7')
  })
})

test('the largest balance is spent and topped up to the unit', async () => {
  const ann = await rich(MAX)
  for (const [delta, digits] of [
    [-1, '9007199254740990'],
    [-2, '9007199254740988'],
    [3, '9007199254740991'],
    [-MAX, '0'],
  ] as const) {
    expect((await topUp(ann, delta, 'en')).message).toBe('')
    expect(await balanceText(ann)).toBe(digits)
  }
  expect((await ann.post('/api/user/topup', { key: await newCode({ quota: MAX }) })).data.quota).toBe(MAX)
  expect(await balanceText(ann)).toBe('9007199254740991')
})
