/**
 * The circuit breaker. Channels and keys rest after failures in a row, or because their provider asked for it. When a
 * rest is over, one call goes there to try; the others follow once it is answered. Each node finds out for itself.
 */
import { now_ms } from '../../../process/clock.ts'

const FAILURES_IN_A_ROW = 5
const FIRST_REST_MS = 5000
const LONGEST_REST_MS = 60_000
/** However long a provider asks for, it is tried again after this. */
const LONGEST_ASKED_MS = 600_000
/** A trial that has not been answered for so long keeps nobody else from trying. */
const TRIAL_MS = 10_000

interface Circuit {
  /** In a row. */
  failures: number
  /** Rests in a row. */
  rests: number
  until: number
  /** Whether the provider named the time: then nothing goes there before. */
  asked: boolean
  /** When the trial under way began; 0 for none. */
  tried_at: number
  reason: string
}

/** What can rest: a channel, or one of several keys of it. */
export type CircuitKey = string
export const circuitKey = (channel_id: number, key?: string): CircuitKey =>
  key === undefined ? `${channel_id}` : `${channel_id} ${key}`

/** Only those that have failed since they last answered. */
const openCircuits = new Map<CircuitKey, Circuit>()

/** Nothing has failed lately: most of the time there is nothing to look up. */
export const allClosed = () => openCircuits.size === 0

/** Whether a call may go there now. */
export function allowsCall(line: CircuitKey): boolean {
  const rest = openCircuits.get(line)
  return !rest?.until || (secondsLeft(rest) === 0 && !isTried(rest))
}

/** Whether a call that has nowhere else to go may try, though the rest is not over. */
export function allowsTrial(line: CircuitKey): boolean {
  const rest = openCircuits.get(line)
  return !rest || (!isTried(rest) && (!rest.asked || secondsLeft(rest) === 0))
}

/** A call goes there. */
export function recordStart(line: CircuitKey) {
  const rest = openCircuits.get(line)
  if (rest?.until) rest.tried_at = now_ms()
}

/** It has begun to answer: others may follow. What it is worth shows at the end. */
export function recordResponse(line: CircuitKey) {
  const rest = openCircuits.get(line)
  if (rest) Object.assign(rest, { until: 0, tried_at: 0, failures: Math.min(rest.failures, FAILURES_IN_A_ROW - 1) })
}

/** The call tells nothing about the channel. */
export function endTrial(line: CircuitKey) {
  const rest = openCircuits.get(line)
  if (rest) rest.tried_at = 0
}

/** It answered to the end. */
export const recordSuccess = (line: CircuitKey) => void openCircuits.delete(line)

interface Failure {
  reason: string
  /** Seconds for which the provider wants to be left alone. */
  retry_after?: number
  /** A rest begins whatever happened before. */
  at_once?: boolean
}

export function recordFailure(line: CircuitKey, { reason, retry_after, at_once = false }: Failure) {
  const rest = openCircuits.get(line) ?? { failures: 0, rests: 0, until: 0, asked: false, tried_at: 0, reason }
  openCircuits.set(line, Object.assign(rest, { failures: rest.failures + 1, tried_at: 0, reason }))
  if (retry_after) {
    const until = now_ms() + Math.min(retry_after * 1000, LONGEST_ASKED_MS)
    Object.assign(rest, { until: Math.max(rest.until, until), asked: true })
  } else if ((at_once || rest.failures >= FAILURES_IN_A_ROW) && !secondsLeft(rest)) {
    // Calls that were under way together fail together: that is one rest.
    const ms = Math.min(FIRST_REST_MS * 2 ** rest.rests, LONGEST_REST_MS)
    Object.assign(rest, { until: now_ms() + ms, rests: rest.rests + 1, asked: false })
  }
}

/** Why it rests, and for how many more seconds; nothing when it does not. */
export function cooldownOf(line: CircuitKey): { reason: string; seconds: number; asked: boolean } | undefined {
  const rest = openCircuits.get(line)
  const seconds = rest ? secondsLeft(rest) : 0
  return rest && seconds ? { reason: rest.reason, seconds, asked: rest.asked } : undefined
}

/** A channel that was saved, or passed a test, starts anew with its keys. */
export function resetCircuits(channel_id: number) {
  for (const line of openCircuits.keys()) {
    if (line === circuitKey(channel_id) || line.startsWith(`${circuitKey(channel_id)} `)) recordSuccess(line)
  }
}

/** A clock that was set back must not keep a channel resting. */
function secondsLeft({ until }: Circuit): number {
  const ms = until - now_ms()
  return ms > 0 && ms <= LONGEST_ASKED_MS ? Math.ceil(ms / 1000) : 0
}

const isTried = ({ tried_at }: Circuit) => tried_at > 0 && Math.abs(now_ms() - tried_at) < TRIAL_MS
