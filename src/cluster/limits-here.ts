/** Limits as one node decides them, from its own windows and the calls that run on it. */
import { now_ms } from '../process/clock.ts'
import { store } from '../process/stores.ts'
import type { SlidingWindow } from './sliding-window.ts'
import type { TokenWindow } from './token-window.ts'

/**
 * `take` adds an event if there is room, `check` only looks. The others refuse nothing: `fill` adds it if there is room, `add`
 * in any case, `count` counts, `forget` empties the window.
 */
export interface WindowRule {
  kind: 'take' | 'check' | 'fill' | 'add' | 'count' | 'forget'
  window: SlidingWindow
  key: string
  count: number
  seconds: number
  /** Key of running calls, each of which takes a place; its rule comes before. */
  running?: string
}

/** A call that runs, until it is released. */
export interface LeaseRule {
  kind: 'lease'
  key: string
  /** At the same time; 0 is no limit. */
  count: number
}

/** `spend` adds tokens if they have room, `spent` in any case, `refund` takes back what was spent at `at_ms`. */
export interface TokenRule {
  kind: 'spend' | 'spent' | 'refund'
  window: TokenWindow
  key: string
  /** Tokens in any `seconds`. */
  count: number
  seconds: number
  tokens: number
  at_ms?: number
}

export type Rule = WindowRule | LeaseRule | TokenRule

export const isTokenRule = (rule: Rule): rule is TokenRule =>
  rule.kind === 'spend' || rule.kind === 'spent' || rule.kind === 'refund'

export interface Decision {
  /** The whole seconds until there is room; 0 when everything was granted. */
  wait: number
  /** Index of the rule with the longest wait. */
  refused: number
  /** Of each rule, the events or running calls before. */
  counts: number[]
  rules: readonly Rule[]
  /** When the events were added: a moment of their own. */
  at_ms: number
}

/** Running calls of this node by key. */
const held = store('held-leases', new Map<string, number>())

export const heldHere = (key: string) => held.get(key) ?? 0

/** What a node may grant of a rule. */
export interface Room {
  count: number
  /** Seconds until there can be any, where it is 0. */
  seconds: number
}

const all = (rule: Rule): Room => ({ count: rule.count, seconds: 1 })

export const decideHere = (rules: readonly Rule[]): Decision => decideWithin(rules, now_ms(), all)

/** @param roomOf the limit of a rule at this node */
export function decideWithin(rules: readonly Rule[], at_ms: number, roomOf: (rule: Rule) => Room): Decision {
  const waits = rules.map(rule => waitFor(rule, roomOf))
  const counts = rules.map(rule =>
    rule.kind === 'lease' ? heldHere(rule.key) : rule.window.count(rule.key, rule.seconds),
  )
  const wait = Math.max(0, ...waits)
  if (!wait) keepHere(rules, at_ms)
  return { wait, refused: waits.indexOf(wait), counts, rules, at_ms }
}

const refusing = new Set<Rule['kind']>(['take', 'check', 'lease', 'spend'])

function waitFor(rule: Rule, roomOf: (rule: Rule) => Room): number {
  if (rule.count === 0 || !refusing.has(rule.kind)) return 0
  const { count, seconds } = roomOf(rule)
  if (count <= 0) return seconds
  if (isTokenRule(rule)) return rule.window.wait(rule.key, count, rule.seconds, rule.tokens)
  if (rule.kind === 'lease') return heldHere(rule.key) >= count ? 1 : 0
  const left = rule.running === undefined ? count : count - heldHere(rule.running)
  return left > 0 ? rule.window.wait(rule.key, left, rule.seconds) : 1
}

/** Keeps what was granted, here or by Redis. */
export function keepHere(rules: readonly Rule[], at_ms: number) {
  for (const rule of rules) {
    if (rule.kind === 'lease') hold(rule.key, 1)
    else if (isTokenRule(rule)) keepTokens(rule, at_ms)
    else if (rule.kind === 'take' || rule.kind === 'add') rule.window.add(rule.key, rule.count, rule.seconds, at_ms)
    else if (rule.kind === 'fill' && rule.window.count(rule.key, rule.seconds) < rule.count)
      rule.window.add(rule.key, rule.count, rule.seconds, at_ms)
    else if (rule.kind === 'forget') rule.window.forget(rule.key)
  }
}

function keepTokens({ kind, window, key, seconds, tokens, at_ms }: TokenRule, now_ms: number) {
  if (kind === 'refund') window.remove(key, at_ms!, tokens)
  else window.add(key, tokens, seconds, now_ms)
}

export function releaseHere({ rules }: Decision, events: readonly Rule[] = [], at_ms = now_ms()) {
  for (const rule of rules) if (rule.kind === 'lease') hold(rule.key, -1)
  keepHere(events, at_ms)
}

function hold(key: string, change: number) {
  const sum = heldHere(key) + change
  if (sum) held.set(key, sum)
  else held.delete(key)
}

/** What this node has used of a limit, and the whole seconds until some of it is free; 1 where that is unknown. */
export function usedHere(rule: Rule): { used: number; wait: number } {
  if (rule.kind === 'lease') return { used: heldHere(rule.key), wait: 1 }
  const used = rule.window.count(rule.key, rule.seconds)
  return { used, wait: Math.max(1, waitFor(rule, all)) }
}
