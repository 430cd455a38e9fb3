/** What an online top-up credits and costs: computed alike by the server and, while the visitor types, in the browser. */
import {
  type Decimal,
  decimal,
  digitsAt,
  plus,
  product,
  rounded,
  roundedQuotient,
  type Whole,
} from '../pure/decimal.ts'
import { groupDigits } from '../pure/number.ts'
import { balanceText } from './quota.ts'

/** Amounts are currency units, or quota where quota is displayed in units (`display_in_currency` false). */
export interface TopUpTerms {
  /** Price of a currency unit, in the currency of the gateway. */
  price: number
  /** Factor on the price for the group of the user. */
  ratio: number
  /** In currency units. */
  min_topup: number
  quota_per_unit: number
  display_in_currency: boolean
}

export interface TopUp {
  quota: number
  /** Hundredths of the currency of the gateway. */
  money_cents: number
}

/** In currency units. */
const TOP_UP_MAX = 1_000_000
const CENTS = decimal(100)

/** Figures beyond 2^53 - 1 are not exact: the caller refuses them. */
export function topUpOf(amount: number, terms: TopUpTerms): TopUp {
  const money = product(decimal(amount), decimal(terms.price), decimal(terms.ratio), CENTS)
  const unit = decimal(terms.quota_per_unit)
  const [quota, cents] = terms.display_in_currency
    ? [rounded(product(decimal(amount), unit)), rounded(money)]
    : [amount, roundedQuotient(money, unit)]
  return { quota: Number(quota), money_cents: Number(cents) }
}

/** The smallest and the largest amount, whole numbers. */
export function amountRange({ min_topup, quota_per_unit, display_in_currency }: TopUpTerms) {
  if (display_in_currency) return { min: min_topup, max: TOP_UP_MAX }
  const unit = decimal(quota_per_unit)
  const [min, max] = [product(decimal(min_topup), unit), product(decimal(TOP_UP_MAX), unit)]
  return { min: Number(ceiling(min)), max: Number(rounded(max)) }
}

const ceiling = (value: Decimal): Whole => {
  const nearest = rounded(value)
  return digitsAt({ digits: nearest, scale: 0 }, value.scale) < value.digits ? plus(nearest, 1) : nearest
}

/** The wire's text of a sum: 7300 is `73.00`. */
export function centsText(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A sum of the wire for people: ¥1,073.00. */
export const yuan = (money: string): string => `¥${groupDigits(money)}`

export const yuanText = (cents: number): string => yuan(centsText(cents))

/** What a typed amount costs and credits, as text; dashes for one that is no amount in range. */
export function payableFor(typed: string, terms: TopUpTerms): { money: string; quota: string } {
  const text = typed.trim().replaceAll(',', '')
  const { min, max } = amountRange(terms)
  const amount = /^\d+$/.test(text) ? Number(text) : 0
  if (amount < min || amount > max) return { money: '—', quota: '—' }
  const { quota, money_cents } = topUpOf(amount, terms)
  return { money: yuanText(money_cents), quota: balanceText(quota, terms) }
}
