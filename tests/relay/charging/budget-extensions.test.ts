// @engine both
/** Calls that outgrow what they hold of budgets. */
import { afterEach, expect, test } from 'bun:test'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { extend, release, settle } from '../../../src/domain/wallet/service.ts'
import { holdClock, shiftClock } from '../../../src/process/clock.ts'
import { makeBudget } from '../../support/people/budgets.ts'
import { billOf, hold, spendingUser } from '../../support/people/spending-user.ts'

afterEach(async () => expect((await auditWallets()).difference).toBeUndefined())

test('a running call extends what it holds of a budget to its amount, and no further', async () => {
  const ann = await spendingUser(1000)
  await makeBudget('user', ann.person.id, { unit: 'quota', amount: 100 })
  const call = await hold(ann, 60)
  await extend(call, 40)
  expect(call.quota).toBe(100)
  await expect(extend(call, 1)).rejects.toMatchObject({ status: 429, params: { used: 0, amount: 100, needed: 101 } })
  await settle(call, await billOf(100))
  await expect(hold(ann, 1)).rejects.toMatchObject({ status: 429, params: { used: 100, held: 0, needed: 1 } })
})

test('a running call extends what it holds of a budget of tokens by tokens, not by quota', async () => {
  const ann = await spendingUser(1000)
  await makeBudget('user', ann.person.id, { unit: 'tokens', amount: 100 })
  const call = await hold(ann, 6, 60)
  await extend(call, 4, 35)
  await expect(hold(ann, 1, 6)).rejects.toMatchObject({ status: 429, params: { used: 0, held: 95, needed: 6 } })
  await release(await hold(ann, 1, 5))
  await release(call)
  await release(await hold(ann, 1, 100))
})

test('a running call extends what it holds in its own window, beside others of it, once the next has opened', async () => {
  holdClock(true)
  const ann = await spendingUser(1000)
  await makeBudget('user', ann.person.id, { unit: 'quota', amount: 100, window: 'rolling', seconds: 60 })
  const [call, other] = [await hold(ann, 60), await hold(ann, 40)]
  shiftClock(61)
  const next = await hold(ann, 90)
  await expect(extend(call, 1)).rejects.toMatchObject({ status: 429, params: { used: 0, held: 40, needed: 61 } })
  await release(other)
  await extend(call, 40)
  await Promise.all([release(call), release(next)])
  holdClock(false)
})
