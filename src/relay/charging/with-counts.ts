/** Fills in what an upstream does not report of a usage. */
import { usageOf } from '../../billing/usage.ts'
import type { MeteredUsage, ReportedUsage } from '../../formats/format.ts'

/** Tokens that the gateway has counted; of a side that is not missing, any number. */
export interface TokenCounts {
  prompt: number
  output: number
}

/** @param unseen thinking that did not show, in tokens beside `output` */
export function withCounts(
  { usage, by, doubts, missing }: ReportedUsage,
  { prompt, output }: TokenCounts,
  unseen = 0,
): MeteredUsage {
  if (!missing.length) return { usage, by, doubts }
  const counted = { ...usage }
  if (missing.includes('input')) counted.input = Math.max(usage.input, prompt)
  if (missing.includes('output')) {
    // Without a report and without output a call is free.
    if (by === 'gateway' && !(output + unseen)) return { usage: usageOf(), by, doubts }
    counted.output = output + unseen
    counted.reasoning = unseen || usage.reasoning
  }
  return { usage: counted, by, doubts }
}
