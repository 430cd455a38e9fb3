/** When a user was last seen: by a page, and by a charged call. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { client } from '../support/people/client.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

await channelTo(await startUpstream(chat()))
afterEach(() => resetStores('clock'))

async function lastSeen(id: number): Promise<number> {
  const [user] = await db.select({ last_seen: users.last_seen }).from(users).where(eq(users.id, id))
  return user!.last_seen
}

test('a charged call and a page of the console move it, and a late bill does not set it back', async () => {
  const ann = await client()
  const { id } = ann.person
  shiftClock(3600)
  const called = now()
  expect((await ann.chat()).status).toBe(200)
  await until(async () => (await lastSeen(id)) >= called)
  shiftClock(3600)
  const opened = now()
  await ann.person.page('/app/tokens')
  const seen = await lastSeen(id)
  expect(seen).toBeGreaterThanOrEqual(opened)
  shiftClock(-7000)
  const before = await ann.balance()
  expect((await ann.chat()).status).toBe(200)
  await until(async () => (await ann.balance()) < before)
  expect(await lastSeen(id)).toBe(seen)
})
