/** Channels for tests, made as the API makes them. */
import { eq } from 'drizzle-orm'
import { NewChannel } from '../../../src/contracts/channel.ts'
import { parse } from '../../../src/contracts/parse.ts'
import { db } from '../../../src/db/database.ts'
import { type Channel, channelView, createChannel } from '../../../src/domain/channels/index.ts'
import { type ChannelRow, channels } from '../../../src/domain/channels/table.ts'
import { flushOutcomes } from '../../../src/domain/routing/health/hourly-outcomes.ts'
import { actorOf, wired } from '../people/actor.ts'
import type { Person } from '../people/person.ts'

export const KEY = 'sk-secret-0123456789'

let made = 0

/** A channel with a name, and a model, that no other one of this file has, unless it is said otherwise. */
export async function makeChannel(admin: Person, fields: Record<string, unknown> = {}): Promise<Channel> {
  made++
  const body = wired({ name: `c${made}`, key: KEY, models: `m${made}`, ...fields })
  return wired(await createChannel(parse(NewChannel, body), await actorOf(admin)))
}

/** As it is in the database. */
export async function storedChannel(id: number): Promise<ChannelRow> {
  const [row] = await db.select().from(channels).where(eq(channels.id, id))
  return row!
}

/** A channel as operators see it, outcomes and closings written down. */
export async function channelNow(id: number): Promise<any> {
  await flushOutcomes()
  return wired(await channelView(id))
}
