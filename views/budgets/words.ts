/** Budgets in words. */
import { balanceText, type Currency } from '../../src/billing/quota.ts'
import type { Budget } from '../../src/contracts/budget.ts'
import { amountText, numberText } from '../../src/contracts/budget-words.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { exact, type Zone } from '../../src/pure/time.ts'

/** Such as `$3.20 of $10.00` or `40 of 1,000 tokens`. */
export function shareText({ used, amount, unit }: Budget, t: Translate, currency: Currency): string {
  const money = (quota: number) => balanceText(quota, currency)
  return t('budget.used_of', { used: numberText(used, unit, money), amount: amountText(amount, unit, t, money) })
}

const LENGTHS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const
export type LengthUnit = keyof typeof LENGTHS
export const lengthUnits = Object.keys(LENGTHS) as LengthUnit[]

export const secondsIn = (length: number, unit: LengthUnit): number => length * LENGTHS[unit]

/** The length of a window in its largest whole unit. */
export function lengthText(seconds: number, t: Translate): string {
  const unit = lengthUnits.find(name => seconds % LENGTHS[name] === 0)!
  return t(`budget.length_${unit}`, { count: seconds / LENGTHS[unit], number: grouped(seconds / LENGTHS[unit]) })
}

type Window = Pick<Budget, 'window' | 'seconds' | 'anchor' | 'zone'>

/** Whether its days, weeks or months are those of the reader. */
export const isOwnZone = ({ zone }: Pick<Budget, 'zone'>, reader: Zone): boolean => !zone || zone === reader

/** Such as `per month, Asia/Shanghai` or `5 hours from the first call`. */
export function windowText({ window, seconds, anchor, zone }: Window, t: Translate, reader: Zone): string {
  if (window === 'rolling') return t('budget.rolling', { length: lengthText(seconds, t) })
  if (window === 'fixed') return t('budget.fixed', { length: lengthText(seconds, t), from: exact(anchor, reader) })
  const per = t(`budget.per_${window}`)
  return isOwnZone({ zone }, reader) ? per : t('budget.in_zone', { window: per, zone })
}
