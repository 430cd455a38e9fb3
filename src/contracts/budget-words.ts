/** Budgets in words, alike on pages, in notices and in refusals. */
import { type Translate, translate } from '../locales/index.ts'
import { languageCodes } from '../locales/languages.ts'
import { grouped } from '../pure/number.ts'
import { type Budget, LIMIT_WINDOWS } from './budget.ts'

/** Quota as money. */
type MoneyText = (quota: number) => string

/** Such as `$6.40`, `1,000 tokens` or `7 calls`. */
export const amountText = (amount: number, unit: Budget['unit'], t: Translate, money: MoneyText): string =>
  unit === 'quota' ? money(amount) : t(`budget.count_${unit}`, { count: amount, number: grouped(amount) })

/** An amount beside one that has the unit: `$6.40` or `1,000`. */
export const numberText = (amount: number, unit: Budget['unit'], money: MoneyText): string =>
  unit === 'quota' ? money(amount) : grouped(amount)

/** Whether a name is one that the field of a limit gave: it has the window in it. */
export const isGivenName = (name: string): boolean => windowOf(name) !== undefined

/** A name that the field of a limit gave is shown in the language of its reader. */
export function nameText(name: string, t: Translate): string {
  const window = windowOf(name)
  return window ? t(`budget.limit_per_${window}`) : name
}

/** The window whose field gives this name, in any language. */
const windowOf = (name: string) =>
  LIMIT_WINDOWS.find(window => languageCodes.some(code => translate(code, `budget.limit_per_${window}`) === name))
