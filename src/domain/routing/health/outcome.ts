/** Reports the outcome of each attempt to the circuit breaker, the hourly counts and auto-disable. Never throws. */
import type { Cooldown, Cooldowns } from '../../../contracts/channel.ts'
import type { FailureKind } from '../../../contracts/channel-history.ts'
import { type RoutedChannel, upstreamModel } from '../routed-channel.ts'
import { listedName } from '../routing-table.ts'
import type { Target } from '../target.ts'
import { disableKey } from './auto-disable.ts'
import type { CircuitCooldown, CircuitPlace } from './breaker.ts'
import * as breaker from './breaker.ts'
import { countFailed, countServed, runInBackground } from './hourly-outcomes.ts'

/** What an attempt goes to, whatever its API. */
type CircuitTarget = Omit<Target, 'api'>

/** A channel with several keys has a circuit for each of them. */
const hasKeyCircuits = ({ keys }: RoutedChannel) => keys.length > 1
const ofChannel = ({ id: channel_id }: RoutedChannel): CircuitPlace => ({ channel_id })
const ofKey = (channel: RoutedChannel, key: string): CircuitPlace[] =>
  hasKeyCircuits(channel) ? [{ channel_id: channel.id, key }] : []

/** The circuits of a channel and its key, or of one model there. */
const placesOf = (channel: RoutedChannel, key: string): CircuitPlace[] => [ofChannel(channel), ...ofKey(channel, key)]

function circuitsOf({ channel, key, model }: CircuitTarget): CircuitPlace[] {
  const own_name = upstreamModel(channel, model)
  return placesOf(channel, key).flatMap(place => [place, { ...place, model: own_name }])
}

/** Whether every circuit of the target is closed, or half-open without a trial. */
export const allowsCall = (target: CircuitTarget): boolean =>
  breaker.allClosed() || circuitsOf(target).every(breaker.allowsCall)

/** Whether a call may try this target when no target allows calls. */
export const allowsTrial = (target: CircuitTarget): boolean => circuitsOf(target).every(breaker.allowsTrial)

/** The longest cooldown among the target's circuits. @returns undefined when all are closed */
export const cooldownOf = (target: CircuitTarget): CircuitCooldown | undefined => longestOf(circuitsOf(target))

const longestOf = (places: readonly CircuitPlace[]): CircuitCooldown | undefined =>
  places.reduce<CircuitCooldown | undefined>((longest, place) => {
    const cooldown = breaker.cooldownOf(place)
    return cooldown && cooldown.seconds > (longest?.seconds ?? 0) ? cooldown : longest
  }, undefined)

export function recordStart(target: CircuitTarget) {
  if (!breaker.allClosed()) circuitsOf(target).forEach(breaker.recordStart)
}

/** A response has started; its success, its failure or the end of the trial follows. */
export function recordResponse(target: CircuitTarget) {
  if (!breaker.allClosed()) circuitsOf(target).forEach(breaker.recordResponse)
}

/** A response is complete, or its client has left it. @param first_ms from the attempt to the first event of a stream */
export function recordSuccess(target: CircuitTarget, first_ms?: number) {
  countServed(target.channel.id, listedName(target.model), first_ms)
  if (!breaker.allClosed()) circuitsOf(target).forEach(breaker.recordSuccess)
}

/** The client left, or sent a request that every channel would refuse: no verdict on the channel. */
export const endTrial = (target: CircuitTarget) => circuitsOf(target).forEach(breaker.endTrial)

/** The upstream has refused a request as every channel would. */
export function recordBadRequest(target: CircuitTarget) {
  countFailed(target.channel.id, listedName(target.model), 'bad_request')
  endTrial(target)
}

export interface AttemptFailure {
  kind: FailureKind
  reason: string
  /** Another key of the same channel may succeed. */
  of_key: boolean
  /** Other models of the same channel, or key, may succeed. */
  of_model: boolean
  /** The provider's hint when a repetition may succeed. */
  retry_after_ms?: number
  /** The key, or its account, is permanently refused. */
  fatal: boolean
  /** Counts towards opening the circuit. */
  trips_breaker: boolean
}

export function recordFailure(target: CircuitTarget, failure: AttemptFailure) {
  const { channel, key, model } = target
  const { kind, reason, retry_after_ms, fatal } = failure
  countFailed(channel.id, listedName(model), kind)
  endTrial(target)
  const ofKeyOnly = failure.of_key && hasKeyCircuits(channel)
  const place = {
    channel_id: channel.id,
    key: ofKeyOnly ? key : undefined,
    model: failure.of_model ? upstreamModel(channel, model) : undefined,
  }
  if (failure.trips_breaker) breaker.recordFailure(place, { kind, reason, retry_after_ms, at_once: ofKeyOnly })
  if (fatal) runInBackground(disableKey(channel, key, reason, kind))
}

/** How long none of these targets can be called. @returns undefined while one can */
export const cooldownOfAll = (targets: readonly CircuitTarget[]): Cooldown | undefined =>
  shortestOf(targets.map(cooldownOf))

/** Cooldowns of a channel, for the time that every key of it cools down. */
export function cooldownsOf(channel: RoutedChannel | undefined): Cooldowns {
  if (!channel || breaker.allClosed()) return noCooldowns
  const places = channel.good_keys.map(key => placesOf(channel, key))
  return {
    cooldown: shortestOf(places.map(longestOf)),
    model_cooldowns: breaker.modelsCoolingDown(channel.id).flatMap(model => {
      const ofModel = places.map(circuits => longestOf(circuits.map(place => ({ ...place, model }))))
      return shortestOf(ofModel) ?? []
    }),
  }
}

/** Cooldowns of a key alone, without those of its channel. */
export function cooldownsOfKey(channel: RoutedChannel, key: string): Cooldowns {
  const [place] = ofKey(channel, key)
  if (!place || breaker.allClosed()) return noCooldowns
  const models = breaker.modelsCoolingDown(channel.id)
  return {
    cooldown: shortestOf([breaker.cooldownOf(place)]),
    model_cooldowns: models.flatMap(model => shortestOf([breaker.cooldownOf({ ...place, model })]) ?? []),
  }
}

const noCooldowns: Cooldowns = { cooldown: undefined, model_cooldowns: [] }

/** @returns undefined when one of them is none */
function shortestOf(cooldowns: readonly (CircuitCooldown | undefined)[]): Cooldown | undefined {
  const found = cooldowns.filter(cooldown => cooldown !== undefined)
  if (!found.length || found.length < cooldowns.length) return undefined
  const { place, reason, seconds } = found.reduce((shortest, one) => (one.seconds < shortest.seconds ? one : shortest))
  return { reason, seconds, ...scopeOf(place) }
}

const scopeOf = ({ key, model }: CircuitPlace): Pick<Cooldown, 'scope' | 'model'> =>
  model ? { scope: 'model', model } : { scope: key === undefined ? 'channel' : 'key' }
