/** The record of a call as short JSON arrays that begin with their version, never longer than its limit. */
import {
  CALL_RECORD_MAX_BYTES,
  type CallRecord,
  callLimits,
  exclusions,
  type RecordedAttempt,
  type RecordedCandidate,
  type RecordedPick,
} from '../../contracts/call-record.ts'
import { joinedAround } from './joined-candidates.ts'

const VERSION = 1
const NONE = -1
const REASON_MAX = 48

/** What a record leaves out, step by step, until it is short enough. */
const levels = [
  { candidates: Number.POSITIVE_INFINITY, attempts: 8, reason: REASON_MAX },
  { candidates: 10, attempts: 6, reason: 24 },
  { candidates: 5, attempts: 4, reason: 16 },
  { candidates: 2, attempts: 3, reason: 8 },
  { candidates: 0, attempts: 2, reason: 0 },
]

export function encodeRecord(record: CallRecord): string {
  let text = ''
  for (const level of levels) {
    text = JSON.stringify(arraysOf(shortened(record, level)))
    if (text.length <= CALL_RECORD_MAX_BYTES && Buffer.byteLength(text) <= CALL_RECORD_MAX_BYTES) break
  }
  return text
}

function shortened(record: CallRecord, { candidates, attempts, reason }: (typeof levels)[number]): CallRecord {
  const joined = record.candidates.length > candidates ? joinedAround(record, candidates) : record
  const cut = Math.max(0, record.attempts.length - attempts)
  // The last attempt is the one that answered.
  const kept = cut ? [...record.attempts.slice(0, attempts - 1), record.attempts.at(-1)!] : record.attempts
  return {
    ...joined,
    picks: joined.picks.slice(0, attempts),
    attempts: kept.map(one => ({ ...one, reason: one.reason.slice(0, reason) })),
    attempts_left_out: cut,
  }
}

type Arrays = [
  version: number,
  times: number[],
  attempts: (number | string)[][],
  attempts_left_out: number,
  limits: number[],
  candidates: number[][],
  candidates_left_out: number,
  picks: number[][],
]

const arraysOf = (record: CallRecord): Arrays => {
  const { admitted, reserving, reserved, ended, written } = record.times
  return [
    VERSION,
    [admitted, reserving, reserved, ended, written].map(Math.round),
    record.attempts.map(attemptArray),
    record.attempts_left_out,
    record.limits.flatMap(({ limit, value }) => [callLimits.indexOf(limit), value]),
    record.candidates.map(candidateArray),
    record.candidates_left_out,
    record.picks.map(pickArray),
  ]
}

const rounded = (ms: number | undefined) => (ms === undefined ? NONE : Math.round(ms))

function attemptArray({ channel, start, sent, headers, first, end, status, reason }: RecordedAttempt) {
  const numbers = [channel, ...[start, sent, headers, first, end].map(rounded), status]
  return reason ? [...numbers, reason] : numbers
}

function candidateArray({ id, priority, weight, exclusion, count }: RecordedCandidate) {
  const numbers = [id, priority, weight]
  if (exclusion || count) numbers.push(exclusion ? exclusions.indexOf(exclusion) : NONE)
  return count ? [...numbers, count] : numbers
}

const pickArray = ({ draw = NONE, chosen, closed }: RecordedPick) => [
  draw,
  chosen,
  ...closed.flatMap(({ at, seconds }) => [at, Math.ceil(seconds)]),
]

/** @returns undefined for a version that is unknown here, or for text that is none */
export function decodeRecord(text: string): CallRecord | undefined {
  const arrays = parsed(text)
  if (!arrays) return undefined
  const [, [admitted = 0, reserving = 0, reserved = 0, ended = 0, written = 0], attempts, attempts_left_out] = arrays
  const [, , , , limits, candidates, candidates_left_out, picks] = arrays
  return {
    times: { admitted, reserving, reserved, ended, written },
    attempts: attempts.map(attemptOf),
    attempts_left_out,
    limits: pairs(limits).flatMap(([limit, value]) => {
      const name = callLimits[limit]
      return name ? [{ limit: name, value }] : []
    }),
    candidates: candidates.map(([id = 0, priority = 0, weight = 0, exclusion = NONE, count]) => ({
      ...{ id, priority, weight, count },
      exclusion: exclusions[exclusion],
    })),
    candidates_left_out,
    picks: picks.map(([draw = NONE, chosen = 0, ...closed]) => ({
      draw: draw === NONE ? undefined : draw,
      chosen,
      closed: pairs(closed).map(([at, seconds]) => ({ at, seconds })),
    })),
  }
}

function parsed(text: string): Arrays | undefined {
  try {
    const arrays = JSON.parse(text)
    return Array.isArray(arrays) && arrays[0] === VERSION ? (arrays as Arrays) : undefined
  } catch {
    return undefined
  }
}

function attemptOf([channel, start, sent, headers, first, end, status, reason = '']: (number | string)[]) {
  const at = (ms: number | string | undefined) => (ms === NONE ? undefined : Number(ms))
  return {
    channel: Number(channel),
    start: Number(start),
    ...{ sent: at(sent), headers: at(headers), first: at(first) },
    ...{ end: Number(end), status: Number(status), reason: String(reason) },
  }
}

const pairs = (flat: readonly number[]): [number, number][] =>
  flat.flatMap((first, at): [number, number][] => (at % 2 ? [] : [[first, flat[at + 1] ?? 0]]))
