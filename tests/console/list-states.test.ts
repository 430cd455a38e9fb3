/** Lists by state, kind and moment: each row stands in the one filter that fits, at the edge of its second too. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { RedemptionStatus } from '../../src/contracts/redemption.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { messageRecipients, messages } from '../../src/domain/messages/table.ts'
import { orders } from '../../src/domain/payments/table.ts'
import { usesOf } from '../../src/domain/redemption/index.ts'
import { redemptions, redemptionUses } from '../../src/domain/redemption/table.ts'
import { firstUsableToken } from '../../src/domain/tokens/index.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { newRow } from '../support/people/redemption-codes.ts'

let root: Person
let ann: Person
beforeAll(async () => {
  holdClock(true)
  root = await setUp()
  ann = await visitor()
})
afterAll(() => holdClock(false))

describe('codes', () => {
  const { unused, disabled, used } = RedemptionStatus
  const gift = (max_uses: number, used_count: number) => ({ is_gift: true, max_uses, used_count })
  const states: [state: string, fields: Partial<typeof redemptions.$inferInsert> & { ends?: number }][] = [
    ['unused', { status: unused }],
    ['unused', { status: unused, ends: 0 }],
    ['expired', { status: unused, ends: -1 }],
    ['unused', { status: unused, ...gift(2, 1) }],
    ['unused', { status: unused, ...gift(-1, 5) }],
    ['unused', { status: unused, is_gift: false, max_uses: 1, used_count: 1 }],
    ['used', { status: unused, ...gift(1, 1) }],
    ['used', { status: unused, ...gift(1, 2), ends: -1 }],
    ['expired', { status: unused, ...gift(2, 1), ends: -1 }],
    ['used', { status: used }],
    ['used', { status: used, ends: -1 }],
    ['disabled', { status: disabled }],
    ['disabled', { status: disabled, ends: -1 }],
    ['used', { status: disabled, ...gift(1, 1) }],
  ]

  test.each(states)('a code is listed as %s alone: %j', async (state, { ends, ...fields }) => {
    const name = `state ${state}`
    await db.delete(redemptions).where(eq(redemptions.name, name))
    const { id } = await newRow({ name })
    const valid_until = ends === undefined ? 0 : now() + ends
    await db
      .update(redemptions)
      .set({ ...fields, valid_until })
      .where(eq(redemptions.id, id))
    for (const filter of ['unused', 'used', 'expired', 'disabled']) {
      const { data } = await root.get(`/api/redemption/search?keyword=${name}&state=${filter}`)
      expect([filter, data.total]).toEqual([filter, filter === state ? 1 : 0])
    }
  })

  test('the uses of a code are listed by time, the latest first, then by user', async () => {
    const { id } = await newRow({ name: 'uses', is_gift: true })
    const people = [ann, await visitor(), await visitor(), await visitor()]
    const times = [30, 10, 30, 20]
    await db
      .insert(redemptionUses)
      .values(people.map((one, at) => ({ redemption_id: id, user_id: one.id, quota: 5, used_time: times[at]! })))
    const { id: other } = await newRow({ name: 'other uses', is_gift: true })
    await db.insert(redemptionUses).values({ redemption_id: other, user_id: ann.id, quota: 5, used_time: 40 })
    const { items, total } = await usesOf(id, { page: 1, size: 10, offset: 0 })
    const order = [people[2], people[0], people[3], people[1]].map(one => one!.id)
    expect([total, items.map(use => use.user_id)]).toEqual([4, order])
  })
})

describe('orders', () => {
  const order = (trade_no: string, fields: Partial<typeof orders.$inferInsert> = {}) => ({
    ...{ user_id: ann.id, trade_no, method: 'alipay' as const, pid: '1', amount: 1, created_time: 1000 },
    ...{ money_cents: 100, quota: 1000, status: 'pending' as const, ...fields },
  })
  beforeAll(async () => {
    await db
      .insert(orders)
      .values([
        order('one'),
        order('two', { status: 'paid', gateway_trade_no: 'gateway two', paid_time: 5000, created_time: 2000 }),
        order('three', { status: 'expired', method: 'wxpay', created_time: 3000 }),
        order('four', { user_id: root.id, created_time: 4000 }),
      ])
  })

  test.each([
    ['', ['four', 'three', 'two', 'one']],
    ['status=pending', ['four', 'one']],
    ['status=paid', ['two']],
    ['status=expired', ['three']],
    ['method=wxpay', ['three']],
    ['username=root', ['four']],
    ['username=roo', []],
    ['trade_no=two', ['two']],
    ['trade_no=gateway%20two', ['two']],
    ['trade_no=gateway', []],
    ['start_timestamp=2000', ['four', 'three', 'two']],
    ['start_timestamp=2001', ['four', 'three']],
    ['end_timestamp=2000', ['two', 'one']],
    ['end_timestamp=1999', ['one']],
    ['status=pending&end_timestamp=3999', ['one']],
  ])('orders of the query %p are listed newest first', async (query, expected) => {
    const { data } = await root.get(`/api/user/topup?${query}`)
    expect([data.total, data.items.map((one: { trade_no: string }) => one.trade_no)]).toEqual([
      expected.length,
      expected,
    ])
  })
})

describe('messages', () => {
  test('each recipient of a message is listed by id, and each inbox newest first, of its owner alone', async () => {
    const [bob, eve] = [await visitor(), await visitor()]
    const send = async (title: string, ...to: Person[]) => {
      const body = { title, content: title, user_ids: to.map(({ id }) => id) }
      return (await root.post('/api/admin/messages', body)).data.id as number
    }
    const both = await send('both', eve, bob)
    const own = await send('own', eve)
    const { data } = await root.get(`/api/admin/messages/${both}/recipients`)
    expect(data.map((one: { user_id: number }) => one.user_id)).toEqual([bob.id, eve.id])
    const inbox = async (person: Person) =>
      (await person.get('/api/user/messages')).data.items.map((one: { id: number }) => one.id)
    expect([await inbox(eve), await inbox(bob)]).toEqual([[own, both], [both]])
    await db.delete(messageRecipients)
    await db.delete(messages)
  })

  test.each([
    [{}, 'user_ids'],
    [{ group: 'empty' }, 'group'],
    [{ user_ids: [4711] }, 'user_ids'],
  ])('a message to %j is refused at the field %s', async (to, field) => {
    const refused = await root.post('/api/admin/messages', { title: 't', content: 'c', ...to })
    expect(refused).toMatchObject({ status: 400, code: 'message.recipients_required', field })
  })

  test('an edit without a format keeps it, and one with a format changes it', async () => {
    const { data } = await root.post('/api/admin/messages', {
      ...{ title: 't', content: 'c', format: 'text', user_ids: [ann.id] },
      format: 'html',
    })
    const path = `/api/admin/messages/${data.id}`
    expect((await root.put(path, { title: 't2', content: 'c' })).data.format).toBe('html')
    expect((await root.put(path, { title: 't2', content: 'c', format: 'markdown' })).data.format).toBe('markdown')
    expect((await root.put(path, { title: 't3', content: 'c' })).data.format).toBe('markdown')
  })
})

describe('the audit log', () => {
  beforeAll(async () => {
    await db.delete(auditLog)
    const entry = { actor_id: 1, action: 'user.edit', before: {}, after: {}, address: '', request_id: '' }
    const row = (created_time: number, fields: object = {}) => ({
      ...{ ...entry, actor_name: 'root', target_kind: 'user', target_id: '7', target_name: 'ann', created_time },
      ...fields,
    })
    await db
      .insert(auditLog)
      .values([row(1000), row(2000, { action: 'user.create', target_id: '17' }), row(3000, { actor_name: 'boss' })])
  })

  test.each([
    ['', [3000, 2000, 1000]],
    ['action=user.create', [2000]],
    ['actor=boss', [3000]],
    ['actor=bos', []],
    ['keyword=nn', [3000, 2000, 1000]],
    ['keyword=7', [3000, 1000]],
    ['start_timestamp=2000', [3000, 2000]],
    ['start_timestamp=2001', [3000]],
    ['end_timestamp=2000', [2000, 1000]],
    ['end_timestamp=1999', [1000]],
  ])('entries of the query %p are listed newest first', async (query, expected) => {
    const { data } = await root.get(`/api/audit/?${query}`)
    expect(data.items.map((one: { created_time: number }) => one.created_time)).toEqual(expected)
  })
})

describe('keys', () => {
  test('the first usable key is the newest that is enabled, has quota and has not expired', async () => {
    const bob = await visitor()
    const make = async (fields: object): Promise<number> =>
      (await bob.post('/api/token/', { name: 'k', unlimited_quota: true, ...fields })).data.id
    const first = await make({ expired_time: now() + 60 })
    const changes = [
      { remain_quota: 0, unlimited_quota: false },
      { status: 2 },
      { status: 3 },
      { status: 4 },
      { expired_time: now() },
      { deleted_time: now() },
    ]
    for (const change of changes) {
      const id = await make({})
      expect((await firstUsableToken(bob.id))?.id).toBe(id)
      await db.update(tokens).set(change).where(eq(tokens.id, id))
      expect((await firstUsableToken(bob.id))?.id).toBe(first)
    }
    shiftClock(60)
    expect(await firstUsableToken(bob.id)).toBeUndefined()
    expect(await firstUsableToken(ann.id)).toBeUndefined()
  })

  test('deleted keys come back within a quarter of an hour, to their owner alone', async () => {
    const [bob, eve] = [await visitor(), await visitor(Role.admin)]
    const { id } = (await bob.post('/api/token/', { name: 'k' })).data
    const remove = () => bob.delete(`/api/token/${id}`)
    const restored = async (person: Person) => {
      await person.form(`/app/tokens/${id}/restore`)
      return (await bob.get(`/api/token/${id}`)).status === 200
    }
    await remove()
    expect(await restored(eve)).toBe(false)
    shiftClock(899)
    expect(await restored(bob)).toBe(true)
    await remove()
    shiftClock(900)
    expect(await restored(bob)).toBe(false)
  })
})
