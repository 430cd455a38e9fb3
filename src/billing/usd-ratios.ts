/** The prices of a model in two spellings: ratios, and USD per 1M tokens. */
import type { TierRatio } from './price-table.ts'

type RatioName = TierRatio

/** Each ratio, the name of its price in USD, and the ratio that it is relative to. */
export const ratioPairs = [
  { ratio: 'model_ratio', usd: 'usd_input' },
  { ratio: 'completion_ratio', usd: 'usd_output', of: 'model_ratio' },
  { ratio: 'cache_ratio', usd: 'usd_cache_read', of: 'model_ratio' },
  { ratio: 'cache_creation_ratio', usd: 'usd_cache_write_5m', of: 'model_ratio' },
  { ratio: 'cache_creation_hour_ratio', usd: 'usd_cache_write_1h', of: 'model_ratio' },
  { ratio: 'audio_ratio', usd: 'usd_input_audio', of: 'model_ratio' },
  { ratio: 'audio_completion_ratio', usd: 'usd_output_audio', of: 'audio_ratio' },
  { ratio: 'image_ratio', usd: 'usd_input_image', of: 'model_ratio' },
  { ratio: 'reasoning_ratio', usd: 'usd_reasoning', of: 'model_ratio' },
] as const satisfies readonly { ratio: RatioName; usd: string; of?: RatioName }[]

export type UsdName = (typeof ratioPairs)[number]['usd']

export type Ratios = Partial<Record<RatioName, number>>
export type UsdPrices = Partial<Record<UsdName, number>>

/** Significant digits; further ones are noise of the arithmetic. */
const DIGITS = 12
const MILLION = 1_000_000

const clean = (value: number) => Number(value.toPrecision(DIGITS))

/** USD per 1M tokens at a ratio of 1. */
export const usdPerRatio = (quota_per_unit: number): number => MILLION / quota_per_unit

/** Absent ratios have no price. */
export function usdFromRatios(ratios: Ratios, unit: number): UsdPrices {
  const prices = new Map<RatioName, number>()
  const named: UsdPrices = {}
  for (const { ratio, usd, ...pair } of ratioPairs) {
    const value = ratios[ratio]
    const base = 'of' in pair ? baseOf(prices, pair.of) : unit
    if (value === undefined || base === undefined) continue
    prices.set(ratio, value * base)
    named[usd] = clean(value * base)
  }
  return named
}

/** The inverse of `usdFromRatios`; a ratio to a price of 0 is left out. */
export function ratiosFromUsd(prices: UsdPrices, unit: number): Ratios {
  const ratios: Ratios = {}
  const known = new Map<RatioName, number>()
  for (const { ratio, usd, ...pair } of ratioPairs) {
    const value = prices[usd]
    const base = 'of' in pair ? baseOf(known, pair.of) : unit
    if (value === undefined) continue
    known.set(ratio, value)
    if (base) ratios[ratio] = clean(value / base)
  }
  return ratios
}

/** Prices of a tier: those of the ratios that it has, relative to its own input or the model's. */
export const tierUsdFromRatios = (tier: Ratios, model: Ratios, unit: number): UsdPrices => {
  const prices = usdFromRatios({ ...model, ...tier }, unit)
  return Object.fromEntries(
    ratioPairs.flatMap(({ ratio, usd }) => (tier[ratio] === undefined ? [] : [[usd, prices[usd]]])),
  )
}

/** The inverse of `tierUsdFromRatios`. */
export const tierRatiosFromUsd = (tier: UsdPrices, model: UsdPrices, unit: number): Ratios => {
  const ratios = ratiosFromUsd({ ...model, ...tier }, unit)
  return Object.fromEntries(
    ratioPairs.flatMap(({ ratio, usd }) => (tier[usd] === undefined ? [] : [[ratio, ratios[ratio]]])),
  )
}

/** Audio without a price of its own costs as much as input. */
const baseOf = (prices: Map<RatioName, number>, of: RatioName) => prices.get(of) ?? prices.get('model_ratio')
