/** Which limits a call of a key and a user falls under. */
import { Refusal } from '../../contracts/refusal.ts'
import { RATE_LIMIT_COUNT_MAX } from '../../contracts/token.ts'
import { option } from '../../domain/options/index.ts'
import type { MessageKey } from '../../locales/index.ts'
import type { ApiCaller } from '../caller.ts'

export interface CallLimit {
  key: string
  /** Calls at the same time; absent is no limit. */
  at_once?: number
  /** Calls in one period, failed ones included; 0 is no limit. */
  count: number
  /** Successful calls in one period; 0 is no limit. */
  success: number
  seconds: number
  code: MessageKey
}

/** A call's place under its limits. Disposing releases it as not successful. */
export interface Slots extends Disposable {
  /** @param tokens that the call has taken; none unless given */
  release(succeeded: boolean, tokens?: number): void
}

const SECONDS_PER_MINUTE = 60

export const limitRefusal = ({ code, count, success, seconds: period, at_once = 0 }: CallLimit, seconds: number) =>
  new Refusal(code, { count, success, period, at_once, seconds }, 429)

const none: CallLimit[] = []

const atOnce = (key: string, at_once: number, code: MessageKey): CallLimit => ({
  key,
  at_once,
  code,
  count: 0,
  success: 0,
  seconds: 0,
})

/** The same empty list where there are none. */
export function limitsOf({ token, user, group }: ApiCaller): CallLimit[] {
  const limitsUsers = option('ModelRequestRateLimitEnabled')
  const at_once = user.concurrency_limit || option('UserConcurrencyLimit')
  // The calls of the playground have no key.
  const at_once_by_key = token.id ? lower(token.concurrency_limit, option('KeyConcurrencyLimit')) : 0
  if (!token.rate_limit_enabled && !limitsUsers && !at_once && !at_once_by_key) return none
  if (isExempt(group)) return none
  const limits: CallLimit[] = []
  if (at_once) limits.push(atOnce(`user ${user.id} at once`, at_once, 'relay.too_many_at_once'))
  if (at_once_by_key) limits.push(atOnce(`token ${token.id} at once`, at_once_by_key, 'relay.too_many_at_once_by_key'))
  if (token.rate_limit_enabled)
    limits.push({
      key: `token ${token.id}`,
      // Keys of older versions and of other gateways may have more.
      count: Math.min(token.rate_limit_count, RATE_LIMIT_COUNT_MAX),
      success: Math.min(token.rate_limit_success, RATE_LIMIT_COUNT_MAX),
      seconds: token.rate_limit_period,
      code: 'relay.token_rate_limited',
    })
  if (limitsUsers)
    limits.push({
      key: `user ${user.id}`,
      count: option('ModelRequestRateLimitCount'),
      success: option('ModelRequestRateLimitSuccessCount'),
      seconds: option('ModelRequestRateLimitDurationMinutes') * SECONDS_PER_MINUTE,
      code: 'relay.user_rate_limited',
    })
  return limits
}

/** Owners of keys limit them, and do not lift the limit of the site; 0 is no limit. */
export const lower = (own: number, of_site: number) => (own && of_site ? Math.min(own, of_site) : own || of_site)

export const isExempt = (group: string): boolean =>
  option('global.rate_limit_exempt_enabled') && group === option('global.rate_limit_exempt_group')
