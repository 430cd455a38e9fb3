/** From the upstream to the caller: the last byte, or the whole answer, goes out once the bill is durable. */
import { env } from '../../env.ts'
import { type BodySource, bodyStream } from '../../stream/body-stream.ts'
import { asBuffer, eventStream } from '../../stream/sse.ts'
import type { BillableCall, Call } from '../call.ts'
import { costHeader, costOf, withCost } from '../charging/cost.ts'
import { settle } from '../charging/settle.ts'
import { headersFor, troubleOf } from '../errors/explain.ts'
import type { Leave } from '../request/admit.ts'
import { isFile, isStreamed, type UpstreamResponse, type WholeResponse } from '../upstream/upstream-response.ts'
import { FileDelivery } from './file-delivery.ts'
import { JsonArrayStream } from './json-array-stream.ts'
import { arrives, KeepAlive, OneEvent } from './keep-alive.ts'
import { Delivery } from './stream-delivery.ts'

/**
 * @param leave called once, when the caller has had all of it or all there will be
 * @param ping_ms of silence, after which a stream begins without the answer; 0 waits for it
 */
export async function deliver(
  order: BillableCall,
  answering: Promise<UpstreamResponse>,
  leave: Leave,
  ping_ms: number,
): Promise<Response> {
  if (ping_ms && !(await arrives(answering, ping_ms))) return streamed(order, patient(order, answering, leave, ping_ms))
  const answer = await answering
  if (isStreamed(answer)) return streamed(order, new Delivery(order, answer, leave))
  const headers = { ...headersFor(order.call.request_id), 'content-type': answer.type }
  if (isFile(answer)) return new Response(watched(order.call, new FileDelivery(order, answer, leave)), { headers })
  const { bytes, cost } = await settled(order, answer, leave)
  order.call.connection.idle()
  return new Response(bytes, { headers: { ...headers, ...costHeader(cost) } })
}

/** A whole answer once it is paid for. */
async function settled(order: BillableCall, answer: WholeResponse, leave: Leave) {
  const { quota } = await settle(order, answer, 'finished')
  leave(true)
  const cost = costOf(order, quota)
  return { cost, bytes: withCost(asBuffer(answer.bytes), cost) }
}

/** A caller may take nothing for as long as an upstream may send nothing. */
const watched = ({ connection }: Call, show: BodySource) => bodyStream(show, connection, env.STREAM_IDLE_TIMEOUT * 1000)

function streamed({ call }: BillableCall, show: BodySource): Response {
  const headers = { ...headersFor(call.request_id), ...eventStream }
  if (call.endpoint.stream !== 'array') return new Response(watched(call, show), { headers })
  return new Response(watched(call, new JsonArrayStream(show)), {
    headers: { ...headers, 'content-type': 'application/json' },
  })
}

/** The answer when it comes; what goes wrong until then has to be told inside the stream. */
function patient(order: BillableCall, answering: Promise<UpstreamResponse>, leave: Leave, ping_ms: number): BodySource {
  const { call } = order
  const coming = answering.then(async answer => {
    if (isStreamed(answer)) return new Delivery(order, answer, leave)
    if (isFile(answer)) throw new Error('a stream was asked for and a file came')
    return new OneEvent((await settled(order, answer, leave)).bytes)
  })
  coming.catch(() => leave(false))
  return new KeepAlive(coming, ping_ms, error => call.endpoint.format.writeErrorFrame(troubleOf(error, call).trouble))
}
