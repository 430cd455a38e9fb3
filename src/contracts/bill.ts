/** A bill as it is stored with the log row and printed as a receipt. */
import type { Bucket } from '../billing/usage.ts'

/** What a line counts: a bucket of tokens, calls at a fixed price, or calls of one of the provider's tools. */
export type Charge = Bucket | 'reasoning' | 'call' | `tool:${string}`

/**
 * One line. `count` × `ratio` = `amount`, both exact decimals in quota and before the group ratio;
 * (Σ amount) × group ratio, rounded once, is the bill.
 */
export interface BillLine {
  bucket: Charge
  count: number
  /** USD for `per` of them, for reading. */
  unit_price: number
  per: number
  ratio: string
  amount: string
}

export interface Bill {
  quota: number
  lines: BillLine[]
}
