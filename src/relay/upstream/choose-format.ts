/** In which format a channel is asked: in the caller's own where it speaks that, else in its own, translated. */

import { type ReadyChannel, upstreamModel } from '../../domain/channels/index.ts'
import { remoteUrls, withBrought } from '../../formats/media/media-urls.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import { pivoting, translating, Unsayable } from '../../formats/translate/translating-format.ts'
import { now } from '../../process/clock.ts'
import { providerOf, type Spoken, spokenFor } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call, Door } from '../call.ts'
import { bring, withItsPictures } from './fetch-media.ts'

type Asked = Pick<Call, 'door' | 'ask'>

/** Addresses at which a provider's mirror turned out not to be: a stand-in need not have all that its original has. */
const bare = new Set<string>()
const placeOf = ({ type, base_url }: ReadyChannel) => `${type} ${base_url}`

export function spokenBy(channel: ReadyChannel, call: Asked): Spoken | undefined {
  return spokenIn(bare.size && bare.has(placeOf(channel)) ? undefined : call.door.codec, channel, call)
}

/** The same without a mirror; undefined where there was none in it. */
export function unmirrored(channel: ReadyChannel, call: Asked, offered: Spoken): Spoken | undefined {
  return offered === providerOf(channel.type)?.mirror ? spokenIn(undefined, channel, call) : undefined
}

export const hasNoMirror = (channel: ReadyChannel) => void bare.add(placeOf(channel))

function spokenIn(codec: Door['codec'] | undefined, channel: ReadyChannel, { door, ask }: Asked): Spoken | undefined {
  const provider = providerOf(channel.type)
  return provider && spokenFor(provider, door.operation, upstreamModel(channel, ask.model), codec)
}

interface Spelled {
  spoken: Spoken
  body: Json
}

/**
 * What is said to a channel, and how: the state of one attempt is in it.
 * @throws Unsayable when it cannot be said there, Refusal when what belongs to it cannot be had
 */
export async function spelled(call: Call, spoken: Spoken, stream: boolean): Promise<Spelled> {
  const body = stream === call.ask.stream ? call.body : { ...call.body, stream }
  const { pivot } = call.door.codec
  if (pivot)
    return { spoken: { ...spoken, codec: pivoting(pivot, spoken.codec) }, body: pivot.ask(body, spoken.codec.owner) }
  const [caller, upstream] = [call.door.codec.dialect, spoken.codec.dialect]
  if (!caller || !upstream || caller === upstream) {
    return { spoken, body: spoken.fetches_nothing ? await withItsPictures(body) : body }
  }
  const request = requestOf(caller, body)
  if (!('turns' in request)) throw new Unsayable(request)
  const urls = remoteUrls(request, upstream.format, spoken.fetches_nothing)
  const complete = urls.length ? withBrought(request, await bring(urls)) : request
  const label = { id: call.request_id, created: now(), prompt: call.prompt, request: complete }
  return { spoken: { ...spoken, codec: translating({ caller, upstream, label }, spoken.codec) }, body }
}
