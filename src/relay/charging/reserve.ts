/** Sets quota aside for the whole prompt and the requested output. */

import type { Price } from '../../billing/price.ts'
import { type Candidate, listedName } from '../../domain/routing/index.ts'
import { reserve as setAside } from '../../domain/wallet/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { type Call, type Hold, nextStage, type PlannedCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { CallReservation } from './call-reservation.ts'
import { expectedOutput } from './estimate.ts'
import { holdFor, tokensHeld } from './hold.ts'

/**
 * Reserves for the prompt and for all output that the call can produce. Where that is more than a fair part of what is
 * free, the call's output is limited to what can be paid.
 * @throws Refusal 403 when even little output cannot be paid, 429 when a budget has less left
 */
export function reserve(
  planned: PlannedCall,
  { token, user }: ApiCaller,
  price: Price,
  candidates: readonly Candidate[],
): Awaitable<[Call, CallReservation]> {
  const { hold, decide } = holdFor(planned, price, candidates)
  const reserving = setAside(
    {
      request_id: planned.request_id,
      user_id: user.id,
      token_id: token.id,
      unlimited: token.unlimited_quota,
      model: listedName(planned.facts.model),
      tokensOf: free => tokensHeld(planned, hold, free),
      quota: 0,
    },
    decide,
  )
  return chain(reserving, reservation => {
    const call = held(planned, hold)
    const isFixed = price.mode === 'call' || call.facts.max_output === 0
    return [call, new CallReservation(reservation, isFixed ? Number.POSITIVE_INFINITY : expectedOutput(call))]
  })
}

const held = (planned: PlannedCall, hold: Hold): Call => nextStage<PlannedCall, Call>(planned, { hold })

/** A call that nothing is set aside for. */
export const unreserved = (planned: PlannedCall, price: Price, candidates: readonly Candidate[]): Call =>
  held(planned, holdFor(planned, price, candidates).hold)
