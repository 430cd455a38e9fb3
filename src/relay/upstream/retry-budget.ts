/** Limits retries of the whole process, so that a general outage does not multiply the load. */
import { now_ms } from '../../process/clock.ts'

/** Retries that are always available after a pause: with little traffic no retry is refused. */
const BUDGET_MAX = 100
const PER_SECOND = 10
const PER_CALL = 0.2

let left = BUDGET_MAX
let refilled_at_ms = now_ms()

export function refillForCall() {
  left = Math.min(BUDGET_MAX, left + PER_CALL)
}

/** Takes one retry from the budget. @returns false when it is empty */
export function mayRetry(): boolean {
  const seconds = (now_ms() - refilled_at_ms) / 1000
  refilled_at_ms = now_ms()
  left = Math.min(BUDGET_MAX, left + Math.max(0, seconds) * PER_SECOND)
  if (left < 1) return false
  left--
  return true
}
