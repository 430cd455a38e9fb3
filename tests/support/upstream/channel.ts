/** Channels for tests, made through the door. */
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import type { Channel } from '../../../src/domain/channels/config/channel.ts'
import { type ChannelRow, channels } from '../../../src/domain/channels/table.ts'
import { flushOutcomes } from '../../../src/domain/routing/health/hourly-outcomes.ts'
import { type Person, setUp } from '../people/person.ts'

export const KEY = 'sk-secret-0123456789'

let made = 0

/** A channel with a name, and a model, that no other one of this file has, unless it is said otherwise. */
export async function makeChannel(admin: Person, fields: Record<string, unknown> = {}): Promise<Channel> {
  made++
  const answer = await admin.post('/api/channel/', { name: `c${made}`, key: KEY, models: `m${made}`, ...fields })
  if (!answer.success) throw new Error(answer.message)
  return answer.data
}

/** As it is in the database. */
export async function storedChannel(id: number): Promise<ChannelRow> {
  const [row] = await db.select().from(channels).where(eq(channels.id, id))
  return row!
}

/** A channel as operators see it, outcomes and closings written down. */
export async function channelNow(id: number) {
  await flushOutcomes()
  return (await (await setUp()).get(`/api/channel/${id}`)).data
}
