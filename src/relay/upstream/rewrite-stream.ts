/** Streams of providers with habits of their own, put as their format has them. */

import { EVENT_MAX_BYTES } from '../../contracts/relay.ts'
import { type ChunkReader, NetworkError } from '../../net/upstream-fetch.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import { asBuffer, dataOf, EventCutter, eventsIn, toBytes } from '../../stream/sse.ts'

/** A stream whose events are put right as they pass. */
export function rewriteStream(source: ChunkReader, { rewriteEvent }: UpstreamApi): ChunkReader {
  if (!rewriteEvent) return source
  const cutter = new EventCutter()
  let ended = false
  return {
    async next() {
      for (let piece = await source.next(); piece; piece = await source.next()) {
        const events = cutter.push(asBuffer(piece))
        if (cutter.pending > EVENT_MAX_BYTES) throw new NetworkError('too_large')
        const bytes = events && fitEvents(events, rewriteEvent)
        if (bytes?.length) return bytes
      }
      if (ended || !cutter.rest) return undefined
      ended = true
      return fitEvents(toBytes(`${cutter.rest}\n\n`), rewriteEvent)
    },
  }
}

/** Whole events, one after another. */
function fitEvents(events: Buffer, fit: NonNullable<UpstreamApi['rewriteEvent']>): Buffer<ArrayBuffer> {
  const said: string[] = []
  for (const event of eventsIn(events)) said.push(fitOne(event, fit))
  return toBytes(said.join(''))
}

function fitOne(event: string, fit: NonNullable<UpstreamApi['rewriteEvent']>): string {
  const data = dataOf(event)
  if (data === undefined) return event
  const body = parsed(data)
  // Names are of events that only their own clients know.
  if (!body) return `data: ${data}\n\n`
  const fitted = fit(body)
  if (fitted === body) return event
  return fitted ? `data: ${Buffer.from(JSON.stringify(fitted)).toString('latin1')}\n\n` : ''
}

/** Lists too: some send more than answers. */
function parsed(data: string): Json | undefined {
  if (!data.startsWith('{') && !data.startsWith('[')) return undefined
  try {
    return JSON.parse(Buffer.from(data, 'latin1').toString('utf8'))
  } catch {
    return undefined
  }
}
