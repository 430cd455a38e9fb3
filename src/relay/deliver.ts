/** From the upstream to the caller: the last byte, or the whole answer, goes out once the bill is durable. */
import { eventStream } from '../kit/sse.ts'
import { watch } from '../kit/watch.ts'
import type { Leave } from './admit.ts'
import { type Answer, isStreamed } from './answer.ts'
import type { Order } from './call.ts'
import { headersFor } from './explain.ts'
import { settle } from './settle.ts'
import { Delivery } from './stream.ts'

export async function deliver(order: Order, answer: Answer, leave: Leave): Promise<Response> {
  const headers = headersFor(order.call.request_id)
  if (isStreamed(answer)) {
    return new Response(watch(new Delivery(order, answer, leave)), { headers: { ...headers, ...eventStream } })
  }
  await settle(order, answer, 'finished')
  leave(true)
  return new Response(answer.bytes, { headers: { ...headers, 'content-type': 'application/json' } })
}
