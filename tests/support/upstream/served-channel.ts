/** Channels together with the fake upstreams behind them. */
import { afterAll } from 'bun:test'
import { db } from '../../../src/db/database.ts'
import { deleteChannels as deleteThese } from '../../../src/domain/channels/index.ts'
import { channels } from '../../../src/domain/channels/table.ts'
import { actorOf } from '../people/actor.ts'
import { MODEL } from '../people/client.ts'
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { fakeUpstream, type Script, type Upstream } from './openai.ts'

const upstreams: Upstream[] = []
afterAll(() => {
  for (const upstream of upstreams) upstream.stop()
})

export async function startUpstream(script?: Script, model = MODEL): Promise<Upstream> {
  const upstream = await fakeUpstream()
  if (script) upstream.scripts(model, script)
  upstreams.push(upstream)
  return upstream
}

/** A channel that leads to this upstream. */
export async function channelTo(upstream: Upstream | string, fields: Record<string, unknown> = {}) {
  const url = typeof upstream === 'string' ? upstream : upstream.url
  return makeChannel(await setUp(), { key: 'sk-upstream', base_url: url, models: MODEL, ...fields })
}

/** An upstream that answers the model, under its own name, and a channel to it. */
export async function served(script: Script, fields: Record<string, unknown> = {}, model = MODEL) {
  const upstream = await startUpstream(script, model)
  for (const key of String(fields.key ?? '').split(',')) upstream.keys.add(key)
  const channel = await channelTo(upstream, fields)
  return {
    upstream,
    id: channel.id as number,
    name: channel.name as string,
    calls: () => upstream.journal.length,
    scripts: (next: Script) => upstream.scripts(model, next),
  }
}

export async function deleteChannels() {
  const rows = await db.select({ id: channels.id }).from(channels)
  if (rows.length) await deleteThese({ ids: rows.map(({ id }) => id) }, await actorOf(await setUp()))
}
