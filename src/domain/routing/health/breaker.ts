/**
 * Circuit breaker per channel, per key of a channel with several, and per model of either. Closed: calls pass. Open: a
 * cooldown after five failures in a row, or as long as the provider's Retry-After. Half-open, when the cooldown is over:
 * one trial call, the others follow its response. Each node counts failures for itself; cooldowns are shared.
 */
import type { FailureKind } from '../../../contracts/channel-history.ts'
import { announcement } from '../../../process/announcement.ts'
import { now_ms } from '../../../process/clock.ts'
import { store } from '../../../process/stores.ts'
import { countEvent } from './channel-events.ts'

const FAILURES_MAX = 5
const COOLDOWN_MIN_MS = 5000
const COOLDOWN_MAX_MS = 60_000
/** Upper bound of a provider's Retry-After. */
const RETRY_AFTER_MAX_MS = 600_000
/** A trial without a response blocks other trials for this long. */
const TRIAL_TIMEOUT_MS = 10_000

/** The names of models come with calls: past this number the oldest circuit is forgotten. */
const CIRCUITS_MAX = 10_000

interface Circuit {
  place: CircuitPlace
  /** In a row. */
  failures: number
  /** Cooldowns in a row; each doubles the next one. */
  cooldowns: number
  /** End of the cooldown in ms since 1970; 0 while the circuit is closed. */
  until: number
  /** The provider named the time: no trial before its end. */
  by_provider: boolean
  /** Start of the trial that runs; 0 for none. */
  trial_at: number
  reason: string
}

/** What a circuit stands for: a channel, a key of it, or one model of either. */
export interface CircuitPlace {
  channel_id: number
  key?: string
  /** The provider's name for it. */
  model?: string
}

/** Only circuits with a failure since their last success, by their place. */
const circuits = store('circuits', new Map<string, Circuit>())

const idOf = ({ channel_id, key = '', model = '' }: CircuitPlace) => `${channel_id}\0${key}\0${model}`
const circuitAt = (place: CircuitPlace): Circuit | undefined => circuits.get(idOf(place))

/** True most of the time: no circuit has failed, so nothing needs a look-up. */
export const allClosed = () => circuits.size === 0

/** Closed, or half-open without a trial. */
export function allowsCall(place: CircuitPlace): boolean {
  const circuit = circuitAt(place)
  return !circuit?.until || (cooldownSeconds(circuit) === 0 && !hasTrial(circuit))
}

/** Whether a call without any closed target may try during the cooldown. */
export function allowsTrial(place: CircuitPlace): boolean {
  const circuit = circuitAt(place)
  return !circuit || (!hasTrial(circuit) && (!circuit.by_provider || cooldownSeconds(circuit) === 0))
}

/** A call starts; on an open circuit it is the trial. */
export function recordStart(place: CircuitPlace) {
  const circuit = circuitAt(place)
  if (circuit?.until) circuit.trial_at = now_ms()
}

/** A response has started: closes the circuit, one failure short of opening again. */
export function recordResponse(place: CircuitPlace) {
  const circuit = circuitAt(place)
  if (circuit) Object.assign(circuit, { until: 0, trial_at: 0, failures: Math.min(circuit.failures, FAILURES_MAX - 1) })
}

/** The call ended without a verdict on the channel. */
export function endTrial(place: CircuitPlace) {
  const circuit = circuitAt(place)
  if (circuit) circuit.trial_at = 0
}

const close = (place: CircuitPlace) => void circuits.delete(idOf(place))

/** The response is complete. A circuit that has opened since it started stays open. */
export function recordSuccess(place: CircuitPlace) {
  const circuit = circuitAt(place)
  if (circuit && !cooldownSeconds(circuit)) close(place)
}

interface CircuitFailure {
  reason: string
  /** Under which a cooldown is counted. */
  kind?: FailureKind
  /** The provider's hint when a repetition may succeed. */
  retry_after_ms?: number
  /** Opens the circuit at the first failure. */
  at_once?: boolean
}

/** The trial of the call has ended before. */
export function recordFailure(place: CircuitPlace, { reason, kind, retry_after_ms, at_once = false }: CircuitFailure) {
  const circuit = circuitAt(place) ?? newCircuit(place)
  Object.assign(circuit, { failures: circuit.failures + 1, reason })
  if (retry_after_ms) {
    begin({ place, ms: Math.min(retry_after_ms, RETRY_AFTER_MAX_MS), by_provider: true, reason }, kind)
  } else if ((at_once || circuit.failures >= FAILURES_MAX) && !cooldownSeconds(circuit)) {
    // Concurrent calls that fail together cause one cooldown.
    const ms = Math.min(COOLDOWN_MIN_MS * 2 ** circuit.cooldowns, COOLDOWN_MAX_MS)
    circuit.cooldowns++
    begin({ place, ms, by_provider: false, reason }, kind)
  }
}

export interface BegunCooldown {
  place: CircuitPlace
  /** How long from now. */
  ms: number
  by_provider: boolean
  reason: string
}

/** A cooldown begins on this node. */
export const cooldownBegun = announcement<BegunCooldown>('cooldown')

/** Many calls meet one limit: each names its end anew, by a little. */
const ANNOUNCED_STEP_MS = 1000

function begin(cooldown: BegunCooldown, cause?: FailureKind) {
  const { place, ms, reason } = cooldown
  const is_new = !cooldownOf(place)
  const moved_ms = beginCooldown(cooldown)
  if (cause && moved_ms)
    countEvent({
      ...{ channel_id: place.channel_id, model: place.model, event: 'cooldown', cause, reason },
      ...{ times: is_new ? 1 : 0, ms: is_new ? ms : moved_ms },
    })
  if (moved_ms >= ANNOUNCED_STEP_MS) cooldownBegun.announce(cooldown)
}

/** A longer one that runs already goes on. @returns by how many ms the end has moved */
export function beginCooldown({ place, ms, by_provider, reason }: BegunCooldown): number {
  const circuit = circuitAt(place) ?? newCircuit(place)
  const running = cooldownSeconds(circuit) ? circuit.until : 0
  const until = Math.max(running, now_ms() + ms)
  Object.assign(circuit, { until, by_provider, reason })
  return until - running
}

function newCircuit(place: CircuitPlace): Circuit {
  const circuit = { place, failures: 0, cooldowns: 0, until: 0, by_provider: false, trial_at: 0, reason: '' }
  const [oldest] = circuits.size < CIRCUITS_MAX ? [] : circuits.keys()
  if (oldest !== undefined) circuits.delete(oldest)
  circuits.set(idOf(place), circuit)
  return circuit
}

export interface CircuitCooldown {
  place: CircuitPlace
  reason: string
  /** Whole seconds that remain. */
  seconds: number
  by_provider: boolean
}

/** @returns undefined while calls pass */
export function cooldownOf(place: CircuitPlace): CircuitCooldown | undefined {
  const circuit = circuitAt(place)
  const seconds = circuit ? cooldownSeconds(circuit) : 0
  return circuit && seconds ? { place, reason: circuit.reason, seconds, by_provider: circuit.by_provider } : undefined
}

/** 0 closed, 1 half-open, 2 open. */
export function breakerState(place: CircuitPlace): 0 | 1 | 2 {
  const circuit = circuitAt(place)
  if (!circuit?.until) return 0
  return cooldownSeconds(circuit) ? 2 : 1
}

/** The models of which a circuit of the channel or of a key is open. */
export function modelsCoolingDown(channel_id: number): string[] {
  const models = new Set<string>()
  for (const circuit of circuits.values()) {
    const { place } = circuit
    if (place.channel_id === channel_id && place.model && cooldownSeconds(circuit)) models.add(place.model)
  }
  return [...models]
}

/** Closes every circuit of a channel: it was saved, or has passed a test. */
export function resetCircuits(channel_id: number) {
  for (const { place } of circuits.values()) if (place.channel_id === channel_id) close(place)
}

/** A cooldown longer than the maximum means that the clock was set back: it is over. */
function cooldownSeconds({ until }: Circuit): number {
  const ms = until - now_ms()
  return ms > 0 && ms <= RETRY_AFTER_MAX_MS ? Math.ceil(ms / 1000) : 0
}

const hasTrial = ({ trial_at }: Circuit) => trial_at > 0 && Math.abs(now_ms() - trial_at) < TRIAL_TIMEOUT_MS
