/** Rate limits of tokens and users: calls and successful calls in exact sliding windows, and calls at the same time. */

import { isLimitShared } from '../../cluster/limits.ts'
import { SlidingWindow } from '../../cluster/sliding-window.ts'
import type { Awaitable } from '../../pure/awaitable.ts'
import { checkReaders } from '../../stream/stalled-readers.ts'
import type { ApiCaller } from '../caller.ts'
import { type CallLimit, limitRefusal, limitsOf, type Slots } from './call-limits.ts'
import { acquireShared } from './shared-slots.ts'

const calls = new SlidingWindow('relay-calls')
const successes = new SlidingWindow('relay-successes')
/** Running calls by key; each may still count as a success. */
const running = new Map<string, number>()

class OwnSlots implements Slots {
  #released = false

  constructor(private readonly limits: readonly CallLimit[]) {}

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
export function acquireSlots(caller: ApiCaller): Awaitable<Slots> {
  checkReaders(caller.user.id)
  const limits = limitsOf(caller)
  return isLimitShared && limits.length ? acquireShared(limits, { calls, successes }) : acquireOwn(limits)
}

function acquireOwn(limits: readonly CallLimit[]): Slots {
  for (const limit of limits) {
    const seconds = Math.max(
      calls.wait(limit.key, limit.count, limit.seconds),
      waitForSuccess(limit),
      waitForEnd(limit),
    )
    if (seconds) throw limitRefusal(limit, seconds)
  }
  for (const limit of limits) {
    calls.add(limit.key, limit.count, limit.seconds)
    addRunning(limit.key, 1)
  }
  return new OwnSlots(limits)
}

function waitForSuccess({ key, success, seconds }: CallLimit): number {
  if (!success) return 0
  const left = success - (running.get(key) ?? 0)
  return left > 0 ? successes.wait(key, left, seconds) : 1
}

/** 1 second, since the end of a running call is unknown. */
const waitForEnd = ({ key, at_once }: CallLimit): number =>
  at_once !== undefined && (running.get(key) ?? 0) >= at_once ? 1 : 0

function addRunning(key: string, change: number) {
  const sum = (running.get(key) ?? 0) + change
  if (sum) running.set(key, sum)
  else running.delete(key)
}
