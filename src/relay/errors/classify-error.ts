/** What an upstream's failure means: for the caller, for another try, for the channel. */

import {
  type AttemptFailure,
  blamesRequest,
  isFatal,
  type RoutedChannel,
  redacted,
} from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { Flaw } from '../../formats/json/checks.ts'
import type { NetworkError } from '../../net/upstream-fetch.ts'
import { now_ms } from '../../process/clock.ts'
import { providerOf } from '../../providers/index.ts'
import type { Call, Target } from '../call.ts'
import { Fault } from './fault.ts'

/** An upstream said no: with a status, or inside a 200. */
export interface UpstreamRejection {
  status: number
  error: ApiError | undefined
  retry_after?: string | null
}

/** Decided by what the upstream said; `status_code_mapping` only changes which status the caller is told. */
export function faultOf({ status, error, retry_after }: UpstreamRejection, channel: RoutedChannel): Fault {
  const told = mappedStatus(status, channel)
  const hidden = option('global.hide_upstream_error_enabled')
  const tells = tellsCaller(status) && tellsCaller(told)
  return new Fault({
    status: told === status ? shownStatus(status) : told,
    code: codeOf(told),
    params: { status: told },
    retry: isRetryable(status, channel),
    said: tells && error ? { ...error, message: hidden ? '' : redacted(error.message, channel) } : undefined,
    retry_after: secondsIn(retry_after)?.toString(),
    of_key: isAboutKey(status),
  })
}

/** A failure is told as a failure: what it is mapped to otherwise is not heeded. */
function mappedStatus(status: number, { status_code_mapping }: RoutedChannel): number {
  const mapped = Number(status_code_mapping[status])
  return mapped >= 400 && mapped < 600 ? mapped : status
}

/** Seconds, or a date. */
function secondsIn(retry_after: string | null | undefined): number | undefined {
  if (!retry_after) return undefined
  if (/^\d{1,6}$/.test(retry_after)) return Number(retry_after) || undefined
  const at = Date.parse(retry_after)
  return at > now_ms() ? Math.ceil((at - now_ms()) / 1000) : undefined
}

/** No answer at all, or none that can be used: another channel may do better. */
export function faultOfNetworkError(error: NetworkError): Fault {
  if (error.failure === 'timeout') return new Fault({ status: 504, code: 'relay.upstream_timeout', retry: true })
  if (error.failure === 'unreachable')
    return new Fault({ status: 502, code: 'relay.upstream_unreachable', retry: true })
  return unusableResponse()
}

/** It cannot be said in the upstream's format; in another's it may be. */
export const untranslatableFault = ({ code, params, param }: Flaw) =>
  new Fault({
    ...{ status: 400, code, params, retry: true },
    said: { status: 400, message: '', type: 'invalid_request_error', code: '', param },
  })

export const unusableResponse = () => new Fault({ status: 502, code: 'relay.upstream_unusable', retry: true })

/** Timeouts are not tried again: the next channel would be asked to do the same long work. */
function isRetryable(status: number, { type }: RoutedChannel): boolean {
  if (status === 400) return providerOf(type)?.quirks.retries_400 ?? false
  if (status === 408 || status === 504 || status === 524) return false
  return status < 200 || status >= 300
}

const isAboutKey = (status: number) => [401, 402, 403, 429].includes(status)

const aboutTheRequest = new Set([400, 404, 405, 409, 413, 415, 422, 429])

/** What is wrong with the gateway's own account is no concern of its callers; nor is a status that is no HTTP. */
function shownStatus(status: number): number {
  if (aboutTheRequest.has(status)) return status
  if (status === 503 || status === 529) return 503
  return status === 504 || status === 524 || status === 408 ? 504 : 502
}

const tellsCaller = (status: number) => status !== 401 && status !== 402 && status !== 403 && status !== 429

function codeOf(status: number) {
  if (status === 429) return 'relay.upstream_saturated'
  return tellsCaller(status) ? 'relay.upstream_status' : 'relay.upstream_refused'
}

/** What a refusal says about the channel; nothing when it is about the request. */
export function failureOf(no: UpstreamRejection, { channel }: Target, call: Call): AttemptFailure | undefined {
  const { status, error, retry_after } = no
  const fatal = isFatal(no, channel, call.body)
  if (!fatal && blamesRequest(no)) return undefined
  const reason = `${status} ${redacted(error?.message ?? '', channel)}`.trim()
  // That one model is not there tells nothing about the others.
  const trips_breaker = status !== 404
  return { reason, fatal, trips_breaker, of_key: fatal || isAboutKey(status), retry_after: secondsIn(retry_after) }
}
