// @engine both
/** Codes that many people redeem at the same moment: no use too many, no unit too much. */
import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { redemptions, redemptionUses } from '../../src/domain/redemption/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { newCodes, newRow, redeem, rowOf } from '../support/people/redemption-codes.ts'
import { spend, spendingUser } from '../support/people/spending-user.ts'
import { inTier } from '../support/tier.ts'

const ROUNDS = inTier({ short: 20, long: 50 })
const CROWD = 100
/** Of most rounds: the first has the whole crowd. */
const FEW = 12

const root = await setUp()
const crowd = await Promise.all(Array.from({ length: CROWD }, () => visitor()))

afterAll(async () => expect((await auditWallets()).difference).toBeUndefined())

const crowdOf = (round: number) => crowd.slice(0, round ? FEW : CROWD)

/** Everyone redeems the code at once. @returns those who succeeded */
async function rush(people: Person[], key: string): Promise<Person[]> {
  const answers = await Promise.all(people.map(person => redeem(person, key)))
  return people.filter((_, index) => answers[index]!.success)
}

const usesOf = (id: number) => db.select().from(redemptionUses).where(eq(redemptionUses.redemption_id, id))

async function total(): Promise<number> {
  const rows = await db.select({ quota: users.quota }).from(users).orderBy(users.id)
  return rows.reduce((sum, { quota }) => sum + quota, 0)
}

test('exactly one of a crowd redeems a plain code, in every round', async () => {
  const before = await total()
  for (let round = 0; round < ROUNDS; round++) {
    const row = await newRow({ quota: 7 })
    const [winner, ...others] = await rush(crowdOf(round), row.key)
    expect([round, others.length]).toEqual([round, 0])
    expect(await rowOf(row.id)).toMatchObject({ status: 3, used_count: 1, used_user_id: winner!.id })
    expect(await usesOf(row.id)).toMatchObject([{ user_id: winner!.id, quota: 7 }])
  }
  expect((await total()) - before).toBe(ROUNDS * 7)
})

test('exactly seven of a crowd redeem a gift for seven, in every round', async () => {
  const before = await total()
  for (let round = 0; round < ROUNDS; round++) {
    const { id, key } = await newRow({ quota: 3, is_gift: true, max_uses: 7 })
    const winners = await rush(crowdOf(round), key)
    expect([round, winners.length]).toEqual([round, 7])
    expect(await rowOf(id)).toMatchObject({ status: 3, used_count: 7 })
    const used = (await usesOf(id)).map(use => use.user_id)
    expect(used.toSorted()).toEqual(winners.map(person => person.id).toSorted())
  }
  expect((await total()) - before).toBe(ROUNDS * 7 * 3)
})

test('one user redeems a gift once, however often at the same moment', async () => {
  const ann = await visitor()
  for (let round = 0; round < ROUNDS; round++) {
    const { id, key } = await newRow({ quota: 1, is_gift: true })
    const successes = await rush(
      Array.from({ length: round ? 5 : 50 }, () => ann),
      key,
    )
    expect([round, successes.length, (await rowOf(id)).used_count]).toEqual([round, 1, 1])
  }
  expect(await balance(ann)).toBe(ROUNDS)
})

test('a code is either disabled or redeemed, never both', async () => {
  const keys = await newCodes({ name: 'contested', quota: 1, count: ROUNDS })
  const rows = await db.select({ id: redemptions.id }).from(redemptions).where(eq(redemptions.name, 'contested'))
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b)
  const outcomes = await Promise.all(
    keys.map(async (key, index) => {
      const disable = () => root.put('/api/redemption/batch-disable', { ids: [ids[index]] })
      const [disabled, redeemed] = await Promise.all(
        index % 2 ? [disable(), redeem(crowd[index]!, key)] : [redeem(crowd[index]!, key), disable()].toReversed(),
      )
      return disabled!.data + Number(redeemed!.success)
    }),
  )
  expect(outcomes).toEqual(outcomes.map(() => 1))
})

test('a code that is edited while it is redeemed gives the old quota or the new one, as its use tells', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, key } = await newRow({ quota: 100 })
    const person = crowd[round]!
    const before = await balance(person)
    const [redeemed, edited] = await Promise.all([
      redeem(person, key),
      root.put('/api/redemption/', { id, quota: 300 }),
    ])
    const [use] = await usesOf(id)
    expect([(await balance(person)) - before, redeemed.data.quota]).toEqual([use!.quota, use!.quota])
    expect([use!.quota, edited.success]).toEqual(edited.success ? [300, true] : [100, false])
  }
})

test('codes, changes by administrators and calls at the same moment add up', async () => {
  const who = await spendingUser(100_000)
  const keys = await newCodes({ quota: 11, count: ROUNDS })
  await Promise.all([
    ...keys.map(key => redeem(who.person, key)),
    ...keys.map(() => spend(who, 10)),
    ...keys.map((_, index) => root.put('/api/user/', { id: who.person.id, quota_delta: index % 2 ? 5 : -5 })),
  ])
  expect(await balance(who.person)).toBe(100_000 + ROUNDS * (11 - 10))
})
