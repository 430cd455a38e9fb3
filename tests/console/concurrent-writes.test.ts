// @engine both
/** Concurrent writes to the same rows do not deadlock. */
import { expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { countServed, flushOutcomes, healthOf } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { tokenByKey, touchToken, writeLastUsed } from '../../src/domain/tokens/lookup.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { settle } from '../../src/domain/wallet/service.ts'
import { setUp } from '../support/people/person.ts'
import { billOf, hold, type SpendingUser, spendingUser } from '../support/people/spending-user.ts'
import { holding } from '../support/postgres/locks.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const admin = await setUp()

/** Two with a token each. The older one's row was written last: who reads the table as it lies comes to it last. */
async function twoTokens(): Promise<[SpendingUser, SpendingUser]> {
  const [older, younger] = [await spendingUser(1000), await spendingUser(1000)]
  await db.update(tokens).set({ name: 'again' }).where(eq(tokens.id, older.token.id))
  return [older, younger]
}

const rowsOf = (them: SpendingUser[]) =>
  db
    .select()
    .from(tokens)
    .where(
      inArray(
        tokens.id,
        them.map(({ token }) => token.id),
      ),
    )
    .orderBy(tokens.id)

test('settlement does not deadlock with the writing of last used', async () => {
  const them = await twoTokens()
  const calls = await Promise.all(them.map(who => hold(who, 10)))
  const bill = await billOf(10)
  const other = await holding(`select 1 from tokens where id = ${them[0].token.id} for no key update`)
  const billed = calls.map(call => settle(call, bill))
  for (const { token } of them) {
    await tokenByKey(token.key)
    touchToken(token.id)
  }
  const written = writeLastUsed()
  // The bills pass the locked row over.
  await other.waiting(1)
  await other.release()
  await Promise.all([...billed, written])
  const rows = await rowsOf(them)
  expect(rows.map(row => [row.used_quota, row.accessed_time > 0])).toEqual([
    [10, true],
    [10, true],
  ])
})

const succeeded = async (id: number) => (await healthOf([id])).get(id)!.reduce((sum, hour) => sum + hour.succeeded, 0)

test('health counts of a channel survive the deletion of another', async () => {
  const [gone, stays] = [await makeChannel(admin), await makeChannel(admin)]
  const other = await holding(`delete from channels where id = ${gone.id}`)
  for (const { id } of [gone, stays]) countServed(id, 'm')
  const written = flushOutcomes()
  await other.waiting(1)
  await other.release()
  await written
  expect(await succeeded(stays.id)).toBe(1)
})

if (dialect === 'postgres')
  test('flushing the counts waits for a flush under way', async () => {
    const { id } = await makeChannel(admin)
    const other = await holding(`select 1 from channels where id = ${id} for update`)
    countServed(id, 'm')
    const first = flushOutcomes()
    await other.waiting(1)
    const second = flushOutcomes().then(() => 'written')
    expect(await Promise.race([second, other.waiting(1).then(() => 'waiting')])).toBe('waiting')
    await other.release()
    await Promise.all([first, second])
    expect(await succeeded(id)).toBe(1)
  })
