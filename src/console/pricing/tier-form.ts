/** Prices by prompt length as text in the rows of a model's drawer, and back; both spellings of a form. */
import { tierPairs, tierRows } from '../../../views/pricing/tier-fields.tsx'
import type { Tier } from '../../billing/price-table.ts'
import {
  type Ratios,
  ratioPairs,
  ratiosFromUsd,
  tierRatiosFromUsd,
  tierUsdFromRatios,
  type UsdPrices,
  usdFromRatios,
} from '../../billing/usd-ratios.ts'
import { plain } from '../../pure/decimal.ts'
import { amount, type Form, refuse } from './amount.ts'

type Values = Record<string, string>

/** @param model ratios of the model, which apply where a tier has none */
export function tierFields(tiers: readonly Tier[], model: Ratios, unit: number): Values {
  const rows = tiers.map(({ from, ...ratios }, row): Values => {
    const rest = Object.fromEntries(Object.entries(ratios).filter(([name]) => !isShown(name)))
    const usd = tierUsdFromRatios(ratios, model, unit)
    const texts: Values = { from: String(from), rest: Object.keys(rest).length ? JSON.stringify(rest) : '' }
    for (const pair of tierPairs) {
      texts[pair.ratio] = textOf(ratios[pair.ratio])
      texts[pair.usd] = textOf(usd[pair.usd])
    }
    return numbered(row, texts)
  })
  return Object.assign({}, ...rows)
}

const isShown = (name: string) => tierPairs.some(({ ratio }) => ratio === name)
const textOf = (value: number | undefined) => (value === undefined ? '' : plain(value))
const numbered = (row: number, texts: Values): Values =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`tier_${row}_${name}`, text]))

/** The form with another empty row. */
export const withTier = (form: Form): Form => ({ ...form, [`tier_${(tierRows(form).at(-1) ?? -1) + 1}_from`]: '' })

export const isTierField = (name: string): boolean => /^tier_\d{1,3}_/.test(name)

/** Tiers in ascending order; rows that are empty count for nothing. @param usd prices of the model, for a form in USD */
export function tiersIn(form: Form, usd: UsdPrices | undefined, unit: number): Tier[] {
  const tiers = tierRows(form).flatMap(row => {
    const names = tierPairs.map(pair => (usd ? pair.usd : pair.ratio))
    const fields = ['from', ...names].map(name => form[`tier_${row}_${name}`] ?? '')
    if (fields.every(text => !text.trim())) return []
    const from = amount(form, `tier_${row}_from`, true)!
    if (!Number.isSafeInteger(from) || from < 1) refuse(`tier_${row}_from`, 'pricing.tier_from_whole')
    const numbers = Object.fromEntries(
      names.flatMap(name => {
        const value = amount(form, `tier_${row}_${name}`)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    const ratios: Ratios = usd ? tierRatiosFromUsd(numbers, usd, unit) : numbers
    return [{ from, ...ratios, ...restIn(form, row) }]
  })
  return tiers.sort((one, other) => one.from - other.from)
}

/** Ratios that the row has no field for, as the form has carried them. */
function restIn(form: Form, row: number): object {
  try {
    return JSON.parse(form[`tier_${row}_rest`] || '{}')
  } catch {
    return {}
  }
}

/** The form with both spellings of what was typed in its own one: no script may have followed it. */
export function inBothSpellings(form: Form, unit: number): Form {
  const inUsd = form.mode === 'usd'
  const known = numbersIn(form, '', inUsd)
  const followed: Values = textsOf('', inUsd, inUsd ? ratiosFromUsd(known, unit) : usdFromRatios(known, unit))
  for (const row of tierRows(form)) {
    const prefix = `tier_${row}_`
    const own = numbersIn(form, prefix, inUsd)
    const others = inUsd ? tierRatiosFromUsd(own, known, unit) : tierUsdFromRatios(own, known, unit)
    Object.assign(followed, textsOf(prefix, inUsd, others))
  }
  return { ...form, ...followed }
}

function numbersIn(form: Form, prefix: string, inUsd: boolean): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const pair of ratioPairs) {
    const name = inUsd ? pair.usd : pair.ratio
    const text = (form[prefix + name] ?? '').trim()
    if (text !== '' && Number.isFinite(Number(text))) numbers[name] = Number(text)
  }
  return numbers
}

/** Fields of the other spelling; a tier has some of them. */
const textsOf = (prefix: string, inUsd: boolean, others: Partial<Record<string, number>>): Values =>
  Object.fromEntries(
    (prefix ? tierPairs : ratioPairs).map(pair => {
      const name = inUsd ? pair.ratio : pair.usd
      return [prefix + name, textOf(others[name])]
    }),
  )
