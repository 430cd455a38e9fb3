/** What an upstream's failure means: for the caller, for another try, for the channel. */
import type { UpstreamError } from '../codecs/codec.ts'
import type { ReadyChannel } from '../console/channels/service.ts'
import { option } from '../console/options/service.ts'
import type { DialError } from '../kit/dial.ts'
import type { Call, Turn } from './call.ts'
import { Fault } from './fault.ts'
import { redacted } from './redact.ts'

/** An upstream said no: with a status, or inside a 200. */
export interface No {
  status: number
  error: UpstreamError | undefined
  retry_after?: string | null
}

export function faultOf({ status, error, retry_after }: No, channel: ReadyChannel): Fault {
  const seen = Number(channel.status_code_mapping[status] ?? status)
  const mapped = seen !== status
  const hidden = status !== 429 && option('global.hide_upstream_error_enabled')
  return new Fault({
    status: mapped ? seen : shownStatus(seen),
    code: codeOf(seen),
    facts: { status: seen },
    retry: isRetryable(seen),
    said: hidden || !tellsCaller(seen) ? undefined : error && { ...error, message: redacted(error.message, channel) },
    retry_after: retry_after && /^\d{1,6}$/.test(retry_after) ? retry_after : undefined,
    of_key: [401, 403, 429].includes(status),
  })
}

/** No answer at all, or none that can be used: another channel may do better. */
export function faultOfLine(error: DialError): Fault {
  if (error.trouble === 'timeout') return new Fault({ status: 504, code: 'relay.upstream_timeout', retry: true })
  if (error.trouble === 'unreachable')
    return new Fault({ status: 502, code: 'relay.upstream_unreachable', retry: true })
  return unusable()
}

export const unusable = () => new Fault({ status: 502, code: 'relay.upstream_unusable', retry: true })

/** Timeouts are not tried again: the next channel would be asked to do the same long work. */
function isRetryable(status: number): boolean {
  if (status === 429 || status === 307) return true
  if (status === 408 || status === 504 || status === 524 || status === 400) return false
  return status < 200 || status >= 300
}

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

const statusWords: [RegExp, number][] = [
  [/insufficient_quota|rate_limit|too_many/, 429],
  [/auth|invalid_api_key/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/invalid_request|context_length/, 400],
  [/overloaded|unavailable/, 503],
  [/timeout/, 504],
]

/** The status that an error inside a 200 should have had. */
export function statusOf({ type, code }: UpstreamError): number {
  if (/^[45]\d\d$/.test(code)) return Number(code)
  const words = `${code} ${type}`.toLowerCase()
  return statusWords.find(([pattern]) => pattern.test(words))?.[1] ?? 502
}

const fatalCodes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const fatalTypes = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** Why a channel, or a key of it, is beyond hope; judged by what the upstream said, not by what the caller is told. */
export function fatalReason({ status, error }: No, { channel }: Turn, call: Call): string | undefined {
  // A request that is refused for what it says tells nothing about the channel.
  if (status < 500 && ![401, 402, 403, 429].includes(status)) return undefined
  const reason = `${status} ${redacted(error?.message ?? '', channel)}`.trim()
  if (status === 401 || (error && (fatalCodes.has(error.code) || fatalTypes.has(error.type)))) return reason
  return error && saysFatalWord(error.message, call) ? reason : undefined
}

/** A word that the caller wrote may only be an echo. */
function saysFatalWord(message: string, call: Call): boolean {
  const said = message.toLowerCase()
  const words = option('AutomaticDisableKeywords').filter(word => word && said.includes(word.toLowerCase()))
  if (!words.length) return false
  const asked = JSON.stringify(call.body).toLowerCase()
  return words.some(word => !asked.includes(word.toLowerCase()))
}
