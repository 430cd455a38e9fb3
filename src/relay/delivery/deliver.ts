/** Delivers the response: a whole one, or the last bytes of a stream or file, go out once the bill is durable. */
import { CONVERSATION_HEADER } from '../../contracts/relay.ts'
import { type Candidate, limitsOf } from '../../domain/routing/index.ts'
import type { ResponseFacts } from '../../formats/format.ts'
import { mark } from '../../process/marks.ts'
import { type BodySource, bodyStream, bytesSource } from '../../stream/body-stream.ts'
import { asBuffer, eventStream } from '../../stream/sse.ts'
import type { Call } from '../call.ts'
import { costHeader, costOf, withCost } from '../charging/cost.ts'
import { meter } from '../charging/meter.ts'
import { explain, headersFor } from '../errors/explain.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import { isFile, isStreamed, type UpstreamResponse, type WholeResponse } from '../upstream/upstream-response.ts'
import type { CallEnd } from './call-end.ts'
import { failedStream, failureEvents } from './failure-events.ts'
import { FileDelivery } from './file-delivery.ts'
import { JsonArrayStream } from './json-array-stream.ts'
import { KeepAlive, keepAliveInterval_ms, QUEUED_INTERVAL_MS, settlesWithin, singleEvent } from './keep-alive.ts'
import { StreamDelivery } from './stream-delivery.ts'

/** Bytes of a whole response that are handed to the server at once, with their length in the head. */
const AT_ONCE_BYTES = 262_144

/** @throws what `dispatched` rejects with, once the call has been released */
export async function deliver(
  end: CallEnd,
  dispatched: Promise<UpstreamResponse>,
  channels: readonly Candidate[],
): Promise<Response> {
  const { call } = end.billable
  const always_ms = call.facts.stream ? keepAliveInterval_ms(channels) : 0
  const interval_ms = always_ms || (call.facts.stream && mayBeQueued(call, channels) ? QUEUED_INTERVAL_MS : 0)
  if (interval_ms && !(await settlesWithin(dispatched, interval_ms)) && (always_ms || call.attempts.is_queued))
    return streamed(
      call,
      keptAlive(
        end,
        dispatched.catch(error => end.fail(error)),
        interval_ms,
      ),
    )
  let response: UpstreamResponse
  try {
    response = await dispatched
    mark('read response')
  } catch (error) {
    return failedStream(await end.fail(error).catch(error => error), call)
  }
  if (call.departure.hasLeft) return settleUndelivered(end, response)
  const conversation_headers = conversationHeader(response.facts)
  if (isStreamed(response)) return streamed(call, new StreamDelivery(end, response), conversation_headers)
  const headers = { ...headersFor(call.request_id), ...conversation_headers, 'content-type': response.type }
  if (isFile(response)) return new Response(bodyOf(call, new FileDelivery(end, response)), { headers })
  const { bytes, cost } = await settleWhole(end, response)
  const whole = new Response(wholeBody(call, bytes), { headers: { ...headers, ...costHeader(cost) } })
  mark('respond')
  return whole
}

const mayBeQueued = ({ attempts }: Call, channels: readonly Candidate[]) =>
  attempts.is_queued || channels.some(({ channel }) => limitsOf(channel))

/** The client has left: nothing reads the body of a response. */
async function settleUndelivered(end: CallEnd, response: UpstreamResponse): Promise<Response> {
  if (isStreamed(response)) new StreamDelivery(end, response)
  else if (isFile(response)) new FileDelivery(end, response)
  else await settleWhole(end, response)
  throw new ClientDisconnected()
}

async function settleWhole(end: CallEnd, response: WholeResponse) {
  end.begin({ response, meter: reason => meter(end.billable, response, reason) })
  const { quota } = await end.finish(response.is_cut ? 'abandoned' : 'finished')
  const cost = costOf(end.billable, quota)
  return { cost, bytes: withCost(asBuffer(response.bytes), cost) }
}

const bodyOf = ({ connection, user_id }: Call, source: BodySource) => bodyStream(source, connection, user_id)

/** The server holds what the socket does not take of a small response; a large one is written as its client reads. */
function wholeBody(call: Call, bytes: Uint8Array<ArrayBuffer>): BodyInit {
  if (bytes.byteLength > AT_ONCE_BYTES) return bodyOf(call, bytesSource(bytes))
  call.connection.sendBody(bytes.byteLength)
  return bytes
}

/** Ids come from the upstream: what could not stand in a header is left out. */
const conversationHeader = ({ conversation = '' }: ResponseFacts): Record<string, string> =>
  /^[\w.:-]{1,128}$/.test(conversation) ? { [CONVERSATION_HEADER]: conversation } : {}

function streamed(call: Call, source: BodySource, conversation_headers: Record<string, string> = {}): Response {
  const headers = { ...headersFor(call.request_id), ...conversation_headers, ...eventStream }
  if (call.endpoint.stream !== 'array') return new Response(bodyOf(call, source), { headers })
  return new Response(bodyOf(call, new JsonArrayStream(source)), {
    headers: { ...headers, 'content-type': 'application/json' },
  })
}

/** Comments until the upstream responds; an error until then becomes an event of the stream. */
function keptAlive(end: CallEnd, responding: Promise<UpstreamResponse>, interval_ms: number): BodySource {
  const { call } = end.billable
  const started = responding.then(async response => {
    if (isStreamed(response)) return new StreamDelivery(end, response)
    if (isFile(response)) return end.fail(new Error('a file came for a stream'))
    return singleEvent((await settleWhole(end, response)).bytes)
  })
  return new KeepAlive(started, interval_ms, {
    writeError: error => failureEvents(explain(error, call).api_error, call),
    leave: call.departure.begin,
  })
}
