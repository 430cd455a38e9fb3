/** Bills: usage × price, in quota. Every bill is computed here. */
import { type Decimal, decimalIn, plus, rounded, sum, textOf, times, type Whole } from '../pure/decimal.ts'
import type { Bill, BillLine, Charge } from './bill-line.ts'
import { type Price, type PriceTier, partsFor } from './price.ts'
import type { Rate, Rates } from './rate.ts'
import { buckets, countOf, type Usage, wasUsed } from './usage.ts'

const unpriced: Rate = { digits: 0, ratio: '0', unit_price: 0, per: 1 }

/** Charges of one tier. */
interface Part {
  tier: Price | PriceTier
  charges: BucketCharge[]
}

interface BucketCharge {
  bucket: Charge
  count: number
  rate: Rate
}

/** The bill with a line for each bucket, call or tool that was used. A call without usage is free. */
export function bill(usage: Usage, price: Price): Bill {
  if (!wasUsed(usage)) return { quota: 0, lines: [] }
  const parts = chargedParts(usage, price)
  const isMarked = parts.length > 1
  return { quota: sumOf(parts, price), lines: parts.flatMap(part => linesOf(part, isMarked)) }
}

/** The total of a bill without its lines. */
export function quotaOf(usage: Usage, price: Price): number {
  return wasUsed(usage) ? sumOf(chargedParts(usage, price), price) : 0
}

const chargedParts = (usage: Usage, price: Price): Part[] =>
  partsFor(price, usage).map(part => ({ tier: part.tier, charges: chargesFor(part.usage, part.tier) }))

function chargesFor(usage: Usage, { rates, tools }: Rates): BucketCharge[] {
  const charges: BucketCharge[] = []
  const charge = (bucket: Charge, count: number, rate = unpriced) => {
    if (count > 0) charges.push({ bucket, count, rate })
  }
  if (rates.call) charge('call', countOf(usage.calls ?? 1), rates.call)
  else {
    const reasoning = countOf(usage.reasoning)
    const apart = rates.reasoning ? Math.min(reasoning, countOf(usage.output)) : 0
    for (const bucket of buckets)
      charge(bucket, countOf(usage[bucket]) - (bucket === 'output' ? apart : 0), rates[bucket])
    charge('reasoning', rates.reasoning ? apart : reasoning, rates.reasoning)
  }
  for (const tool of Object.keys(usage.tools).sort()) {
    charge(`tool:${tool}`, countOf(usage.tools[tool]), tools.get(tool))
  }
  return charges
}

/** At least 1 when the price is not zero. */
function sumOf(parts: Part[], price: Price): number {
  const subtotal = sum(parts.map(subtotalOf))
  const isPriced = subtotal.digits > 0 || parts.some(({ tier }) => tier.model_price > 0 || tier.model_ratio > 0)
  return totalOf(subtotal, price) || (price.group_ratio > 0 && isPriced ? 1 : 0)
}

/** Exact with one rounding at the end. */
function totalOf({ digits, scale }: Decimal, { group }: Pick<Price, 'group'>): number {
  const total = rounded({ digits: times(digits, group.digits), scale: scale + group.scale })
  return Math.min(Number(total), Number.MAX_SAFE_INTEGER)
}

/** What the lines of a bill add up to; 0 also where a small bill is 1. */
export const quotaOfLines = (lines: readonly BillLine[], price: Pick<Price, 'group'>): number =>
  totalOf(sum(lines.map(({ amount }) => decimalIn(amount))), price)

const subtotalOf = ({ charges, tier }: Part): Decimal => ({
  digits: charges.reduce<Whole>((total, charged) => plus(total, amountOf(charged)), 0),
  scale: tier.scale,
})

const amountOf = ({ count, rate }: BucketCharge): Whole => times(count, rate.digits)

const linesOf = ({ charges, tier }: Part, isMarked: boolean): BillLine[] =>
  charges.map(charged => ({
    bucket: charged.bucket,
    count: charged.count,
    unit_price: charged.rate.unit_price,
    per: charged.rate.per,
    ratio: charged.rate.ratio,
    amount: textOf({ digits: amountOf(charged), scale: tier.scale }),
    ...(isMarked && 'from' in tier && { tier: tier.from }),
  }))
