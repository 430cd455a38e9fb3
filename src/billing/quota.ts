/** Quota, the whole unit of every balance and bill, and how people see it: as money or as units. */
import { groupDigits, grouped } from '../pure/number.ts'

/** How this installation shows quota. */
export interface Currency {
  quota_per_unit: number
  display_in_currency: boolean
}

/** An amount in two inks: the leading zeros are grey, the first digit that counts begins the black. */
export interface Figure {
  zeros: string
  ink: string
}

/** Decimals of an amount: all six where bills are read, two where balances are. */
export type Decimals = 2 | 6

export const MONEY_SIGN = '$'

export function quotaFigure(quota: number, currency: Currency, decimals: Decimals): Figure {
  if (!currency.display_in_currency) return { zeros: '', ink: grouped(quota) }
  return moneyFigure(quota / currency.quota_per_unit, decimals)
}

/** @param places at least this many decimals; `upTo` shows more where the amount has them. */
export function moneyFigure(amount: number, places: number, upTo = places): Figure {
  let digits = Math.abs(amount).toFixed(upTo)
  while (digits.length - digits.indexOf('.') - 1 > places && digits.endsWith('0')) digits = digits.slice(0, -1)
  const text = `${amount < 0 && Number(digits) !== 0 ? '-' : ''}${MONEY_SIGN}${groupDigits(digits)}`
  const zeros = /^-?\D0[.0]*/.exec(text)?.[0] ?? ''
  return { zeros, ink: text.slice(zeros.length) }
}

export const quotaText = (quota: number, currency: Currency, decimals: Decimals): string =>
  plain(quotaFigure(quota, currency, decimals))

export const moneyText = (amount: number, places: number, upTo?: number): string =>
  plain(moneyFigure(amount, places, upTo))

const plain = ({ zeros, ink }: Figure) => zeros + ink

/** What was typed into an amount field, as quota. */
export const toQuota = (amount: number, currency: Currency): number =>
  currency.display_in_currency ? Math.round(amount * currency.quota_per_unit) : Math.round(amount)

/** What an amount field shows for a quota: 50 · 0.1 · 0.000002. */
export function fromQuota(quota: number, currency: Currency): string {
  if (!currency.display_in_currency) return String(quota)
  return (quota / currency.quota_per_unit).toFixed(6).replace(/\.?0+$/, '')
}
