/** Rewrites the events of providers whose streams differ from their format. */

import { EVENT_MAX_BYTES } from '../../contracts/relay.ts'
import { type ChunkReader, NetworkError } from '../../net/upstream-fetch.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import { parseObject } from '../../pure/json.ts'
import { asBuffer, dataOf, EventCutter, eventsIn, toBytes } from '../../stream/sse.ts'

type RewriteEvent = NonNullable<UpstreamApi['rewriteEvent']>

/** @returns `source` itself for a provider that needs no rewriting */
export function rewriteStream(source: ChunkReader, { rewriteEvent }: UpstreamApi): ChunkReader {
  if (!rewriteEvent) return source
  const cutter = new EventCutter()
  let ended = false
  return {
    async next() {
      for (let chunk = await source.next(); chunk; chunk = await source.next()) {
        const events = cutter.push(asBuffer(chunk))
        if (cutter.pending > EVENT_MAX_BYTES) throw new NetworkError('too_large')
        const bytes = events && rewriteEvents(events, rewriteEvent)
        if (bytes?.length) return bytes
      }
      if (ended || !cutter.rest) return undefined
      ended = true
      return rewriteEvents(toBytes(`${cutter.rest}\n\n`), rewriteEvent)
    },
  }
}

function rewriteEvents(events: Buffer, rewrite: RewriteEvent): Buffer<ArrayBuffer> {
  const rewritten: string[] = []
  for (const event of eventsIn(events)) rewritten.push(rewriteOne(event, rewrite))
  return toBytes(rewritten.join(''))
}

function rewriteOne(event: string, rewrite: RewriteEvent): string {
  const data = dataOf(event)
  if (data === undefined) return event
  const body = parseObject(Buffer.from(data, 'latin1').toString('utf8'))
  // Drops the event's name and other fields, which only the provider's own clients know.
  if (!body) return `data: ${data}\n\n`
  const rewritten = rewrite(body)
  if (rewritten === body) return event
  return rewritten ? `data: ${Buffer.from(JSON.stringify(rewritten)).toString('latin1')}\n\n` : ''
}
