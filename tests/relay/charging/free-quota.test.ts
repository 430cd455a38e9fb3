// @engine both
/** What is free for a call, beside the rows that it is read from. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { UserStatus } from '../../../src/contracts/account.ts'
import { requestId } from '../../../src/crypto/random-id.ts'
import { atomic } from '../../../src/db/atomic.ts'
import { db } from '../../../src/db/database.ts'
import { tokens } from '../../../src/domain/tokens/table.ts'
import { users } from '../../../src/domain/users/table.ts'
import { credit } from '../../../src/domain/wallet/credit.ts'
import { release, reserve } from '../../../src/domain/wallet/service.ts'
import { codeOf as code, type SpendingUser, spend, spendingUser } from '../../support/people/spending-user.ts'
import { seededRandom } from '../../support/random.ts'

const STEPS = 200

/** The quota that a call is offered to hold. */
async function free({ person, token, unlimited }: SpendingUser): Promise<number> {
  const offers: number[] = []
  const decide = (left: number) => {
    offers.push(left)
    // PostgreSQL asks first what an endless balance would be used for.
    return Number.isFinite(left) ? 0 : 1e12
  }
  const request = {
    request_id: requestId(),
    user_id: person.id,
    token_id: token.id,
    unlimited,
    model: 'gpt-4o',
    quota: 0,
  }
  await release(await reserve(request, decide))
  return offers.at(-1)!
}

test('a call is offered what its rows leave, after charges, credits, edits and bans at random', async () => {
  const random = seededRandom(20_261_129)
  const people = [await spendingUser(90_000, 60_000), await spendingUser(50_000), await spendingUser(400, 300)]
  const charge = (who: SpendingUser) => Promise.allSettled([spend(who, random(90)), spend(who, random(90))])
  const changes = [
    charge,
    ({ person }: SpendingUser) =>
      atomic(tx => credit(tx, { user_id: person.id, kind: 'admin', delta: random(500), reference: requestId() })),
    async ({ token }: SpendingUser) => {
      await db
        .update(tokens)
        .set({ remain_quota: random(70_000) })
        .where(eq(tokens.id, token.id))
    },
    async ({ person }: SpendingUser) => {
      const status = random(2) ? UserStatus.enabled : UserStatus.banned
      await db.update(users).set({ status }).where(eq(users.id, person.id))
    },
  ]
  for (let step = 0; step < STEPS; step++) {
    const who = people[random(people.length)]!
    // Half of the changes are charges, which the rest has to be seen between.
    await (changes[random(2 * changes.length)] ?? charge)(who)
    const [user] = await db.select().from(users).where(eq(users.id, who.person.id))
    const [key] = await db.select().from(tokens).where(eq(tokens.id, who.token.id))
    if (user!.status !== UserStatus.enabled) expect(await code(free(who))).toBe('wallet.user_inactive')
    else
      expect(await free(who)).toBe(Math.min(user!.quota, who.unlimited ? Number.POSITIVE_INFINITY : key!.remain_quota))
  }
})
