/**
 * Random operations on money by several users at once, beside a model of what they may do. After each run every balance,
 * code and order is what the model makes of the answers, and the audit is clean. A failure prints seed and path.
 */
import { expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { Role } from '../../src/contracts/account.ts'
import { UNLIMITED_USES } from '../../src/contracts/redemption.ts'
import { db } from '../../src/db/database.ts'
import { checkIns } from '../../src/domain/rewards/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { env } from '../../src/env.ts'
import { setOption } from '../support/app/options.ts'
import { openShop } from '../support/epay/shop.ts'
import { MODEL } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

/** `MODEL_SEEDS=100 MODEL_OPERATIONS=10000` for the whole measure; the seeds follow each other from `MODEL_SEED`. */
const SEEDS = Number(process.env.MODEL_SEEDS ?? 5)
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? 400)
const FIRST_SEED = Number(process.env.MODEL_SEED ?? 1)

const WORKERS = 4
const PROMPT = 10
const RICH = 200_000_000
const POOR = 3000
/** A hold is larger than its bill by the estimate of the prompt, at most. */
const HOLD_SLACK = 200
const ORDERED_UNIT = 500_000
const REBATE_PERCENT = 7
const [CHECK_IN_MIN, CHECK_IN_MAX] = [100, 900]
const GIFT_USES = 2

Object.assign(env, { CRITICAL_RATE_LIMIT: 0, GLOBAL_API_RATE_LIMIT: 0 })
const root = await setUp()
const { merchant, order } = await openShop()
const options = {
  ModelRatio: JSON.stringify({ [MODEL]: 1 }),
  CompletionRatio: JSON.stringify({ [MODEL]: 1 }),
  PreConsumedQuota: 0,
  // A call that the balance does not pay for is refused, not shortened.
  MinAffordableOutput: 1_000_000,
  RebateEnabled: true,
  RebatePercentage: REBATE_PERCENT,
  CheckInEnabled: true,
  CheckInQuota: CHECK_IN_MIN,
  CheckInMaxQuota: CHECK_IN_MAX,
}
for (const [key, value] of Object.entries(options)) await setOption(key, value)
/** The number in the question is what the answer has used beside its prompt; at a ratio of 1 the sum is the bill. */
await served(
  async (call, answer) => {
    const completion_tokens = Number((call.body.messages as { content: string }[])[0]!.content)
    const usage = { prompt_tokens: PROMPT, completion_tokens, total_tokens: PROMPT + completion_tokens }
    await chat({ usage })(call, answer)
  },
  {},
  MODEL,
)

interface Code {
  key: string
  id: number
  quota: number
  on: boolean
  uses_left: number
  users: Set<Member>
}

interface Order {
  quota: number
  paid: boolean
  payment: Awaited<ReturnType<typeof order>>
}

/** What the model knows of one user. */
interface Member {
  person: Person
  key: string
  balance: number
  earnings: number
  hasCheckedIn: boolean
  inviter?: Member
  codes: Code[]
  orders: Order[]
}

const kinds = ['spend', 'create', 'redeem', 'gift', 'switch', 'order', 'pay', 'check_in', 'transfer', 'admin'] as const
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(),
  amount: fc.integer({ min: 1, max: 2000 }),
  flag: fc.boolean(),
  how: fc.constantFrom('true', 'forged', 'wrong sum', 'other merchant', 'not yet' as const),
})
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

async function memberWith(quota: number): Promise<Member> {
  const person = await visitor(Role.user, quota)
  const { data } = await person.post('/api/token/', { name: 'key', unlimited_quota: true })
  return { person, key: data.key, balance: quota, earnings: 0, hasCheckedIn: false, codes: [], orders: [] }
}

/** The first invited the second; the last has little. */
async function newMembers(): Promise<Member[]> {
  const members = await Promise.all([RICH, RICH, RICH, POOR].map(memberWith))
  const [inviter, invited] = members as [Member, Member]
  invited.inviter = inviter
  await db.update(users).set({ inviter_id: inviter.person.id }).where(eq(users.id, invited.person.id))
  for (const member of members) {
    member.earnings = 3 * ORDERED_UNIT
    await db.update(users).set({ aff_quota: member.earnings }).where(eq(users.id, member.person.id))
  }
  return members
}

const pickOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)]

async function createCode(quota: number, gift = false): Promise<Code> {
  const uses_left = gift ? GIFT_USES : 1
  const body = { name: 'model', quota, count: 1, is_gift: gift, max_uses: gift ? GIFT_USES : UNLIMITED_USES }
  const { data } = await root.post('/api/redemption/', body)
  const { data: list } = await root.get('/api/redemption/?p=1&page_size=100')
  const [key] = data
  const { id } = list.items.find((item: Code) => item.key === key)
  return { key, id, quota, on: true, uses_left, users: new Set() }
}

/** Runs one operation and changes the model by its answer, where the model allows that answer. */
type Step = (member: Member, operation: Operation, gifts: Code[]) => Promise<void>

const steps: Record<(typeof kinds)[number], Step> = {
  spend: async (member, { amount, flag }) => {
    const { balance } = member
    const response = await member.person.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer sk-${member.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: MODEL, stream: flag, max_tokens: amount },
        messages: [{ role: 'user', content: String(amount) }],
      }),
    })
    const text = await response.text()
    if (response.status === 200) {
      expect(balance).toBeGreaterThanOrEqual(amount)
      member.balance -= PROMPT + amount
    } else {
      expect([response.status, text.includes('insufficient_user_quota')]).toEqual([403, true])
      expect(balance).toBeLessThan(amount + HOLD_SLACK)
    }
  },
  create: async (member, { amount }) => {
    member.codes.push(await createCode(amount))
  },
  redeem: (member, { pick }) => redeemFrom(member, pickOf(member.codes, pick)),
  gift: (member, { pick }, gifts) => redeemFrom(member, pickOf(gifts, pick)),
  switch: async (member, { pick, flag }) => {
    const code = pickOf(member.codes, pick)
    if (!code) return
    const { success } = await root.put('/api/redemption/?status_only=true', { id: code.id, status: flag ? 1 : 2 })
    expect(success).toBe(code.uses_left > 0)
    if (success) code.on = flag
  },
  order: async (member, { amount }) => {
    const whole = (amount % 9) + 1
    if (member.orders.filter(one => !one.paid).length >= 3) return
    const payment = await order(member.person, whole)
    member.orders.push({ quota: whole * ORDERED_UNIT, paid: false, payment })
  },
  pay: async (member, { pick, how }) => {
    const one = pickOf(member.orders, pick)
    if (!one) return
    const callback = callbacks[how]
    const answer = await merchant.call(one.payment, callback)
    if (how === 'true') {
      expect(answer).toBe('success')
      if (one.paid) return
      one.paid = true
      member.balance += one.quota
      if (member.inviter) member.inviter.balance += Math.floor((one.quota * REBATE_PERCENT) / 100)
    } else if (how !== 'not yet') expect(answer).toBe('fail')
  },
  check_in: async member => {
    const { success } = await member.person.post('/api/user/check_in')
    expect(success).toBe(!member.hasCheckedIn)
    if (!success) return
    member.hasCheckedIn = true
    const reward = await rewardOf(member)
    expect(reward >= CHECK_IN_MIN && reward <= CHECK_IN_MAX).toBe(true)
    member.balance += reward
  },
  transfer: async (member, { amount, flag }) => {
    const quota = flag ? ORDERED_UNIT + amount : amount
    const { success } = await member.person.post('/api/user/aff_transfer', { quota })
    expect(success).toBe(quota >= ORDERED_UNIT && quota <= member.earnings)
    if (!success) return
    member.earnings -= quota
    member.balance += quota
  },
  admin: async (member, { amount, flag }) => {
    const quota_delta = flag ? amount : -amount
    const { success } = await root.put('/api/user/', { id: member.person.id, quota_delta })
    expect(success).toBe(member.balance + quota_delta >= 0)
    if (success) member.balance += quota_delta
  },
}

const callbacks = {
  true: {},
  forged: { key: 'another-key' },
  'wrong sum': { changes: { money: '0.01' } },
  'other merchant': { changes: { pid: '1001' } },
  'not yet': { changes: { trade_status: 'WAIT_BUYER_PAY' } },
}

async function redeemFrom(member: Member, code: Code | undefined) {
  if (!code) return
  const { success, data } = await member.person.post('/api/user/topup', { key: code.key })
  const isShared = code.uses_left === GIFT_USES || code.users.size > 0
  if (!success) {
    // Another user may have taken the last use of a gift a moment ago.
    expect(isShared || !code.on || code.uses_left === 0 || code.users.has(member)).toBe(true)
    return
  }
  expect([code.on, code.uses_left > 0, code.users.has(member), data.quota]).toEqual([true, true, false, code.quota])
  code.uses_left--
  code.users.add(member)
  member.balance += code.quota
}

const balanceOf = async ({ person }: Member) => (await person.get('/api/user/self')).data.quota as number

async function rewardOf({ person }: Member): Promise<number> {
  const [day] = await db.select().from(checkIns).where(eq(checkIns.user_id, person.id))
  return day!.quota
}

async function reconcile(members: Member[], gifts: Code[]) {
  const balances = await Promise.all(members.map(balanceOf))
  expect(balances).toEqual(members.map(({ balance }) => balance))
  const ids = members.map(({ person }) => person.id)
  const rows = await db.select().from(users).where(inArray(users.id, ids)).orderBy(users.id)
  expect(rows.map(row => row.aff_quota)).toEqual(
    [...members].sort((a, b) => a.person.id - b.person.id).map(({ earnings }) => earnings),
  )
  for (const gift of gifts) expect(gift.users.size).toBeLessThanOrEqual(GIFT_USES)
  expect((await auditWallets()).difference).toBeUndefined()
}

const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)

test.each(seeds)('operations of seed %i leave the books as the model has them', async seed => {
  const length = Math.ceil(OPERATIONS / WORKERS)
  const lists = fc.array(fc.array(operation, { minLength: length, maxLength: length }), {
    ...{ minLength: WORKERS, maxLength: WORKERS },
  })
  const property = fc.asyncProperty(lists, async work => {
    const members = await newMembers()
    const gifts = await Promise.all([createCode(11, true), createCode(13, true)])
    await Promise.all(
      work.map(async (operations, index) => {
        for (const one of operations) await steps[one.kind](members[index]!, one, gifts)
      }),
    )
    await reconcile(members, gifts)
  })
  await fc.assert(property, { seed, numRuns: 1, endOnFailure: true })
})
