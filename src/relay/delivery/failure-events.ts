/** A stream that fails before any of its events. */

import type { ApiError } from '../../formats/canonical/chat.ts'
import { now } from '../../process/clock.ts'
import { eventStream } from '../../stream/sse.ts'
import type { Call } from '../call.ts'
import { explain, headersFor } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'

/** @throws the error again where clients know it by its status */
export function failedStream(error: unknown, call: Call): Response {
  const { failsInStream } = call.endpoint.format
  if (!(error instanceof Fault && call.facts.stream && failsInStream)) throw error
  const { api_error } = explain(error, call)
  if (!failsInStream(api_error)) throw error
  return new Response(failureEvents(api_error, call), { headers: { ...headersFor(call.request_id), ...eventStream } })
}

export const failureEvents = (error: ApiError, { endpoint, request_id: id, facts }: Call): string =>
  endpoint.format.writeErrorFrame(error, { id, model: facts.model, created: now() })
