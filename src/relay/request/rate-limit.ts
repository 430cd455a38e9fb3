/** Rate limits of tokens and users: calls and successful calls in exact sliding windows, and calls at the same time. */

import { SlidingWindow } from '../../cluster/sliding-window.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { RATE_LIMIT_COUNT_MAX } from '../../contracts/token.ts'
import { option } from '../../domain/options/index.ts'
import type { MessageKey } from '../../locales/index.ts'
import { checkReaders } from '../../stream/stalled-readers.ts'
import type { ApiCaller } from '../caller.ts'

interface Limit {
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

const SECONDS_PER_MINUTE = 60

const calls = new SlidingWindow('relay-calls')
const successes = new SlidingWindow('relay-successes')
/** Running calls by key; each may still count as a success. */
const running = new Map<string, number>()

/** A call's place under its limits. Disposing releases it as not successful. */
export class Slots implements Disposable {
  #released = false

  constructor(private readonly limits: readonly Limit[]) {}

  release(succeeded: boolean) {
    if (this.#released) return
    this.#released = true
    for (const limit of this.limits) {
      addRunning(limit.key, -1)
      if (succeeded) successes.add(limit.key, limit.success, limit.seconds)
    }
  }

  [Symbol.dispose]() {
    this.release(false)
  }
}

/** Takes a slot under every limit, or under none. @throws Refusal 429 */
export function acquireSlots(caller: ApiCaller): Slots {
  checkReaders(caller.user.id)
  const limits = limitsOf(caller)
  for (const limit of limits) {
    const seconds = Math.max(
      calls.wait(limit.key, limit.count, limit.seconds),
      waitForSuccess(limit),
      waitForEnd(limit),
    )
    if (seconds) throw refusal(limit, seconds)
  }
  for (const limit of limits) {
    calls.add(limit.key, limit.count, limit.seconds)
    addRunning(limit.key, 1)
  }
  return new Slots(limits)
}

const refusal = ({ code, count, success, seconds: period, at_once = 0 }: Limit, seconds: number) =>
  new Refusal(code, { count, success, period, at_once, seconds }, 429)

function waitForSuccess({ key, success, seconds }: Limit): number {
  if (!success) return 0
  const left = success - (running.get(key) ?? 0)
  return left > 0 ? successes.wait(key, left, seconds) : 1
}

/** 1 second, since the end of a running call is unknown. */
const waitForEnd = ({ key, at_once }: Limit): number =>
  at_once !== undefined && (running.get(key) ?? 0) >= at_once ? 1 : 0

function addRunning(key: string, change: number) {
  const sum = (running.get(key) ?? 0) + change
  if (sum) running.set(key, sum)
  else running.delete(key)
}

const none: Limit[] = []

const atOnce = (key: string, at_once: number, code: MessageKey): Limit => ({
  key,
  at_once,
  code,
  count: 0,
  success: 0,
  seconds: 0,
})

function limitsOf({ token, user, group }: ApiCaller): Limit[] {
  const limitsUsers = option('ModelRequestRateLimitEnabled')
  const at_once = user.concurrency_limit || option('UserConcurrencyLimit')
  // The calls of the playground have no key.
  const at_once_by_key = token.id ? option('KeyConcurrencyLimit') : 0
  if (!token.rate_limit_enabled && !limitsUsers && !at_once && !at_once_by_key) return none
  if (option('global.rate_limit_exempt_enabled') && group === option('global.rate_limit_exempt_group')) return none
  const limits: Limit[] = []
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
