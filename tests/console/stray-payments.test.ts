// @engine both
/** Payments that fit no order: root credits each once, or dismisses it; and the list of all orders. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { strayPayments } from '../../src/domain/payments/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { now } from '../../src/process/clock.ts'
import { openShop, ordersOf, strayOf, topUpsOf, UNIT } from '../support/epay/shop.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { inTier } from '../support/tier.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const { merchant, order } = await openShop()

/** A payment of another sum for an order of a person. */
async function strayPayment(person: Person) {
  const payment = await order(person)
  await merchant.call(payment, { changes: { money: '36.50' } })
  const [stray] = await strayOf(payment)
  return stray!
}

const STRAY = '/api/user/topup/stray'

test('root lists the payments that wait, with the order that they name', async () => {
  const ann = await visitor()
  const { id, trade_no } = await strayPayment(ann)
  const { data } = await root.get(`${STRAY}?waiting=true&page_size=5`)
  expect(data.items[0]).toMatchObject({
    ...{ id, trade_no, money: '36.50', reason: 'wrong_money', settled_time: 0, worth: 5 * UNIT },
    order: { username: ann.username, quota: 10 * UNIT, money: '73.00', status: 'pending' },
  })
  for (const person of [admin, ann]) expect((await person.get(STRAY)).status).toBe(403)
})

test('root credits a payment to a user by name or id, with ledger, log and audit log', async () => {
  const ann = await visitor()
  for (const user of [ann.username, String(ann.id), `#${ann.id}`]) {
    const before = await balance(ann)
    const { id, gateway_trade_no } = await strayPayment(ann)
    const wanted = { user, quota: 5 * UNIT, remark: 'Paid half' }
    expect(await root.post(`${STRAY}/${id}/credit`, wanted)).toMatchObject({
      ...{ success: true, data: { user_id: ann.id, username: ann.username, quota: 5 * UNIT } },
    })
    expect(await root.post(`${STRAY}/${id}/credit`, wanted)).toMatchObject({ code: 'payment.stray_settled' })
    expect(await root.post(`${STRAY}/${id}/dismiss`, { remark: 'no' })).toMatchObject({ success: false })
    expect(await balance(ann)).toBe(before + 5 * UNIT)
    expect((await topUpsOf(ann)).at(-1)).toMatchObject({
      ...{ delta: 5 * UNIT, reference: `stray:${id}`, remark: 'Paid half', actor_id: root.id },
    })
    const changes = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.target_id, String(id)))
    expect(changes).toMatchObject([{ action: 'payment.credit', target_name: gateway_trade_no, actor_name: 'root' }])
  }
  const entry = (await ann.get('/api/log/self?type=1')).data.items[0]
  expect(entry.content).toBe('An administrator credited $5.000000 for a payment of ¥36.50')
  expect((await auditWallets()).difference).toBeUndefined()
})

test('a dismissed payment credits nobody, with a remark in the audit log', async () => {
  const ann = await visitor()
  const { id } = await strayPayment(ann)
  expect(await root.post(`${STRAY}/${id}/dismiss`, { remark: 'Refunded at the gateway' })).toMatchObject({
    ...{ success: true, data: null },
  })
  expect(await root.post(`${STRAY}/${id}/dismiss`, { remark: 'again' })).toMatchObject({
    ...{ code: 'payment.stray_settled', message: 'This payment is settled already' },
  })
  expect(await balance(ann)).toBe(0)
  const [change] = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.target_id, String(id)))
  expect(change).toMatchObject({ action: 'payment.dismiss', after: { remark: 'Refunded at the gateway' } })
})

test.each([
  [{ user: '' }, 'user', 'Please enter a user'],
  [{ user: 'no such user' }, 'user', 'There is no user “no such user”'],
  [{ quota: 0 }, 'quota', 'The quota must be a whole number of at least 1'],
  [{ quota: -1 }, 'quota', 'The quota must be a whole number of at least 1'],
  [{ quota: 1.5 }, 'quota', 'The quota must be a whole number of at least 1'],
  [{ quota: 2 ** 53 }, 'quota', 'The quota must be a whole number of at least 1'],
  [{ remark: '  ' }, 'remark', 'Please enter a remark'],
  [{ remark: 'x'.repeat(201) }, 'remark', 'A remark has at most 200 characters'],
])('a credit with %j is refused at its field', async (wrong, field, message) => {
  const ann = await visitor()
  const { id } = await strayPayment(ann)
  const wanted = { user: ann.username, quota: 5, remark: 'Paid half', ...wrong }
  expect(await root.post(`${STRAY}/${id}/credit`, wanted)).toMatchObject({ status: 400, field, message })
  const sent = { ...wanted, quota: String(Number(wanted.quota) / UNIT) }
  // A form has USD with any fraction.
  if (wanted.quota === 1.5 || wanted.quota === 2 ** 53) return
  const response = await root.form(`/admin/orders/stray/${id}/credit`, sent)
  expect([response.status, (await response.text()).includes(message)]).toEqual([422, true])
  expect(await balance(ann)).toBe(0)
})

test('an unknown payment is not found', async () => {
  const wanted = { user: 'root', quota: 5, remark: 'Paid half' }
  expect((await root.post(`${STRAY}/999999/credit`, wanted)).status).toBe(404)
  expect((await root.post(`${STRAY}/999999/dismiss`, { remark: 'no' })).status).toBe(404)
  expect((await root.page('/admin/orders/stray?credit=999999')).status).toBe(404)
})

test('one payment is credited once by root in many windows, in 50 rounds', async () => {
  const ann = await visitor()
  const ROUNDS = inTier({ short: 20, long: 50 })
  for (let round = 1; round <= ROUNDS; round++) {
    const row = { trade_no: 'none', pid: '1', method: 'alipay', money_cents: 1, reason: 'no_order' as const }
    const number = { ...row, gateway_trade_no: `race-${round}`, created_time: now() }
    const [stray] = await db.insert(strayPayments).values(number).returning()
    const wanted = { user: ann.username, quota: 3, remark: 'race' }
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => root.post(`${STRAY}/${stray!.id}/credit`, wanted)),
      ...Array.from({ length: 2 }, () => root.post(`${STRAY}/${stray!.id}/dismiss`, { remark: 'race' })),
    ])
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    const [settled] = await db.select().from(strayPayments).where(eq(strayPayments.id, stray!.id))
    expect((await topUpsOf(ann)).filter(({ reference }) => reference === `stray:${stray!.id}`)).toHaveLength(
      settled!.quota ? 1 : 0,
    )
  }
  expect((await auditWallets()).difference).toBeUndefined()
})

test('the pages of root settle payments, after the password was asked for again', async () => {
  const ann = await visitor()
  const [first, second] = [await strayPayment(ann), await strayPayment(ann)]
  const page = await (await root.page(`/admin/orders/stray?credit=${first.id}`)).text()
  expect([page.includes('Credit a payment of ¥36.50'), page.includes(`value="${ann.username}"`)]).toEqual([true, true])
  const fields = { user: ann.username, quota: '5', remark: 'Paid half' }
  await db.update(sessions).set({ confirmed_time: 0 }).where(eq(sessions.user_id, root.id))
  const unconfirmed = await root.form(`/admin/orders/stray/${first.id}/credit`, fields)
  const toApi = await root.post(`${STRAY}/${first.id}/credit`, { ...fields, quota: 5 })
  await db.update(sessions).set({ confirmed_time: now() }).where(eq(sessions.user_id, root.id))
  expect(unconfirmed.headers.get('location')).toStartWith('/app/me/confirm?')
  expect(toApi).toMatchObject({ status: 403, code: 'security.confirm_required' })
  expect((await root.form(`/admin/orders/stray/${first.id}/credit`, fields)).status).toBe(303)
  expect((await root.form(`/admin/orders/stray/${second.id}/dismiss`, { remark: 'Refunded' })).status).toBe(303)
  expect(await balance(ann)).toBe(5 * UNIT)
  const all = await (await root.page('/admin/orders/stray?all=1')).text()
  expect([all.includes('Refunded'), all.includes('Paid half')]).toEqual([true, true])
})

test('administrators list the orders of all users, filtered', async () => {
  const [ann, ben] = [await visitor(), await visitor()]
  const paid = await order(ann, 3)
  await merchant.call(paid)
  await order(ben, 4)
  const [row] = await ordersOf(ann)
  const ids = async (query: string) =>
    (await admin.get(`/api/user/topup?${query}`)).data.items.map((item: { username: string }) => item.username)
  expect(await ids(`username=${ann.username}`)).toEqual([ann.username])
  expect(await ids(`trade_no=${row!.trade_no}`)).toEqual([ann.username])
  expect(await ids(`trade_no=${paid.trade_no}`)).toEqual([ann.username])
  expect(await ids(`username=${ben.username}&status=paid`)).toEqual([])
  expect(await ids(`username=${ben.username}&status=pending&method=alipay`)).toEqual([ben.username])
  expect(await ids(`username=${ben.username}&start_timestamp=${now() + 60}`)).toEqual([])
  const page = await (await admin.page(`/admin/orders?username=${ann.username}&open=${row!.id}`)).text()
  expect([page.includes(row!.trade_no), page.includes(paid.trade_no), page.includes('¥21.90')]).toEqual([
    ...[true, true, true],
  ])
  // Only root settles stray payments.
  expect([page.includes('Unmatched payments'), (await ann.get('/api/user/topup')).status]).toEqual([false, 403])
  expect((await ann.get('/api/user/topup/self')).data).toMatchObject({ total: 1, items: [{ id: row!.id }] })
})
