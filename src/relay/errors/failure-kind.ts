/** The kind under which a failed attempt is counted. */
import { type FailureKind, kindOfStatus } from '../../contracts/channel-history.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { UpstreamRejected } from './fault.ts'

export function failureKind(error: unknown): FailureKind {
  if (error instanceof UpstreamRejected) return kindOfStatus(error.rejection.status)
  if (!(error instanceof NetworkError)) return 'unusable'
  if (error.failure === 'timeout') return 'timeout'
  return error.failure === 'unreachable' || error.failure === 'private' ? 'unreachable' : 'unusable'
}
