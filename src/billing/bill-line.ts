/** A bill, stored with the log entry and shown as its receipt. */
import type { Bucket } from './usage.ts'

/**
 * The unit of a line: a bucket of tokens, calls at a fixed price, calls of a provider's tool, seconds or thousands of
 * tokens of a task, or what its price adds up beside them. `reasoning` is a part
 * of the output line and costs nothing, unless the model has a price for it: then `output` is the rest.
 */
export type Charge = Bucket | 'reasoning' | 'call' | `tool:${string}` | 'second' | '1k_tokens' | `add:${string}`

/**
 * One line. `count` × `ratio` = `amount`, both exact decimals in quota and before the group ratio;
 * (Σ amount) × group ratio, rounded once, is the bill.
 */
export interface BillLine {
  bucket: Charge
  count: number
  /** USD for `per` units; for display only. */
  unit_price: number
  per: number
  ratio: string
  amount: string
  /** Prompt tokens from which the price of this line applies, in the bill of a session with prompts of several tiers. */
  tier?: number
}

/** Whether a line only shows a part of the output line above it. */
export const isPartOfOutput = ({ bucket, per }: BillLine): boolean => bucket === 'reasoning' && per === 1

export interface Bill {
  quota: number
  lines: BillLine[]
}
