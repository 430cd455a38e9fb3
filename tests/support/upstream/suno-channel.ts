/** Channels that lead to a server of Suno-API. */
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { SUNO_KEY, type SunoUpstream } from './suno.ts'

const made: number[] = []

/** Deletes the channels that a test has made beside the first. */
export async function closeOthers() {
  const root = await setUp()
  for (const id of made.splice(1)) await root.delete(`/api/channel/${id}`)
}

/** A channel of songs and lyrics that leads to this server. */
export async function sunoChannel({ url }: Pick<SunoUpstream, 'url'>, fields: object = {}) {
  const models = 'suno_music,suno_lyrics'
  const channel = await makeChannel(await setUp(), { type: 36, key: SUNO_KEY, base_url: url, models, ...fields })
  made.push(channel.id)
  return channel
}
