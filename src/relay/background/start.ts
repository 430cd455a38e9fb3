/** Accepts a call whose client fetches the response later. */
import { beginBackground } from '../../domain/background-responses/index.ts'
import { begunResponse } from '../../formats/openai-responses/background.ts'
import { now } from '../../process/clock.ts'
import type { RelayContext } from '../call.ts'
import type { CallEnd } from '../delivery/call-end.ts'
import { headersFor } from '../errors/explain.ts'
import { eventsResponse } from './event-source.ts'
import { BackgroundRun } from './run.ts'
import { startRun } from './runs.ts'

/**
 * @param respond calls the upstream; what it throws becomes the state of the response
 * @throws Refusal 429 when too many are kept
 */
export async function runInBackground(
  context: RelayContext,
  end: CallEnd,
  respond: () => Promise<Response>,
): Promise<Response> {
  const { call } = end.billable
  const { is_streamed, body } = call.facts.background!
  const id = call.response_id!
  const response = begunResponse(id, now(), body)
  await beginBackground({ id, user_id: call.user_id, is_streamed, response }).catch(error => end.fail(error))
  startRun(new BackgroundRun(id, response, call), respond())
  if (is_streamed) return eventsResponse(context, call.request_id, { id, user_id: call.user_id, after: -1 })
  return Response.json({ ...response, status: 'queued' }, { headers: headersFor(call.request_id) })
}
