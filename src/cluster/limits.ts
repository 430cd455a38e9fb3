/**
 * Limits that hold over all nodes: exact windows and calls at the same time. Each node keeps them for itself where there is
 * one, or no Redis; with Redis they are in it, and a node without it keeps to its share.
 */
import { type Awaitable, chain } from '../pure/awaitable.ts'
import { type Decision, decideHere, type Rule, releaseHere, type TokenRule, usedHere } from './limits-here.ts'
import { isLimitShared, othersIn, redisKeyOf } from './limits-own.ts'
import { decideInRedis, releaseInRedis, takeBackInRedis } from './limits-redis.ts'
import type { SlidingWindow } from './sliding-window.ts'

export { nodesApart } from './limits-outage.ts'
export { isLimitShared } from './limits-own.ts'
export { turnInRedis } from './limits-redis.ts'
export type { Decision, Rule, TokenRule }

/** All rules have room and are kept, or none is. */
export const decide: (rules: readonly Rule[]) => Awaitable<Decision> = isLimitShared ? decideInRedis : decideHere

/** Adds an event if there is room. @returns 0, or the whole seconds until there is room */
export function take(window: SlidingWindow, key: string, count: number, seconds: number): Awaitable<number> {
  if (!isLimitShared) return window.take(key, count, seconds)
  if (!count || !seconds) return 0
  return chain(decide([{ kind: 'take', window, key, count, seconds }]), ({ wait }) => wait)
}

/** The events of a key in its window. */
export function countEvents(window: SlidingWindow, key: string, seconds: number): Awaitable<number> {
  if (!isLimitShared) return window.count(key, seconds)
  return chain(decide([{ kind: 'count', window, key, count: 0, seconds }]), ({ counts }) => counts[0]!)
}

/** Adds an event even when there is no room. @returns how many there were before */
export function addEvent(window: SlidingWindow, key: string, count: number, seconds: number): Awaitable<number> {
  return chain(decide([{ kind: 'add', window, key, count, seconds }]), ({ counts }) => counts[0]!)
}

/** Forgets the events of a key. */
export const forgetEvents = (window: SlidingWindow, key: string, seconds: number): Awaitable<unknown> =>
  isLimitShared ? decide([{ kind: 'forget', window, key, count: 0, seconds }]) : window.forget(key)

/** Ends the leases of a decision, and adds events. Nothing waits for it. */
export const release: (decision: Decision, events?: readonly Rule[]) => void = isLimitShared
  ? releaseInRedis
  : releaseHere

/** Takes back the events that a decision had room for. */
export function takeBack(decision: Decision): Awaitable<void> {
  if (isLimitShared) return takeBackInRedis(decision)
  for (const rule of decision.rules) if (rule.kind === 'take') rule.window.remove(rule.key, decision.at_ms)
}

/** What is used of a limit, and the whole seconds until some of it is free: of other nodes, as they were last seen. */
export function usedOf(rule: Rule): { used: number; wait: number } {
  const { used, wait } = usedHere(rule)
  return { used: used + (isLimitShared ? othersIn(redisKeyOf(rule)).count : 0), wait }
}
