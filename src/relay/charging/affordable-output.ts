/** Decides how many output tokens of one choice a call may take, by what is free. */

import { PLENTY } from '../../domain/wallet/index.ts'

export interface OutputDemand {
  /** Tokens that the caller names, else the most that the model can produce. */
  wanted: number
  /** The caller names the limit. */
  is_named: boolean
  /** Fewer than this, or than the caller names, are refused. */
  least: number
  /** Quota of the whole call with this many output tokens in each choice; it never falls. */
  quotaFor(output: number): number
}

/** A call without a limit takes at most this part of what is free, so that several calls can run side by side. */
const PART = PLENTY
/** Unless the part pays for fewer tokens than most answers need. */
const USUAL_OUTPUT = 4096

/** @returns at most `wanted`; the least, which is not free then, when less can be paid */
export function affordableOutput({ wanted, is_named, least, quotaFor }: OutputDemand, free: number): number {
  const part = is_named ? free : Math.floor(free / PART)
  if (quotaFor(wanted) <= part) return wanted
  const paid = mostWithin(part, wanted, quotaFor)
  if (is_named || paid >= USUAL_OUTPUT) return Math.max(paid, Math.min(wanted, least))
  return Math.max(mostWithin(free, Math.min(wanted, USUAL_OUTPUT), quotaFor), Math.min(wanted, least))
}

/** @returns the most tokens up to `max` whose quota is within the budget; 0 when not even none is */
function mostWithin(budget: number, max: number, quotaFor: (output: number) => number): number {
  if (quotaFor(max) <= budget) return max
  let [within, beyond] = [0, max]
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2)
    if (quotaFor(middle) <= budget) within = middle
    else beyond = middle
  }
  return within
}
