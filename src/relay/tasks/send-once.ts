/** Sends a task to one target. A request that may have been accepted is never repeated. */
import { recordFailure, recordSuccess, type Target } from '../../domain/routing/index.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import type { Call } from '../call.ts'
import { failureKind } from '../errors/failure-kind.ts'
import { Fault, UpstreamRejected } from '../errors/fault.ts'
import { send } from '../upstream/attempt.ts'
import type { UpstreamResponse } from '../upstream/upstream-response.ts'

/** The upstream may have accepted the task. */
export class OutcomeUnknown extends Fault {
  constructor() {
    super({ status: 504, code: 'relay.task_outcome_unknown', retry: false })
  }
}

/** @throws OutcomeUnknown, else as `send` */
export async function sendOnce(call: Call, target: Target): Promise<UpstreamResponse> {
  const response = await sendUnrepeated(call, target)
  recordSuccess(target)
  return response
}

/** The same for a response whose end is recorded later. */
export async function sendUnrepeated(call: Call, target: Target): Promise<UpstreamResponse> {
  try {
    return await send(call, target)
  } catch (error) {
    if (!mayBeAccepted(error)) throw error
    recordFailure(target, {
      kind: failureKind(error),
      ...{ reason: (error as Error).message, of_key: false, of_model: false },
      ...{ fatal: false, trips_breaker: true },
    })
    throw new OutcomeUnknown()
  }
}

/** Of a connection that could not be made. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'not an http address'])
/** Of proxies before an upstream that may have the request: without an error of the upstream's own. */
const proxyStatuses = new Set([408, 502, 504, 520, 521, 522, 523, 524])

function mayBeAccepted(error: unknown): boolean {
  if (error instanceof NetworkError) {
    const { failure, detail } = error
    if (failure === 'unreachable') return !neverSent.has(detail)
    return failure === 'timeout' || failure === 'too_large'
  }
  if (error instanceof UpstreamRejected)
    return proxyStatuses.has(error.rejection.status) && !error.rejection.error?.code
  // A response of status 2xx that cannot be read.
  return error instanceof Fault && error.code === 'relay.upstream_unusable'
}
