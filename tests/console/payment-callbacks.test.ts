// @engine both
/** Callbacks of the gateway: each payment is credited once, forged ones never, unfitting ones wait. */
import { expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { expireOrders } from '../../src/domain/payments/index.ts'
import { orders } from '../../src/domain/payments/table.ts'
import { rebates } from '../../src/domain/rewards/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { DAY_SECONDS, openShop, ordersOf, pay, strayOf, topUpsOf, UNIT } from '../support/epay/shop.ts'
import { anyone, balance, setUp, visitor } from '../support/people/person.ts'
import { holding } from '../support/postgres/locks.ts'
import { inTier } from '../support/tier.ts'

const root = await setUp()
const { merchant, order } = await openShop()

test('a paid order is credited with its quota, in ledger, log and list', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  expect(await merchant.call(payment)).toBe('success')
  expect(await balance(ann)).toBe(10 * UNIT)
  const [row] = await ordersOf(ann)
  expect(row).toMatchObject({ status: 'paid', gateway_trade_no: payment.trade_no })
  expect(await topUpsOf(ann)).toMatchObject([{ delta: 10 * UNIT, reference: String(row!.id), actor_id: 0 }])
  const [entry] = await db.select().from(logs).where(eq(logs.user_id, ann.id)).orderBy(desc(logs.id)).limit(1)
  expect(entry).toMatchObject({ type: 1, quota: 10 * UNIT, username: ann.username })
  const own = (await ann.get('/api/log/self?type=1')).data.items[0]
  expect(own.content).toBe('Online top-up of $10.000000, paid ¥73.00')
  expect((await ann.get('/api/user/topup/self?p=1&page_size=10')).data).toMatchObject({
    items: [{ id: row!.id, money: '73.00', quota: 10 * UNIT, status: 'paid', trade_no: payment.form.out_trade_no }],
    ...{ total: 1, page: 1, page_size: 10 },
  })
  expect((await auditWallets()).difference).toBeUndefined()
})

test('the credit is that of the order when price and unit change before the payment', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  await setOption('Price', 100)
  await setOption('QuotaPerUnit', 1)
  expect(await merchant.call(payment)).toBe('success')
  expect(await balance(ann)).toBe(10 * UNIT)
})

test('raw quota is ordered to the unit, with nothing lost between', async () => {
  const ann = await visitor()
  await setOption('DisplayInCurrencyEnabled', false)
  await setOption('MinTopUp', 2)
  expect(await pay(ann, 2 * UNIT - 1)).toMatchObject({ data: `The top-up amount cannot be less than ${2 * UNIT}` })
  const { url, data } = await pay(ann, 3 * UNIT - 1)
  expect(data.money).toBe('21.90')
  expect(await merchant.call(await merchant.submit({ url, data }))).toBe('success')
  expect(await balance(ann)).toBe(3 * UNIT - 1)
})

test('repeated, reordered and posted callbacks credit once, and each is answered success', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  for (const callback of [
    { method: 'POST' },
    {},
    { method: 'POST' },
    { reversed: true },
    { changes: { money: '73' } },
    { changes: { money: '73.0' } },
    { changes: { param: '' } },
  ] as const)
    expect([callback, await merchant.call(payment, callback)]).toEqual([callback, 'success'])
  expect(await topUpsOf(ann)).toHaveLength(1)
  expect(await balance(ann)).toBe(10 * UNIT)
})

test('a forged, incomplete or repeated callback is answered fail and changes nothing', async () => {
  const ann = await visitor()
  const [payment, other] = [await order(ann), await order(ann, 1)]
  const before = JSON.stringify(await db.select().from(orders).orderBy(orders.id))
  const otherSign = new URL(merchant.request(other).url).searchParams.get('sign')!
  const forged = [
    ...[{ sign: '' }, { sign: otherSign }, { sign: 'x'.repeat(32) }, { key: '' }, { key: 'other' }],
    ...[{ extra: '&money=73.00' }, { extra: '&money=0.01' }, { extra: '&sign=1' }, { extra: '&surprise=1' }],
    ...[{ changes: { trade_status: undefined } }, { changes: { trade_status: 'TRADE_CLOSED' } }],
    ...[{ changes: { trade_status: 'TRADE_SUCCESS ' } }, { changes: { trade_no: undefined } }],
    ...[{ changes: { trade_no: 'x'.repeat(300) } }, { changes: { out_trade_no: 'a\u0001' } }],
  ]
  for (const callback of forged)
    for (const method of ['GET', 'POST'] as const)
      expect([callback, await merchant.call(payment, { ...callback, method })]).toEqual([callback, 'fail'])
  const { url, init } = merchant.request(payment, { method: 'POST' })
  expect(await (await fetch(`${url}?money=73.00`, init)).text()).toBe('fail')
  const { pathname } = new URL(url)
  for (const body of ['', 'money', 'a'.repeat(1_100_000), '%00=%00', '{"sign":1}'])
    for (const target of [pathname, `${pathname}?a=b`]) {
      const response = await anyone.fetch(target, { method: 'POST', body })
      expect([body.length, response.status < 500, await response.text()]).toEqual([body.length, true, 'fail'])
    }
  expect(JSON.stringify(await db.select().from(orders).orderBy(orders.id))).toBe(before)
  expect(await strayOf(payment)).toEqual([])
  expect(await balance(ann)).toBe(0)
  expect(await merchant.call(payment)).toBe('success')
})

test('an unconfigured gateway is answered fail, whatever the signature', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  // Anyone can compute a signature by an empty key.
  await setOption('EpayKey', '')
  for (const method of ['GET', 'POST'] as const) expect(await merchant.call(payment, { key: '', method })).toBe('fail')
  await setOption('EpayKey', merchant.key)
  await setOption('EpayId', '')
  expect((await ann.get('/api/status')).data.enable_online_topup).toBe(false)
  for (const callback of [{}, { key: '' }, { method: 'POST' }] as const)
    expect(await merchant.call(payment, callback)).toBe('fail')
  const closed = { message: 'The administrator has not enabled online top-up', code: 'payment.not_enabled' }
  expect(await pay(ann)).toMatchObject(closed)
  expect(await ann.post('/api/user/amount', { amount: 10 })).toMatchObject(closed)
  expect(await balance(ann)).toBe(0)
})

test('a signed payment of another sum, merchant or method waits for root', async () => {
  const ann = await visitor()
  for (const [changes, reason, money_cents] of [
    [{ money: '0.01' }, 'wrong_money', 1],
    [{ money: '7300' }, 'wrong_money', 730_000],
    [{ money: '7.3' }, 'wrong_money', 730],
    [{ money: '73.001' }, 'wrong_money', 0],
    [{ pid: '1001' }, 'wrong_merchant', 7300],
    [{ type: 'wxpay' }, 'wrong_method', 7300],
  ] as const) {
    const payment = await order(ann)
    for (let times = 0; times < 2; times++) expect(await merchant.call(payment, { changes })).toBe('fail')
    expect(await strayOf(payment)).toMatchObject([{ reason, money_cents, settled_time: 0 }])
  }
  expect(await balance(ann)).toBe(0)
})

test('a payment that does not succeed at first is credited when it does', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  expect(await merchant.call(payment, { changes: { trade_status: 'WAIT_BUYER_PAY' } })).toBe('fail')
  expect(await merchant.call(payment)).toBe('success')
  expect(await merchant.call(payment, { changes: { trade_status: 'TRADE_CLOSED' } })).toBe('fail')
  expect(await balance(ann)).toBe(10 * UNIT)
  expect((await ordersOf(ann))[0]!.status).toBe('paid')
})

test('an unpaid order expires after a day, and its late payment is still credited', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  shiftClock(DAY_SECONDS - 60)
  await expireOrders()
  expect((await ordersOf(ann))[0]!.status).toBe('pending')
  shiftClock(120)
  await expireOrders()
  expect((await ordersOf(ann))[0]!.status).toBe('expired')
  expect(await merchant.call(payment)).toBe('success')
  shiftClock(-DAY_SECONDS - 60)
  await expireOrders()
  expect((await ordersOf(ann))[0]!.status).toBe('paid')
  expect(await balance(ann)).toBe(10 * UNIT)
})

test('a second payment of one order is not credited and waits for root', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  expect(await merchant.call(payment)).toBe('success')
  expect(await merchant.call(payment, { changes: { trade_no: 'second' } })).toBe('fail')
  expect(await merchant.call(payment)).toBe('success')
  expect(await balance(ann)).toBe(10 * UNIT)
  expect(await strayOf(payment)).toMatchObject([{ reason: 'second_payment', gateway_trade_no: 'second' }])
})

test('a callback that comes before its order is credited once the order is there, and waits no longer', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  const [row] = await ordersOf(ann)
  await db.delete(orders).where(eq(orders.id, row!.id))
  expect(await merchant.call(payment)).toBe('fail')
  expect(await strayOf(payment)).toMatchObject([{ reason: 'no_order' }])
  await db.insert(orders).values(row!)
  expect(await merchant.call(payment)).toBe('success')
  expect(await strayOf(payment)).toEqual([])
  expect(await balance(ann)).toBe(10 * UNIT)
})

test('a payment that root has settled is not credited to its order as well', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  await merchant.call(payment, { changes: { money: '1.00' } })
  const [stray] = await strayOf(payment)
  const credit = { user: ann.username, quota: 7, remark: 'paid too little' }
  expect((await root.post(`/api/user/topup/stray/${stray!.id}/credit`, credit)).success).toBe(true)
  expect(await merchant.call(payment)).toBe('fail')
  expect(await balance(ann)).toBe(7)
  expect((await auditWallets()).difference).toBeUndefined()
})

test('an order whose credit is refused stays open, and is credited when the gateway calls again', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  const mine = eq(users.id, ann.id)
  await db.update(users).set({ quota: Number.MAX_SAFE_INTEGER }).where(mine)
  expect(await merchant.call(payment)).toBe('fail')
  expect((await ordersOf(ann))[0]).toMatchObject({ status: 'pending', gateway_trade_no: '' })
  await db.update(users).set({ quota: 0 }).where(mine)
  expect(await merchant.call(payment)).toBe('success')
  expect(await balance(ann)).toBe(10 * UNIT)
})

test('a connection that breaks before the credit leaves the order open', async () => {
  const ann = await visitor()
  const payment = await order(ann)
  const other = await holding(`select 1 from users where id = ${ann.id} for no key update`)
  const answer = merchant.call(payment)
  await other.waiting(1)
  await other.breakWaiting()
  await other.release()
  const isCredited = (await answer) === 'success'
  expect([await balance(ann), (await ordersOf(ann))[0]!.status]).toEqual(
    isCredited ? [10 * UNIT, 'paid'] : [0, 'pending'],
  )
  expect(isCredited).toBe(dialect === 'sqlite')
  expect(await merchant.call(payment)).toBe('success')
  expect(await balance(ann)).toBe(10 * UNIT)
  expect((await auditWallets()).difference).toBeUndefined()
})

test('one order has one rebate, in the transaction of its credit', async () => {
  const [ann, ben] = [await visitor(), await visitor()]
  await db.update(users).set({ inviter_id: ann.id }).where(eq(users.id, ben.id))
  await setOption('RebateEnabled', true)
  await setOption('RebatePercentage', 10)
  const payment = await order(ben)
  const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.call(payment)))
  await setOption('RebateEnabled', false)
  expect(new Set(answers)).toEqual(new Set(['success']))
  expect([await balance(ben), await balance(ann)]).toEqual([10 * UNIT, UNIT])
  expect(await db.select().from(rebates).where(eq(rebates.payer_id, ben.id))).toHaveLength(1)
})

test('one callback sent 100 times at once is credited once, in 50 rounds', async () => {
  const ann = await visitor()
  const ROUNDS = inTier({ short: 20, long: 50 })
  for (let round = 1; round <= ROUNDS; round++) {
    const { url } = merchant.request(await order(ann, 1))
    const { pathname, search } = new URL(url)
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => (await anyone.fetch(pathname + search)).text()),
    )
    expect([round, [...new Set(answers)], await balance(ann)]).toEqual([round, ['success'], round * UNIT])
  }
  expect(await topUpsOf(ann)).toHaveLength(ROUNDS)
  expect((await auditWallets()).difference).toBeUndefined()
})
