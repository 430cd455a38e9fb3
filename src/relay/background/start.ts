/** Accepts a call whose client fetches the response later. */
import { Refusal } from '../../contracts/refusal.ts'
import { beginBackground, startBackground } from '../../domain/background-responses/index.ts'
import { begunResponse, queuedResponse } from '../../formats/openai-responses/background.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import type { BillableCall } from '../call.ts'
import type { CallEnd } from '../delivery/call-end.ts'
import type { RelayContext } from '../endpoint.ts'
import { headersFor } from '../errors/explain.ts'
import { lostAccess } from '../request/access-rules.ts'
import { eventsResponse } from './event-source.ts'
import { BackgroundRun } from './run.ts'
import { startRun } from './runs.ts'
import { BackgroundTurn } from './turns.ts'

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
  const { user_id, facts, request_id } = call
  const { is_streamed, body } = facts.background!
  const id = call.response_id!
  const begun = begunResponse(id, now(), body)
  const queued = queuedResponse(begun)
  const turn = new BackgroundTurn(user_id)
  const response = turn.isQueued ? queued : begun
  await beginBackground({ id, user_id, is_streamed, response }).catch(error => {
    turn.end()
    return end.fail(error)
  })
  const run = new BackgroundRun({ id, begun, call, turn })
  if (turn.isQueued && is_streamed) run.announce(queued)
  startRun(run, turn.isQueued ? respondInTurn(end, { turn, begun, respond }) : respond())
  if (is_streamed) return eventsResponse(context, request_id, { id, user_id, after: -1 })
  return Response.json(queued, { headers: headersFor(request_id) })
}

interface QueuedCall {
  turn: BackgroundTurn
  /** The response as it is in progress. */
  begun: Json
  respond(): Promise<Response>
}

async function respondInTurn(end: CallEnd, { turn, begun, respond }: QueuedCall): Promise<Response> {
  try {
    if (!(await turn.come) || !(await startBackground(String(begun.id), begun)))
      throw new Refusal('relay.stopping', {}, 503)
    await checkStillAllowed(end.billable)
  } catch (error) {
    return end.fail(error)
  }
  return respond()
}

/** @throws Refusal when the key or its user has lost access meanwhile */
async function checkStillAllowed({ call, caller }: BillableCall) {
  const refusal = await lostAccess(caller, call.facts.model)
  if (refusal) throw refusal
  call.restartClock()
}
