// @engine both
/** Earnings from invitations: transfers to the balance, the list of invitees, rebates on paid orders. */
import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { UserStatus } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { atomic } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { rebate } from '../../src/domain/rewards/index.ts'
import { rebates, transfers } from '../../src/domain/rewards/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets, credit, settle } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { registrationFields, userNamed } from '../support/people/registration.ts'
import { billOf, hold, spendingUser } from '../support/people/spending-user.ts'
import { holding } from '../support/postgres/locks.ts'
import { inTier } from '../support/tier.ts'

const UNIT = 500_000
const ROUNDS = inTier({ short: 20, long: 50 })

await setUp()
beforeEach(async () => {
  await setOption('RebateEnabled', true)
  await setOption('RebatePercentage', 10)
})

const rowOf = async ({ id }: { id: number }) => (await db.select().from(users).where(eq(users.id, id)))[0]!
const creditsOf = ({ id }: { id: number }) => db.select().from(ledger).where(eq(ledger.user_id, id)).orderBy(ledger.id)
const transfer = (person: Person, quota: unknown, options?: Parameters<Person['post']>[2]) =>
  person.post('/api/user/aff_transfer', { quota }, options)

async function earner(aff_quota: number): Promise<Person> {
  const ann = await visitor()
  await db.update(users).set({ aff_quota, aff_history_quota: aff_quota }).where(eq(users.id, ann.id))
  return ann
}

async function invitedBy(inviter: { id: number }): Promise<Person> {
  const person = await visitor()
  await db.update(users).set({ inviter_id: inviter.id }).where(eq(users.id, person.id))
  return person
}

test('a transfer moves earnings to the balance, with row, ledger and log', async () => {
  const ann = await earner(3 * UNIT)
  expect(await transfer(ann, UNIT)).toMatchObject({ success: true, data: null })
  expect(await rowOf(ann)).toMatchObject({ quota: UNIT, aff_quota: 2 * UNIT, aff_history_quota: 3 * UNIT })
  const [row] = await db.select().from(transfers).where(eq(transfers.user_id, ann.id))
  expect(await creditsOf(ann)).toMatchObject([{ kind: 'transfer', delta: UNIT, reference: String(row!.id) }])
  const { data } = await ann.get('/api/log/self?type=4', { language: 'zh' })
  expect(data.items[0]).toMatchObject({ quota: UNIT, content: '邀请收益 $1.000000 已划转到余额' })
  expect((await auditWallets()).difference).toBeUndefined()
})

test('a transfer may take all earnings, and is worth a unit at least, also where a unit is no whole quota', async () => {
  const ann = await earner(1001)
  await setOption('QuotaPerUnit', 1000.4)
  expect(await transfer(ann, 1000)).toMatchObject({ success: false, code: 'reward.transfer_minimum' })
  expect(await transfer(ann, 1001)).toMatchObject({ success: true })
  await setOption('QuotaPerUnit', UNIT)
  expect(await rowOf(ann)).toMatchObject({ quota: 1001, aff_quota: 0 })
})

test.each([
  [UNIT - 1, 'reward.transfer_minimum'],
  [0, 'reward.transfer_minimum'],
  [-1, 'reward.transfer_minimum'],
  [2 * UNIT, 'reward.transfer_too_large'],
  [Number.MAX_SAFE_INTEGER, 'reward.transfer_too_large'],
  [1.5, 'reward.transfer_invalid'],
  [1e300, 'reward.transfer_invalid'],
  ['all', 'reward.transfer_invalid'],
  [null, 'reward.transfer_invalid'],
])('a transfer of %p is refused at its field, and nothing moves', async (quota, code) => {
  const ann = await earner(2 * UNIT - 1)
  expect(await transfer(ann, quota)).toMatchObject({ success: false, code, field: 'quota' })
  expect(await rowOf(ann)).toMatchObject({ quota: 0, aff_quota: 2 * UNIT - 1 })
  expect(await creditsOf(ann)).toEqual([])
})

test('the minimum is one unit of currency, and the message shows it as the site shows amounts', async () => {
  const ann = await earner(UNIT)
  expect((await transfer(ann, 1)).message).toBe('Minimum transfer amount is $1.00')
  expect((await transfer(ann, 1, { language: 'zh' })).message).toBe('划转金额最低为 $1.00')
  await setOption('DisplayInCurrencyEnabled', false)
  expect((await transfer(ann, 1)).message).toBe('Minimum transfer amount is 500,000')
  await setOption('DisplayInCurrencyEnabled', true)
})

test('an Idempotency-Key moves earnings once, and no other amount', async () => {
  const ann = await earner(5 * UNIT)
  const headers = { 'idempotency-key': 'k-1' }
  const first = await transfer(ann, UNIT, { headers })
  expect(await transfer(ann, UNIT, { headers })).toEqual(first)
  expect((await transfer(ann, 2 * UNIT, { headers })).status).toBe(422)
  expect(await rowOf(ann)).toMatchObject({ quota: UNIT, aff_quota: 4 * UNIT })
})

test(`one of parallel transfers of everything succeeds, in ${ROUNDS} rounds`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ann = await earner(UNIT)
    const other = await holding(`select 1 from users where id = ${ann.id} for no key update`)
    const answers = Array.from({ length: 6 }, () => transfer(ann, UNIT))
    await other.waiting(2)
    await other.release()
    const codes = (await Promise.all(answers)).map(({ success, code }) => (success ? 'done' : code))
    expect(codes.sort()).toEqual(['done', ...Array(5).fill('reward.transfer_too_large')])
    expect(await rowOf(ann)).toMatchObject({ quota: UNIT, aff_quota: 0 })
  }
  expect((await auditWallets()).difference).toBeUndefined()
})

test('the dialog works without JavaScript, and shows a refusal at its field', async () => {
  const ann = await earner(3 * UNIT + UNIT / 2)
  const dialog = await (await ann.page('/app/me?open=transfer')).text()
  expect([dialog.includes('value="3.5"'), dialog.includes('$3.50 pending. Minimum $1.00.')]).toEqual([true, true])
  const refused = await ann.form('/app/me/transfer', { quota: '0.5' })
  const page = await refused.text()
  expect([refused.status, page.includes('Minimum transfer amount is $1.00')]).toEqual([422, true])
  for (const quota of ['', 'abc', '1e300']) expect((await ann.form('/app/me/transfer', { quota })).status).toBe(422)
  const done = await ann.form('/app/me/transfer', { quota: '3.5' })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app/me?tab=rewards'])
  expect(await balance(ann)).toBe(3.5 * UNIT)
})

test('invitees are listed with masked names and dates, newest first, for their inviter only', async () => {
  const [ann, bea] = [await visitor(), await visitor()]
  const { data: aff_code } = await ann.get('/api/user/aff')
  const fields = [registrationFields({ aff_code }), registrationFields({ aff_code })]
  for (const one of fields) expect((await anyone.post('/api/user/register', one)).success).toBe(true)
  const names = fields.map(({ username }) => `n***${username.at(-1)}`)
  const page = await (await ann.page('/app/me?tab=rewards&open=invitees')).text()
  const [first, second] = names.map(name => page.indexOf(name))
  expect(first! > second! && second! > 0).toBe(true)
  expect(fields.some(({ username }) => page.includes(username))).toBe(false)
  expect((await (await bea.page('/app/me?open=invitees')).text()).includes('n***')).toBe(false)
  expect((await userNamed(fields[0]!.username))!.inviter_id).toBe(ann.id)
})

let orders = 0
/** Credits an order as the top-up does. */
const pay = (payer: { id: number }, quota: number, id = ++orders) =>
  atomic(function* (tx) {
    const order = { id, user_id: payer.id, quota }
    yield* rebate(tx, order)
    yield* credit(tx, { user_id: payer.id, kind: 'topup', delta: quota, reference: String(id) })
  })

test('a paid order brings the inviter the share, rounded down, with two entries of the log', async () => {
  const ann = await visitor()
  const bob = await invitedBy(ann)
  await setOption('RebatePercentage', 12.5)
  await pay(bob, 1_000_007)
  expect(await rowOf(ann)).toMatchObject({ quota: 125_000, aff_quota: 0 })
  expect(await creditsOf(ann)).toMatchObject([{ kind: 'rebate', delta: 125_000, reference: String(orders) }])
  const [row] = await db.select().from(rebates).where(eq(rebates.order_id, orders))
  expect(row).toMatchObject({ user_id: ann.id, payer_id: bob.id, quota: 125_000 })
  const contentOf = async (person: Person) => (await person.get('/api/log/self?type=4')).data.items[0].content
  expect(await contentOf(ann)).toBe(
    `Rebate of 12.5% on an online top-up of $2.000014 by p***${bob.username.at(-1)}, whom you invited`,
  )
  expect(await contentOf(bob)).toBe(
    'The user who invited you received a rebate of $0.250000 (12.5%) for your online top-up',
  )
  expect((await auditWallets()).difference).toBeUndefined()
})

test.each([
  [0.1, 999, 0],
  [0.1, 1000, 1],
  [0.07, 10_000_000, 7000],
  [100, 999, 999],
  [0, 1_000_000, 0],
  [33.3, 9_007_199_254_740, 2_999_397_351_828],
])('%p%% of %p quota is %p', async (percentage, paid, share) => {
  const ann = await visitor()
  await setOption('RebatePercentage', percentage)
  await pay(await invitedBy(ann), paid)
  expect(await balance(ann)).toBe(share)
  expect(await db.select().from(logs).where(eq(logs.user_id, ann.id))).toHaveLength(share ? 1 : 0)
})

test.each(['RebateEnabled', 'AffEnabled'])('no rebate is paid while %s is off', async option => {
  const ann = await visitor()
  await setOption(option, false)
  await pay(await invitedBy(ann), UNIT)
  await setOption(option, true)
  expect(await balance(ann)).toBe(0)
})

test('a banned or deleted inviter, oneself and no inviter get no rebate', async () => {
  const changes = [{ status: UserStatus.banned }, { deleted_time: 1 }]
  for (const change of changes) {
    const ann = await visitor()
    const bob = await invitedBy(ann)
    await db.update(users).set(change).where(eq(users.id, ann.id))
    await pay(bob, UNIT)
    expect((await rowOf(ann)).quota).toBe(0)
    expect((await rowOf(bob)).quota).toBe(UNIT)
  }
  const self = await visitor()
  await db.update(users).set({ inviter_id: self.id }).where(eq(users.id, self.id))
  const alone = await visitor()
  for (const payer of [self, alone]) {
    await pay(payer, UNIT)
    expect((await rowOf(payer)).quota).toBe(UNIT)
  }
})

test('an order that is credited twice brings one rebate, and a failed one none', async () => {
  const ann = await visitor()
  const bob = await invitedBy(ann)
  await pay(bob, UNIT)
  await expect(pay(bob, UNIT, orders)).rejects.toMatchObject({ code: 'wallet.already_credited' })
  expect(await balance(ann)).toBe(UNIT / 10)
  expect((await rowOf(bob)).quota).toBe(UNIT)
})

test(`rebates between users who invited each other, beside their calls, do not deadlock in ${ROUNDS} rounds`, async () => {
  const [one, other] = [await spendingUser(UNIT), await spendingUser(UNIT)]
  const [ann, bob] = [one.person, other.person]
  await db.update(users).set({ inviter_id: bob.id }).where(eq(users.id, ann.id))
  await db.update(users).set({ inviter_id: ann.id }).where(eq(users.id, bob.id))
  const bill = await billOf(1)
  for (let round = 0; round < ROUNDS; round++) {
    const calls = await Promise.all([hold(one, 1), hold(other, 1)])
    await Promise.all([pay(ann, 10), pay(bob, 10), ...calls.map(call => settle(call, bill))])
  }
  const expected = UNIT + ROUNDS * (10 + 1 - 1)
  expect([await balance(ann), await balance(bob)]).toEqual([expected, expected])
  const entries = await db.select().from(logs).where(eq(logs.user_id, ann.id))
  expect(entries.filter(({ type }) => type === LogType.system)).toHaveLength(2 * ROUNDS)
  expect((await auditWallets()).difference).toBeUndefined()
})
