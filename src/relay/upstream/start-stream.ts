/** Starts a stream: waits for its first event, so that another channel can still take over. */

import { EVENT_MAX_BYTES, RESPONSE_MAX_BYTES } from '../../contracts/relay.ts'
import { openStream } from '../../domain/routing/index.ts'
import { env } from '../../env.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { isFailure, type StreamGathering, type StreamReader } from '../../formats/format.ts'
import { isObject } from '../../formats/json/checks.ts'
import { deframed } from '../../net/framed.ts'
import { type ChunkReader, readChunks } from '../../net/upstream-fetch.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import { asBuffer, dataIn, dataOf, EventCutter, eventsIn, toBytes } from '../../stream/sse.ts'
import { logsContent } from '../charging/logged-content.ts'
import { faultOf, unusableResponse } from '../errors/classify-error.ts'
import { ClientDisconnected, UpstreamRejected } from '../errors/fault.ts'
import { capturesContent } from '../watching/trace-attributes.ts'
import { isTextual, readRejection, typeOf, wrongType } from './read-rejection.ts'
import { completeBody, readFirstBody, readWhole, readWholeBody } from './read-whole.ts'
import { rewriteStream } from './rewrite-stream.ts'
import {
  type FirstEvents,
  responseBase,
  type StreamedResponse,
  type UpstreamExchange,
  type WholeResponse,
} from './upstream-response.ts'

const BLANK_LINE = Buffer.from('\n\n')

const eventStream = /^text\/event-stream/i

export async function startStream(exchange: UpstreamExchange): Promise<StreamedResponse | WholeResponse> {
  const { api, response } = exchange
  if (api.format.may_respond_whole && !eventStream.test(typeOf(response))) return readWhole(exchange)
  if (api.streamFrom && isTextual(response)) return startNamedStream(exchange, api.streamFrom)
  if (isTextual(response)) throw await wrongType(exchange)
  return firstEvents(exchange, eventsOf(exchange))
}

async function startNamedStream(
  exchange: UpstreamExchange,
  streamFrom: NonNullable<UpstreamApi['streamFrom']>,
): Promise<StreamedResponse> {
  const { api, abort, sender } = exchange
  const first = await readFirstBody(exchange)
  const url = isObject(first.parsed) && streamFrom(first.parsed)
  if (!url) {
    const { body } = await completeBody(exchange, first)
    if (!api.format.toStream) throw aborted(abort)
    return firstEvents(exchange, singleChunk(Buffer.from(api.format.toStream(body as Json))))
  }
  const response = await openStream(url, sender, env.UPSTREAM_TIMEOUT * 1000)
  const named = { ...exchange, response }
  if (!response.ok) throw new UpstreamRejected(await readRejection(named))
  return firstEvents(named, eventsOf(named))
}

/** The bytes of the response as events of the format. */
function eventsOf({ api, response, abort, pace }: UpstreamExchange): ChunkReader {
  const chunks = readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * 1000, pace)
  return rewriteStream(deframed(chunks, EVENT_MAX_BYTES, { ...api, type: typeOf(response) }), api)
}

/** The whole response that a stream becomes. */
export async function gatherStream(exchange: UpstreamExchange): Promise<WholeResponse> {
  const { api, abort } = exchange
  if (isTextual(exchange.response)) throw await wrongType(exchange)
  const gathering = api.format.gathering!()
  const type = 'application/json'
  try {
    await gather(exchange, gathering)
  } catch (error) {
    const { so_far } = gathering
    if (!(error instanceof ClientDisconnected && (so_far.output_estimate || so_far.usage_report))) throw error
    return { ...responseBase(exchange), type, bytes: new Uint8Array(), facts: so_far, is_cut: true }
  }
  const facts = gathering.facts()
  if (!facts?.rewritten) throw aborted(abort)
  return { ...responseBase(exchange), type, bytes: Buffer.from(JSON.stringify(facts.rewritten)), facts }
}

async function gather(exchange: UpstreamExchange, gathering: StreamGathering) {
  const { abort, call, thinking } = exchange
  const source = eventsOf(exchange)
  const cutter = new EventCutter()
  let bytes = 0
  const read = (events: Buffer) =>
    dataIn(events).some(data => {
      const kind = gathering.read(data)
      if (isFailure(kind)) throw aborted(abort, gathering.error)
      return kind === 'end'
    })
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    call.departure.count(chunk.byteLength)
    bytes += chunk.byteLength
    const events = cutter.push(asBuffer(chunk))
    if (bytes > RESPONSE_MAX_BYTES) throw aborted(abort)
    const isOver = events && read(events)
    thinking?.observe(gathering.so_far)
    if (!isOver) continue
    void letGo(source, abort)
    break
  }
  if (cutter.rest) read(toBytes(`${cutter.rest}\n\n`))
}

/** After the last event of a response: its connection is free again at the end, and closed if anything else follows. */
const letGo = (source: ChunkReader, abort: AbortController): Promise<void> =>
  source.next().then(
    rest => {
      if (rest) abort.abort()
    },
    () => {},
  )

/** The stream that is written from the whole response of a channel without streams. */
export async function streamOfWhole(
  exchange: UpstreamExchange,
  toStream: (response: Json) => string,
): Promise<StreamedResponse> {
  const { body } = await readWholeBody(exchange)
  return firstEvents(exchange, singleChunk(Buffer.from(toStream(body as Json))))
}

function singleChunk(bytes: Buffer<ArrayBuffer>): ChunkReader {
  let left: Buffer<ArrayBuffer> | undefined = bytes
  return {
    async next() {
      const chunk = left
      left = undefined
      return chunk
    },
  }
}

async function firstEvents(exchange: UpstreamExchange, source: ChunkReader): Promise<StreamedResponse> {
  const { call, api, abort } = exchange
  const cutter = new EventCutter()
  const facts = api.format.streamReader({
    keep_text: logsContent() || capturesContent(call.trace),
    choices: call.facts.choices,
  })
  let isOver = false
  while (!isOver) {
    const chunk = await source.next()
    isOver = chunk === undefined
    if (chunk) call.departure.count(chunk.byteLength)
    // The only event may lack its blank line.
    const events = cutter.push(chunk ? asBuffer(chunk) : BLANK_LINE)
    if (cutter.pending > EVENT_MAX_BYTES) break
    const first_events = events && readBeginning(events, facts)
    if (!first_events) continue
    const { kind, from } = first_events
    if (isFailure(kind) && (from === 0 || !isFinal(exchange, facts)))
      throw aborted(abort, kind === 'broken' ? undefined : facts.error)
    return { ...responseBase(exchange), abort, source, cutter, facts, first_events }
  }
  throw aborted(abort)
}

/** Reads events until one has output; comments before the first carry nothing. @returns undefined without any event */
function readBeginning(events: Buffer, facts: StreamReader): FirstEvents | undefined {
  let last: FirstEvents | undefined
  let end = 0
  for (const event of eventsIn(events)) {
    end += event.length
    const data = dataOf(event)
    if (data === undefined) continue
    const kind = facts.read(facts.takeRewritten ? toBytes(data).toString() : data)
    last = { events, from: last?.read ?? 0, read: end, kind }
    if (kind !== 'content' || facts.output_estimate) break
  }
  return last
}

/**
 * Whether a response that began without output has failed as it would on every channel, and its client can be shown it
 * as it is: Codex knows the end of the context only by that event.
 */
const isFinal = ({ channel }: UpstreamExchange, { error, takeRewritten }: StreamReader): boolean =>
  !takeRewritten && error !== undefined && !faultOf({ status: error.status, error }, channel).retry

function aborted(abort: AbortController, error?: ApiError): Error {
  abort.abort()
  return error ? new UpstreamRejected({ status: error.status, error }) : unusableResponse()
}
