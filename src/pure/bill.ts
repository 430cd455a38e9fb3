/** The one function that makes every bill. */
import type { Bill, BillLine, Charge } from '../contracts/bill.ts'
import { rounded, textOf } from './decimal.ts'
import type { Price } from './price.ts'
import type { Rate } from './rate.ts'
import { buckets, countOf, type Usage, wasUsed } from './usage.ts'

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)
const unpriced: Rate = { digits: 0n, ratio: '0', unit_price: 0, per: 1 }

/** Exact until one rounding at the end; at least 1 when the price is not zero and anything was used. */
export function bill(usage: Usage, price: Price): Bill {
  if (!wasUsed(usage)) return { quota: 0, lines: [] }
  const { rates, tools, scale, group } = price
  const lines: BillLine[] = []
  let subtotal = 0n

  const charge = (bucket: Charge, count: number, { digits, ratio, unit_price, per }: Rate) => {
    if (count === 0) return
    const amount = BigInt(count) * digits
    subtotal += amount
    lines.push({ bucket, count, unit_price, per, ratio, amount: textOf({ digits: amount, scale }) })
  }

  if (rates.call) charge('call', countOf(usage.calls ?? 1), rates.call)
  else {
    for (const bucket of buckets) charge(bucket, countOf(usage[bucket]), rates[bucket]!)
    charge('reasoning', countOf(usage.reasoning), unpriced)
  }
  for (const tool of Object.keys(usage.tools).sort()) {
    charge(`tool:${tool}`, countOf(usage.tools[tool]), tools.get(tool) ?? unpriced)
  }

  const total = rounded({ digits: subtotal * group.digits, scale: scale + group.scale })
  return { quota: Number(total > LARGEST ? LARGEST : total) || minimum(subtotal, price), lines }
}

const minimum = (subtotal: bigint, { group_ratio, model_price, model_ratio }: Price): 0 | 1 =>
  group_ratio > 0 && (subtotal > 0n || model_price > 0 || model_ratio > 0) ? 1 : 0
