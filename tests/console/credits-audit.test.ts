// @engine both
/** `tollgate audit`: each credit has its order, code use, day, transfer or rebate, and each of these its credit. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import type { LedgerKind } from '../../src/contracts/ledger.ts'
import { atomic } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { orders, strayPayments } from '../../src/domain/payments/table.ts'
import { redemptions, redemptionUses } from '../../src/domain/redemption/table.ts'
import { checkIns, rebates, transfers } from '../../src/domain/rewards/table.ts'
import { auditCredits } from '../../src/domain/statement/index.ts'
import { credit } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { type Person, visitor } from '../support/people/person.ts'

let ann: Person

const give = (kind: LedgerKind, delta: number, reference: string) =>
  atomic(tx => credit(tx, { user_id: ann.id, kind, delta, reference }))

const forget = (kind: LedgerKind, reference: string) =>
  db.delete(ledger).where(and(eq(ledger.user_id, ann.id), eq(ledger.kind, kind), eq(ledger.reference, reference)))

const created_time = 1
const order = { trade_no: 'T1', method: 'alipay', pid: '1', amount: 1, money_cents: 100, created_time } as const
const stray = { trade_no: 'T9', gateway_trade_no: 'G9', pid: '1', method: 'alipay', money_cents: 1 } as const

/** What each kind of credit comes from: its row, and the reference of its credit. */
const causes: [noun: string, kind: LedgerKind, make: (user_id: number) => Promise<string>, remove: () => unknown][] = [
  [
    'use of code',
    'redeem',
    async user_id => {
      const code = { user_id, name: 'one', key_sealed: '', key_hash: 'h', quota: 50, max_uses: 1, created_time }
      const [made] = await db.insert(redemptions).values(code).returning()
      await db.insert(redemptionUses).values({ redemption_id: made!.id, user_id, quota: 50, used_time: 1 })
      return String(made!.id)
    },
    async () => {
      await db.delete(redemptionUses)
      await db.delete(redemptions)
    },
  ],
  [
    'order',
    'topup',
    async user_id => {
      const paid = { ...order, user_id, quota: 50, status: 'paid', paid_time: 2 } as const
      const [made] = await db.insert(orders).values(paid).returning()
      await db.insert(orders).values({ ...order, user_id, trade_no: 'T2', quota: 70 })
      return String(made!.id)
    },
    () => db.delete(orders),
  ],
  [
    'stray payment',
    'topup',
    async user_id => {
      const settled = { settled_time: 2, settled_by: 1, user_id, quota: 50 }
      const waiting = { ...stray, reason: 'no_order', created_time } as const
      const [made] = await db
        .insert(strayPayments)
        .values({ ...waiting, ...settled })
        .returning()
      await db.insert(strayPayments).values({ ...waiting, trade_no: 'T8' })
      return `stray:${made!.id}`
    },
    () => db.delete(strayPayments),
  ],
  [
    'check-in',
    'check_in',
    async user_id => {
      await db.insert(checkIns).values({ user_id, day: '2026-11-22', quota: 50, created_time })
      return '2026-11-22'
    },
    () => db.delete(checkIns),
  ],
  [
    'transfer',
    'transfer',
    async user_id => {
      const [made] = await db.insert(transfers).values({ user_id, quota: 50, created_time }).returning()
      return String(made!.id)
    },
    () => db.delete(transfers),
  ],
  [
    'rebate of order',
    'rebate',
    async user_id => {
      await db.insert(rebates).values({ order_id: 12, user_id, payer_id: 1, quota: 50, created_time })
      return '12'
    },
    () => db.delete(rebates),
  ],
]

beforeAll(async () => {
  ann = await visitor()
})

afterEach(async () => {
  await db.delete(ledger).where(eq(ledger.user_id, ann.id))
  for (const [, , , remove] of causes) await remove()
})

test('an audit counts the credits that have their cause', async () => {
  for (const [, kind, make] of causes) await give(kind, 50, await make(ann.id))
  await give('admin', 5, '')
  await give('reward', 5, 'welcome')
  expect(await auditCredits()).toEqual({ credits: causes.length, difference: undefined })
})

test.each(causes)('an audit names a %s without its credit, and one with another amount', async (noun, kind, make) => {
  const reference = await make(ann.id)
  const name = `${noun} ${reference.replace('stray:', '')} of user ${ann.id}`
  expect((await auditCredits()).difference).toBe(`${name}: 50 quota have no credit in the ledger`)
  await give(kind, 49, reference)
  expect((await auditCredits()).difference).toBe(`${name}: 50 quota, but its credit in the ledger is 49`)
  await forget(kind, reference)
  await give(kind, 50, reference)
  expect((await auditCredits()).difference).toBeUndefined()
})

test.each(causes)('an audit names a credit without its %s, also beside a right one', async (noun, kind, make) => {
  await give(kind, 50, await make(ann.id))
  const wrong = noun === 'stray payment' ? 'stray:999' : noun === 'check-in' ? '2026-11-23' : '999'
  await give(kind, 50, wrong)
  const { difference } = await auditCredits()
  expect(difference).toMatch(/^ledger entry \d+ of user \d+: the credit of 50 \(/)
  expect(difference).toEndWith(`(${kind}) has no ${noun} ${wrong.replace('stray:', '')}`)
})

test('an audit names a credit for an order that is not paid', async () => {
  const [made] = await db
    .insert(orders)
    .values({ ...order, user_id: ann.id, quota: 50 })
    .returning()
  await give('topup', 50, String(made!.id))
  expect((await auditCredits()).difference).toEndWith(`(topup) has no order ${made!.id}`)
})
