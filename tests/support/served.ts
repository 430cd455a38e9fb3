/** Channels with upstreams of their own behind them, for tests of which one serves. */
import { channelTo, MODEL, startUpstream } from './relay.ts'
import type { Script } from './upstream.ts'
import { setUp } from './visit.ts'

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
    says: (next: Script) => upstream.says(model, next),
  }
}

export async function noChannels() {
  const root = await setUp()
  for (const { id } of (await root.get('/api/channel/?p=0&page_size=100')).data)
    await root.delete(`/api/channel/${id}/`)
}

/** Any answer, with any status. */
export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  (_, answer) =>
    answer.json(body, status, headers)
