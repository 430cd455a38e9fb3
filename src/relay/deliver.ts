/** From the upstream to the caller: the last byte, or the whole answer, goes out once the bill is durable. */
import { asBuffer, eventStream } from '../kit/sse.ts'
import { type Show, watch } from '../kit/watch.ts'
import type { Leave } from './admit.ts'
import { type Answer, isStreamed } from './answer.ts'
import type { Order } from './call.ts'
import { costHeader, costOf, withCost } from './cost.ts'
import { headersFor, troubleOf } from './explain.ts'
import { arrives, Patience, pingEvery_ms } from './patience.ts'
import { settle } from './settle.ts'
import { Delivery } from './stream.ts'

/** @param leave called once, when the caller has had all of it or all there will be */
export async function deliver(order: Order, answering: Promise<Answer>, leave: Leave): Promise<Response> {
  const ping_ms = order.call.ask.stream ? pingEvery_ms() : 0
  if (ping_ms && !(await arrives(answering, ping_ms))) return streamed(order, patient(order, answering, leave, ping_ms))
  const answer = await answering
  if (isStreamed(answer)) return streamed(order, new Delivery(order, answer, leave))
  const { quota } = await settle(order, answer, 'finished')
  leave(true)
  const cost = costOf(order, quota)
  const headers = { ...headersFor(order.call.request_id), ...costHeader(cost), 'content-type': 'application/json' }
  return new Response(withCost(asBuffer(answer.bytes), cost), { headers })
}

const streamed = ({ call }: Order, show: Show) =>
  new Response(watch(show), { headers: { ...headersFor(call.request_id), ...eventStream } })

/** The answer when it comes; what goes wrong until then has to be told inside the stream. */
function patient(order: Order, answering: Promise<Answer>, leave: Leave, ping_ms: number): Show {
  const { call } = order
  const coming = answering.then(answer => {
    if (isStreamed(answer)) return new Delivery(order, answer, leave)
    throw new Error('a stream was asked for and a whole answer came')
  })
  coming.catch(() => leave(false))
  return new Patience(coming, ping_ms, error => call.door.codec.writeErrorFrame(troubleOf(error, call).trouble))
}
