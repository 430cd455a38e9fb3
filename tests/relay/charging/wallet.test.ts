// @engine both
/** The wallet: reservations, bills, credits, failures. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { usageOf } from '../../../src/billing/usage.ts'
import { LogType } from '../../../src/contracts/log.ts'
import { TokenStatus } from '../../../src/contracts/token.ts'
import { requestId } from '../../../src/crypto/random-id.ts'
import { atomic } from '../../../src/db/atomic.ts'
import { db } from '../../../src/db/database.ts'
import { tokenByKey } from '../../../src/domain/tokens/lookup.ts'
import { usageHours } from '../../../src/domain/usage/table.ts'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { credit } from '../../../src/domain/wallet/credit.ts'
import type { Reservation } from '../../../src/domain/wallet/reservation.ts'
import { extend, release, reserve, settle } from '../../../src/domain/wallet/service.ts'
import { ledger } from '../../../src/domain/wallet/table.ts'
import { holdClock, now } from '../../../src/process/clock.ts'
import {
  billOf,
  codeOf as code,
  earnedBy,
  figures,
  hold,
  spend,
  spendingUser,
  theChannel,
} from '../../support/people/spending-user.ts'

import { seededRandom } from '../../support/random.ts'

const give = (user_id: number, delta: number, reference = '') =>
  atomic(tx => credit(tx, { user_id, kind: 'admin', delta, reference }))

afterEach(async () => expect((await auditWallets()).difference).toBeUndefined())

test('a bill moves every figure once', async () => {
  const ann = await spendingUser(1000, 500)
  const before = await earnedBy(await theChannel())
  await spend(ann, 120, { usage: usageOf({ input: 7, cache_read: 3, output: 5 }) })
  await spend(ann, 30)
  expect(await figures(ann)).toEqual({
    quota: 850,
    used_quota: 150,
    request_count: 2,
    token_remain: 350,
    token_used: 150,
    token_status: TokenStatus.enabled,
    usage_quota: 150,
    usage_calls: 2,
  })
  expect(await earnedBy(await theChannel())).toBe(before + 150)
})

test('a bill may differ from its reservation, and the rest is released at once', async () => {
  const ann = await spendingUser(1000)
  await settle(await hold(ann, 1000), await billOf(1))
  await settle(await hold(ann, 999), await billOf(2))
  expect((await figures(ann)).quota).toBe(997)
})

test('open reservations count against user and token, and the refusal names both sums', async () => {
  const ann = await spendingUser(1000, 600)
  const first = await hold(ann, 500)
  expect(await code(hold(ann, 101))).toBe('wallet.insufficient_token_quota')
  const free = { ...ann, unlimited: true }
  const second = await hold(free, 400)
  await expect(hold(free, 101)).rejects.toMatchObject({
    code: 'wallet.insufficient_user_quota',
    status: 403,
    params: { needed: 101, left: 100 },
  })
  await Promise.all([release(first), release(second)])
  await release(await hold(ann, 600))
})

test('a hundred concurrent calls never reserve more than the balance', async () => {
  const ann = await spendingUser(1000)
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => hold(ann, 100)))
  const held = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(held).toHaveLength(10)
  const bill = await billOf(100)
  await Promise.all(held.map(reservation => settle(reservation, bill)))
  expect((await figures(ann)).quota).toBe(0)
})

test('a running call extends its reservation, and usage beyond it is charged in full', async () => {
  const ann = await spendingUser(100)
  const call = await hold(ann, 60)
  await extend(call, 40)
  expect(call.quota).toBe(100)
  await expect(extend(call, 1)).rejects.toMatchObject({
    code: 'wallet.insufficient_user_quota',
    params: { needed: 101, left: 100 },
  })
  await settle(call, await billOf(130))
  expect((await figures(ann)).quota).toBe(-30)
  expect(await code(hold(ann, 0))).toBe('wallet.insufficient_user_quota')
})

test('a call ends only once', async () => {
  const ann = await spendingUser(100)
  const endings: [string, (call: Reservation) => Promise<unknown>][] = [
    ['settled', async call => settle(call, await billOf(1))],
    ['released', call => release(call)],
  ]
  for (const [, first] of endings)
    for (const [, second] of endings) {
      const call = await hold(ann, 10)
      await first(call)
      expect(await code(second(call))).toContain('has already ended')
      expect(await code(extend(call, 1))).toContain('cannot be extended')
    }
  expect(await figures(ann)).toMatchObject({ quota: 98, usage_calls: 2 })
})

test('a request id is billed once, however often it is tried', async () => {
  const ann = await spendingUser(100)
  const ask = {
    request_id: requestId(),
    user_id: ann.person.id,
    token_id: 0,
    unlimited: true,
    model: 'gpt-4o',
    quota: 10,
  }
  await settle(await reserve(ask), await billOf(7))
  await settle(await reserve(ask), await billOf(7))
  expect(await figures(ann)).toMatchObject({ quota: 93, usage_calls: 1 })
})

test('a bill, and what a call holds, is whole and never a credit', async () => {
  const ann = await spendingUser(100)
  const call = await hold(ann, 10)
  for (const quota of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
    expect(await code(billOf(quota).then(bill => settle(call, bill)))).toContain('is no quota')
    expect(await code(extend(call, quota))).toContain('is no quota')
  }
  await release(call)
  expect((await figures(ann)).quota).toBe(100)
})

test('a failed call costs nothing and releases its reservation', async () => {
  const ann = await spendingUser(100)
  await release(await hold(ann, 100))
  await release(await hold(ann, 100))
  expect(await figures(ann)).toMatchObject({ quota: 100, request_count: 0 })
})

test('one bill that cannot be written stops no other, and no log row stops its bill', async () => {
  const ann = await spendingUser(1000)
  const calls = await Promise.all(Array.from({ length: 10 }, () => hold(ann, 10)))
  const bills = await Promise.all(calls.map(() => billOf(10)))
  bills[3] = { ...bills[3]!, model: null as never }
  bills[6] = { ...bills[6]!, log: { user_id: null as never, type: LogType.consume } }
  const outcomes = await Promise.allSettled(calls.map((call, index) => settle(call, bills[index]!)))
  expect(outcomes.map(outcome => outcome.status === 'fulfilled')).toEqual(calls.map((_, index) => index !== 3))
  expect(await figures(ann)).toMatchObject({ quota: 910, usage_calls: 9 })
  await release(await hold(ann, 910))
})

test('a key disabled during its last call stays disabled', async () => {
  const ann = await spendingUser(1000, 100)
  const last = await hold(ann, 100)
  await ann.person.put('/api/token/?status_only=true', { id: ann.token.id, status: TokenStatus.disabled })
  await settle(last, await billOf(100))
  expect(await figures(ann)).toMatchObject({ token_remain: 0, token_status: TokenStatus.disabled })
})

test('usage is summed by the hour, caches of either kind together', async () => {
  holdClock(true)
  const hour = now() - (now() % 3600)
  const ann = await spendingUser(1000)
  const usage = usageOf({ input: 10, cache_read: 4, cache_write_5m: 1, cache_write_1h: 2, output: 5 })
  await spend(ann, 3, { usage })
  await spend(ann, 4, { usage })
  await Promise.all(['default', 'vip'].map(group => spend(ann, 1, { usage, group })))
  const hours = await db
    .select()
    .from(usageHours)
    .where(eq(usageHours.user_id, ann.person.id))
    .orderBy(usageHours.group)
  holdClock(false)
  expect(hours).toMatchObject([
    { hour, group: 'default', calls: 3, quota: 8, prompt_tokens: 51, completion_tokens: 15, cache_write_tokens: 9 },
    { hour, group: 'vip', calls: 1, quota: 1 },
  ])
})

test('a token is exhausted by the bill that takes its last quota', async () => {
  const ann = await spendingUser(1000, 100)
  await spend(ann, 99)
  expect((await tokenByKey(ann.token.key))!.status).toBe(TokenStatus.enabled)
  await spend(ann, 1)
  expect(await figures(ann)).toMatchObject({ token_remain: 0, token_status: TokenStatus.exhausted })
  expect((await tokenByKey(ann.token.key))!.status).toBe(TokenStatus.exhausted)
})

test('an unlimited token keeps its remaining quota', async () => {
  const ann = await spendingUser(1000)
  await settle(await hold(ann, 400), await billOf(400))
  expect(await figures(ann)).toMatchObject({ token_remain: 0, token_used: 400, token_status: TokenStatus.enabled })
})

test('a balance stays within exact numbers and above zero', async () => {
  const ann = await spendingUser(100)
  const { id } = ann.person
  expect(await code(give(id, Number.MAX_SAFE_INTEGER - 99))).toBe('wallet.balance_too_large')
  expect(await code(give(id, 2 ** 53))).toBe('wallet.amount_invalid')
  expect(await code(give(id, -101))).toBe('wallet.balance_too_small')
  expect(await code(give(987_654, 1))).toBe('error.not_found')
  expect(await give(id, Number.MAX_SAFE_INTEGER - 100)).toBe(Number.MAX_SAFE_INTEGER)
  expect(await give(id, -Number.MAX_SAFE_INTEGER)).toBe(0)
})

test('a reference is credited once', async () => {
  const ann = await spendingUser(0)
  const outcomes = await Promise.all([1, 2].map(() => code(give(ann.person.id, 5, 'order 1'))))
  expect(outcomes.sort()).toEqual(['done', 'wallet.already_credited'])
  expect(await give(ann.person.id, 5, 'order 2')).toBe(10)
  expect(await db.select().from(ledger).where(eq(ledger.user_id, ann.person.id))).toHaveLength(2)
})

test('saving settings while money is spent moves no figure', async () => {
  const ann = await spendingUser(100_000, 50_000)
  const { id } = ann.token
  let spending = true
  const save = async () => {
    while (spending) {
      const name = `key ${Math.floor(performance.now())}`
      expect((await ann.person.put('/api/token/', { id, name })).success).toBe(true)
      await give(ann.person.id, 10)
      await give(ann.person.id, -10)
    }
  }
  const saving = save()
  for (let round = 0; round < 40; round++) await Promise.all(Array.from({ length: 5 }, () => spend(ann, 7)))
  spending = false
  await saving
  expect(await figures(ann)).toMatchObject({ quota: 98_600, used_quota: 1400, token_remain: 48_600, token_used: 1400 })
})

test('concurrent random work ends at the plain sum', async () => {
  const random = seededRandom(20_251_120)
  const people = await Promise.all([spendingUser(3000), spendingUser(3000, 1000), spendingUser(50, 5000)])
  const expected = people.map(() => ({ spent: 0, given: 0, calls: 0 }))
  const work = async () => {
    for (let step = 0; step < 40; step++) {
      const which = random(people.length)
      const [who, sums] = [people[which]!, expected[which]!]
      if (random(5) === 0) {
        sums.given += 20
        await give(who.person.id, 20)
        continue
      }
      const call = await hold(who, random(300)).catch(() => undefined)
      if (!call) continue
      if (random(3) === 0) await release(call)
      else {
        const quota = random(call.quota + 1)
        sums.spent += quota
        sums.calls += 1
        await settle(call, await billOf(quota, { model: `m${random(3)}` }))
      }
    }
  }
  const initial = await Promise.all(people.map(figures))
  await Promise.all(Array.from({ length: 12 }, work))
  for (const [which, who] of people.entries()) {
    const { spent, given, calls } = expected[which]!
    expect(await figures(who)).toMatchObject({
      quota: initial[which]!.quota + given - spent,
      used_quota: spent,
      token_used: spent,
      request_count: calls,
      usage_quota: spent,
    })
  }
})
