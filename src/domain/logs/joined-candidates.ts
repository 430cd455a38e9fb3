/** Shortens the candidates of a record so that its first choice can still be made again. */
import type { CallRecord, RecordedCandidate } from '../../contracts/call-record.ts'

/**
 * Keeps what was chosen first and `max` others. Of the rest, those that the draw could have met become one candidate
 * with their weights for each run between two that are kept; all others are counted.
 */
export function joinedAround(record: CallRecord, max: number): CallRecord {
  const { candidates, picks } = record
  const first = picks[0]
  if (!first) return { ...record, candidates: [], candidates_left_out: record.candidates_left_out + candidates.length }
  const closed = new Set(first.closed.map(({ at }) => at))
  const chosen = candidates[first.chosen]!
  const inTier = (one: RecordedCandidate, at: number) =>
    one.exclusion === undefined && !closed.has(at) && one.priority === chosen.priority && first.draw !== undefined
  const indexes = candidates.map((_, at) => at).filter(at => at !== first.chosen)
  const nearest = indexes.sort(
    (one, other) => Number(inTier(candidates[other]!, other)) - Number(inTier(candidates[one]!, one)) || one - other,
  )
  const kept = new Set([first.chosen, ...nearest.slice(0, max)])
  const shown: RecordedCandidate[] = []
  const places = new Map<number, number>()
  let left_out = record.candidates_left_out
  for (const [at, one] of candidates.entries()) {
    const last = shown.at(-1)
    if (kept.has(at)) places.set(at, shown.push(one) - 1)
    else if (!inTier(one, at)) left_out++
    else if (last?.count) {
      last.weight += one.weight
      last.count++
    } else shown.push({ id: 0, priority: one.priority, weight: one.weight, count: 1 })
  }
  const pick = {
    ...first,
    chosen: places.get(first.chosen)!,
    closed: first.closed.flatMap(({ at, seconds }) => {
      const place = places.get(at)
      return place === undefined ? [] : [{ at: place, seconds }]
    }),
  }
  return { ...record, candidates: shown, candidates_left_out: left_out, picks: [pick] }
}
