/** What the page of a call shows. */
import type { CallRecord, RecordedAttempt, RecordedCandidate } from '../../src/contracts/call-record.ts'
import type { LogEntryView } from './entry.ts'

export interface CallView {
  request_id: string
  /** Unix seconds of its end. */
  at: number
  /** Of a user: without candidates and choices, and no attempt names its channel. */
  record: CallRecord
  /** Its bill, or its last error; absent once the log is cleared. */
  entry?: LogEntryView
  /** Names of the budgets that it ran into, by id; those of channels for operators alone. */
  budgets?: ReadonlyMap<number, string>
  /** For operators alone. */
  selection?: CallSelection
}

export interface CallSelection {
  group: string
  /** Names of channels that still exist, by id. */
  names: ReadonlyMap<number, string>
  /** Ids in the order in which the rule chooses again, from what is stored. */
  replayed: readonly number[]
}

/** A part of the call in time: milliseconds since the request came. */
export interface Step {
  kind: StepKind
  from: number
  to: number
}

export type StepKind = 'admit' | 'choose' | 'reserve' | 'prepare' | 'headers' | 'first' | 'rest' | 'settle'

export function stepsBefore({ times }: CallRecord): Step[] {
  return [
    { kind: 'admit', from: 0, to: times.admitted },
    { kind: 'choose', from: times.admitted, to: times.reserving },
    { kind: 'reserve', from: times.reserving, to: times.reserved },
  ]
}

export const settling = ({ times }: CallRecord): Step => ({ kind: 'settle', from: times.ended, to: times.written })

/** Steps of an attempt, up to the one that it failed in. */
export function stepsOf({ start, sent, headers, first, end }: RecordedAttempt): Step[] {
  if (sent === undefined) return [{ kind: 'prepare', from: start, to: end }]
  const prepared: Step = { kind: 'prepare', from: start, to: sent }
  if (headers === undefined) return [prepared, { kind: 'headers', from: sent, to: end }]
  const opened: Step[] = [prepared, { kind: 'headers', from: sent, to: headers }]
  if (first === undefined || first < headers) return [...opened, { kind: 'rest', from: headers, to: end }]
  return [...opened, { kind: 'first', from: headers, to: first }, { kind: 'rest', from: first, to: end }]
}

/** Chance of a candidate in its first draw, 0 to 1. @returns undefined for one that was not in it */
export function chanceOf({ candidates, picks }: CallRecord, at: number): number | undefined {
  const pick = picks[0]
  const chosen = pick && candidates[pick.chosen]
  if (!chosen || pick.draw === undefined) return undefined
  const isIn = (one: RecordedCandidate, index: number) =>
    !one.exclusion && one.priority === chosen.priority && !pick.closed.some(closed => closed.at === index)
  if (!isIn(candidates[at]!, at)) return undefined
  const tier = candidates.filter(isIn)
  const isWeighted = tier.some(({ weight }) => weight > 0)
  const chance = ({ weight, count = 1 }: RecordedCandidate) => (isWeighted ? weight : count)
  return chance(candidates[at]!) / tier.reduce((sum, one) => sum + chance(one), 0)
}
