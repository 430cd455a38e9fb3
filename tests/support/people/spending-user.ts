/** People with quota and a key, who spend it as calls do. */
import { eq } from 'drizzle-orm'
import { usageOf } from '../../../src/billing/usage.ts'
import { Role } from '../../../src/contracts/account.ts'
import { requestId } from '../../../src/crypto/random-id.ts'
import { db } from '../../../src/db/database.ts'
import { channels } from '../../../src/domain/channels/table.ts'
import { tokens } from '../../../src/domain/tokens/table.ts'
import { usageHours } from '../../../src/domain/usage/table.ts'
import { users } from '../../../src/domain/users/table.ts'
import type { Settlement } from '../../../src/domain/wallet/ended-call.ts'
import type { Reservation } from '../../../src/domain/wallet/reservation.ts'
import { reserve, settle } from '../../../src/domain/wallet/service.ts'
import { makeChannel } from '../upstream/channel.ts'
import { type Person, setUp, visitor } from './person.ts'

export interface SpendingUser {
  person: Person
  token: { id: number; key: string }
  unlimited: boolean
}

/** Someone with this much quota and one token; unlimited unless it says what remains. */
export async function spendingUser(quota: number, remain_quota?: number): Promise<SpendingUser> {
  const person = await visitor(Role.user, quota)
  const unlimited = remain_quota === undefined
  const limits = { remain_quota: remain_quota ?? 0, unlimited_quota: unlimited }
  const { data } = await person.post('/api/token/', { name: 'key', ...limits })
  return { person, token: { id: data.id, key: data.key }, unlimited }
}

let channel_id: Promise<number> | undefined

/** The one channel that answers them all. */
export const theChannel = () =>
  (channel_id ??= setUp()
    .then(root => makeChannel(root))
    .then(channel => channel.id))

/** @param tokens that it may take */
export const hold = async (
  { person, token, unlimited }: SpendingUser,
  quota: number,
  tokens = 0,
): Promise<Reservation> =>
  reserve({
    ...{ request_id: requestId(), user_id: person.id, token_id: token.id, unlimited, model: 'gpt-4o', quota },
    tokensOf: () => tokens,
  })

export const billOf = async (quota: number, more: Partial<Settlement> = {}): Promise<Settlement> => ({
  quota,
  usage: usageOf({ input: 10, output: 5 }),
  model: 'gpt-4o',
  group: 'default',
  channel_id: await theChannel(),
  log: undefined,
  ...more,
})

/** One whole call: reserved, then billed. */
export async function spend(who: SpendingUser, quota: number, more: Partial<Settlement> = {}) {
  const bill = await billOf(quota, more)
  await settle(await hold(who, quota), bill)
}

/** All figures that a bill moves. */
export async function figures({ person, token }: SpendingUser) {
  const [user] = await db.select().from(users).where(eq(users.id, person.id))
  const [key] = await db.select().from(tokens).where(eq(tokens.id, token.id))
  const hours = await db.select().from(usageHours).where(eq(usageHours.user_id, person.id))
  return {
    quota: user!.quota,
    used_quota: user!.used_quota,
    request_count: user!.request_count,
    token_remain: key!.remain_quota,
    token_used: key!.used_quota,
    token_status: key!.status,
    usage_quota: hours.reduce((sum, hour) => sum + hour.quota, 0),
    usage_calls: hours.reduce((sum, hour) => sum + hour.calls, 0),
  }
}

export async function earnedBy(channel: number): Promise<number> {
  const [row] = await db.select().from(channels).where(eq(channels.id, channel))
  return row!.used_quota
}

/** How some work went: `done`, or the code or message of its refusal. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    error => error.code ?? error.message,
  )
