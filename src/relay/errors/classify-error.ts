/** Classifies an upstream's failure: for the client, for the retry and for the channel's health. */

import { kindOfStatus } from '../../contracts/channel-history.ts'
import { option } from '../../domain/options/index.ts'
import {
  type AttemptFailure,
  blamesRequest,
  isFatal,
  type RoutedChannel,
  redacted,
  redactedError,
  type Target,
  upstreamModel,
} from '../../domain/routing/index.ts'
import { unreadable } from '../../formats/canonical/api-error.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { Flaw } from '../../formats/json/checks.ts'
import type { MessageKey } from '../../locales/index.ts'
import type { NetworkError } from '../../net/upstream-fetch.ts'
import { providerOf } from '../../providers/index.ts'
import type { Call } from '../call.ts'
import { blamesAccount, isSpent, scopeOf } from './failure-scope.ts'
import { Fault, type UpstreamRejection } from './fault.ts'
import { marked } from './marked-rejection.ts'

/** Decides by the upstream's status; `status_code_mapping` only changes the client's status. */
export function faultOf(rejection: UpstreamRejection, channel: RoutedChannel): Fault {
  const { status, error, overflow, retry_after_ms } = marked(rejection)
  const mapped = mappedStatus(status, channel)
  const hidden = option('global.hide_upstream_error_enabled')
  const shown = isShown(status) && isShown(mapped)
  return new Fault({
    status: mapped === status ? clientStatus(status) : mapped,
    code: codeOf(mapped),
    params: { status: mapped },
    retry: !overflow && isRetryable(status, channel),
    upstream_error: shown && error ? redactedError(hidden ? { ...error, message: '' } : error, channel) : undefined,
    overflow,
    quota_details: (shown || status === 429) && !hidden ? error?.quota_details : undefined,
    retry_after_ms,
    of_key: blamesKey(status),
    of_account: blamesAccount(status) || isSpent(error),
    overloaded: mapped === status && isOverloaded(status),
  })
}

/** Ignores mapping targets outside 400 to 599. */
function mappedStatus(status: number, { status_code_mapping }: RoutedChannel): number {
  const mapped = Number(status_code_mapping[status])
  return mapped >= 400 && mapped < 600 ? mapped : status
}

export function faultOfNetworkError(error: NetworkError): Fault {
  if (error.failure === 'timeout') return new Fault({ status: 504, code: 'relay.upstream_timeout', retry: true })
  if (error.failure === 'unreachable' || error.failure === 'private')
    return new Fault({ status: 502, code: 'relay.upstream_unreachable', retry: true })
  return unusableResponse()
}

/** The upstream's format cannot carry the request; the format of another channel may. */
export const untranslatableFault = ({ code, params, param }: Flaw) =>
  new Fault({
    ...{ status: 400, code, params, retry: true },
    upstream_error: { status: 400, message: '', type: 'invalid_request_error', code: '', param },
  })

export const unusableResponse = () => new Fault({ status: 502, code: 'relay.upstream_unusable', retry: true })

/** Timeouts are not retried: the next channel would repeat the same long work. */
function isRetryable(status: number, { type }: RoutedChannel): boolean {
  if (status === 400) return providerOf(type)?.quirks.retries_400 ?? false
  if (status === 408 || status === 504 || status === 524) return false
  return status < 200 || status >= 300
}

const blamesKey = (status: number) => blamesAccount(status) || status === 429

const requestStatuses = new Set([400, 404, 405, 409, 413, 415, 422, 429])

const isOverloaded = (status: number) => status === 503 || status === 529

/** Statuses about the gateway's own account, and invalid ones, become 502. */
function clientStatus(status: number): number {
  if (requestStatuses.has(status)) return status
  if (isOverloaded(status)) return 503
  return status === 504 || status === 524 || status === 408 ? 504 : 502
}

/** Errors about the gateway's own account are hidden from clients. */
const isShown = (status: number) => !blamesKey(status)

function codeOf(status: number) {
  if (status === 429) return 'relay.upstream_saturated'
  return isShown(status) ? 'relay.upstream_status' : 'relay.upstream_refused'
}

/** What a rejection means for the channel's health. @returns undefined when it is about the request */
export function failureOf(
  rejection: UpstreamRejection,
  { channel, model }: Pick<Target, 'channel' | 'model'>,
  call: Call,
): AttemptFailure | undefined {
  const marked_rejection = marked(rejection)
  const { status, error, retry_after_ms } = marked_rejection
  const fatal = isFatal(marked_rejection, channel, call.body)
  if (!fatal && blamesRequest(marked_rejection)) return undefined
  const reason = `${status} ${redacted(error?.message ?? '', channel)}`.trim()
  // A missing model is no failure of the channel's other models.
  const trips_breaker = status !== 404
  const scope = fatal ? { of_key: true, of_model: false } : scopeOf(marked_rejection, upstreamModel(channel, model))
  return { kind: kindOfStatus(status), reason, fatal, trips_breaker, ...scope, retry_after_ms }
}

const brokenOff: AttemptFailure = {
  kind: 'broken',
  reason: 'channel.cooldown_broke_off' satisfies MessageKey,
  ...{ of_key: false, of_model: false, fatal: false, trips_breaker: true },
}

/** The same for a response that had begun: as before it, by the error that the upstream reports, else as a lost connection. */
export function failureOfStream(
  error: ApiError | undefined,
  target: Pick<Target, 'channel' | 'model'>,
  call: Call,
): AttemptFailure | undefined {
  return error && error !== unreadable ? failureOf({ status: error.status, error }, target, call) : brokenOff
}
