/** Calls and tokens per minute. */
import { short } from '../../src/pure/number.ts'

/** Smaller rates have digits that mean nothing to a reader. */
const LEAST_SHOWN = 0.1

/** 0 · < 0.1 · 0.4 · 3.2 · 94 · 12k */
export function rateText(per_minute: number): string {
  if (per_minute > 0 && per_minute < LEAST_SHOWN) return `< ${LEAST_SHOWN}`
  return per_minute < 10 ? String(Number(per_minute.toFixed(1))) : short(Math.round(per_minute))
}
