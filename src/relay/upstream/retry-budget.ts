/** How many second tries there may be in all: when everything fails, trying again everywhere only makes it worse. */
import { now_ms } from '../../process/clock.ts'

/** A few calls may always be tried again: with little traffic every one of them. */
const RESERVE = 100
const PER_SECOND = 10
const PER_CALL = 0.2

let left = RESERVE
let filled_at = now_ms()

export function noteCall() {
  left = Math.min(RESERVE, left + PER_CALL)
}

/** Takes one from the budget, if there is one. */
export function mayTryAgain(): boolean {
  const seconds = (now_ms() - filled_at) / 1000
  filled_at = now_ms()
  left = Math.min(RESERVE, left + Math.max(0, seconds) * PER_SECOND)
  if (left < 1) return false
  left--
  return true
}
