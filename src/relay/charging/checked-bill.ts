/**
 * Checks each bill before it is booked, in production too. A flaw is one of the gateway: it is logged for operators, and
 * the call is billed by the rule that it breaks.
 */
import { quotaOfLines } from '../../billing/bill.ts'
import type { Bill } from '../../billing/bill-line.ts'
import type { Price } from '../../billing/price.ts'
import type { Usage } from '../../billing/usage.ts'
import { wholeUsage, wrongCounts } from '../../billing/whole-usage.ts'
import { log } from '../../process/log.ts'

/** Counts are whole numbers from 0 on: others are rounded down, and count 0 below that. */
export function checkedUsage(usage: Usage, request_id: string): Usage {
  const wrong = wrongCounts(usage)
  if (!wrong.length) return usage
  log.error('usage with wrong counts', { request_id, counts: wrong.join('; ') })
  return wholeUsage(usage)
}

/** A bill is the sum of its lines, or 1 where that is less than a half: users see the lines. */
export function checkedBill(made: Bill, price: Pick<Price, 'group'>, request_id: string): Bill {
  const { quota, lines } = made
  const of_lines = quotaOfLines(lines, price)
  if (quota === of_lines || (quota === 1 && of_lines === 0)) return made
  log.error('bill is not the sum of its lines', { request_id, quota, of_lines })
  return { quota: of_lines, lines }
}
