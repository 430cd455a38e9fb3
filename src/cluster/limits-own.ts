/** What a node remembers of limits beside Redis: its own events and leases, and what the others had. */
import { digest } from '../crypto/sealing.ts'
import { dialect } from '../db/dialect.ts'
import { env } from '../env.ts'
import { now_ms } from '../process/clock.ts'
import { onReset, store } from '../process/stores.ts'
import { isTokenRule, type Rule } from './limits-here.ts'
import { NODE_ID } from './node.ts'
import { redisName } from './redis.ts'
import type { SlidingWindow } from './sliding-window.ts'
import type { TokenWindow } from './token-window.ts'

/** Whether the nodes of this installation keep limits together. */
export const isLimitShared = dialect === 'postgres' && env.REDIS_URL !== undefined

/** A running call without a renewal for this long has ended with its node. */
export const LEASE_MS = 15_000

/** Windows that have been used. */
const windows = store('limit-windows', new Map<string, SlidingWindow>())
const tokenWindows = store('limit-token-windows', new Map<string, TokenWindow>())
/** Keys in Redis of the running calls of this node, by the moment of the call. */
export const leases = store('limit-leases', new Map<number, string[]>())

/** Events and calls of the other nodes, as Redis has last counted them, by key. */
const others = store('limit-others', new Map<string, { count: number; until_ms: number }>())

let last_ms = 0
onReset('limit-moments', () => {
  last_ms = 0
})

/** The present, but later than any moment before. The fractions of a millisecond have room for four of them. */
export function newMoment(): number {
  last_ms = Math.max(now_ms(), last_ms + 0.001)
  return last_ms
}

/** The name of an event in Redis. */
export const nameOf = (at_ms: number) => `${NODE_ID}:${at_ms}`
/** One that ends with its tokens. */
export const spentName = (at_ms: number, tokens: number) => `${nameOf(at_ms)}:${tokens}`

const KEY_LENGTH_MAX = 100

export function redisKeyOf(rule: Rule): string {
  if (rule.kind === 'lease') return leaseKey(rule.key)
  if (isTokenRule(rule)) tokenWindows.set(rule.window.name, rule.window)
  else windows.set(rule.window.name, rule.window)
  return keyIn(rule.window.name, rule.key)
}

export const leaseKey = (key: string) => keyIn('running', key)

/** What people type may be long. */
const keyIn = (name: string, key: string) => redisName(`${name}:${key.length > KEY_LENGTH_MAX ? digest(key) : key}`)

export function noteOthers(key: string, count: number, ms: number) {
  if (count > 0) others.set(key, { count, until_ms: now_ms() + ms })
  else others.delete(key)
}

/** Events that others may still have in a window, and the milliseconds until they have none. */
export function othersIn(key: string): { count: number; ms: number } {
  const known = others.get(key)
  const ms = known ? known.until_ms - now_ms() : 0
  return ms > 0 ? { count: known!.count, ms } : { count: 0, ms: 0 }
}

export function forgetOldOthers() {
  for (const [key, { until_ms }] of others) if (until_ms <= now_ms()) others.delete(key)
}

/** Events or leases under one key, as `REMEMBER` takes them. */
export interface LimitMemory {
  key: string
  ms: number
  /** Age, negative for the end of a lease, and name in turns. */
  events: (number | string)[]
}

/** All of this node since a moment, a key at a time. */
export function* eventsSince(at_ms: number): Generator<LimitMemory> {
  for (const window of windows.values()) {
    for (const { key, seconds, times } of window.since(at_ms)) {
      const events = times.flatMap(time => [Math.max(0, now_ms() - time), nameOf(time)])
      yield { key: keyIn(window.name, key), ms: seconds * 1000, events }
    }
  }
  for (const window of tokenWindows.values()) {
    for (const { key, seconds, spent } of window.since(at_ms)) {
      const events = spent.flatMap(one => [Math.max(0, now_ms() - one.at_ms), spentName(one.at_ms, one.tokens)])
      yield { key: keyIn(window.name, key), ms: seconds * 1000, events }
    }
  }
}

export function* runningLeases(): Generator<LimitMemory> {
  const names = new Map<string, (number | string)[]>()
  for (const [at_ms, keys] of leases) {
    for (const key of keys) names.set(key, [...(names.get(key) ?? []), -LEASE_MS, nameOf(at_ms)])
  }
  for (const [key, events] of names) yield { key, ms: LEASE_MS, events }
}
