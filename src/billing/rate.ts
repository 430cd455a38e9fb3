/** Unit rates: the ratios of a price multiplied once, so that a bill only multiplies by counts. */
import { type Decimal, decimal, digitsAt, numberOf, product, textOf, type Whole } from '../pure/decimal.ts'
import { entry, type Table } from './price-table.ts'
import type { Bucket } from './usage.ts'

export interface Rate {
  /** Quota per unit × 10^`scale` of the price. */
  readonly digits: Whole
  /** Quota per unit as decimal text. */
  readonly ratio: string
  /** USD per `per` units, before the group ratio; for display. */
  readonly unit_price: number
  readonly per: number
  /** The table has prices of the tool for other models only. */
  readonly unlisted?: true
}

export interface Rates {
  /** Decimal places that all rates share. */
  readonly scale: number
  /** `reasoning` only where reasoning tokens have a price of their own. */
  readonly rates: Readonly<Partial<Record<Bucket | 'reasoning' | 'call', Rate>>>
  readonly tools: ReadonlyMap<string, Rate>
}

/** Factor on `cache_creation_ratio` for cache writes of one hour, which have no ratio of their own. */
const CACHE_HOUR = 1.6
const MILLION = 1_000_000
const THOUSAND = 1_000
/** Significant digits of a displayed price; further ones are division noise. */
const PRINTED_DIGITS = 12

/** The price of one model by its ratios, before they are multiplied. */
export interface ModelRatios {
  readonly mode: 'tokens' | 'call'
  /** USD per call, in mode `call` only. */
  readonly model_price: number
  readonly model_ratio: number
  readonly completion_ratio: number
  readonly cache_ratio: number
  /** For cache writes of five minutes. */
  readonly cache_creation_ratio: number
  /** For cache writes of one hour; absent: 1.6 × `cache_creation_ratio`. */
  readonly cache_creation_hour_ratio?: number
  readonly audio_ratio: number
  readonly audio_completion_ratio: number
  readonly image_ratio: number
  /** Relative to input; absent: reasoning tokens cost as much as the output that they are a part of. */
  readonly reasoning_ratio?: number
  readonly multiplier: number
  readonly quota_per_unit: number
}

/** The ratio of cache writes of one hour. */
export const hourRatio = ({ cache_creation_ratio, cache_creation_hour_ratio }: ModelRatios): number =>
  cache_creation_hour_ratio ?? numberOf(exact(cache_creation_ratio, CACHE_HOUR))

export function ratesOf(ratios: ModelRatios, tools: UnitCharge[]): Rates {
  const charges = ratios.mode === 'call' ? [perCall(ratios)] : perToken(ratios)
  const scale = Math.max(...[...charges, ...tools].map(charge => charge.quota.scale))
  const withRates = (list: UnitCharge[]) =>
    list.map(({ name, quota, per, unlisted }) => {
      const usd = (numberOf(quota) * per) / ratios.quota_per_unit
      const unit_price = Number(usd.toPrecision(PRINTED_DIGITS))
      return [
        name,
        { digits: digitsAt(quota, scale), ratio: textOf(quota), unit_price, per, ...(unlisted && { unlisted }) },
      ] as const
    })
  return { scale, rates: Object.fromEntries(withRates(charges)), tools: new Map(withRates(tools)) }
}

/** Quota per unit, and the number of units that a displayed price is for. */
interface UnitCharge {
  name: string
  quota: Decimal
  per: number
  unlisted?: true
}

const exact = (...factors: number[]): Decimal => product(...factors.map(decimal))

const perCall = ({ model_price, quota_per_unit, multiplier }: ModelRatios): UnitCharge => ({
  name: 'call',
  quota: exact(model_price, quota_per_unit, multiplier),
  per: 1,
})

const perToken = ({ model_ratio, multiplier, ...ratios }: ModelRatios): UnitCharge[] =>
  Object.entries(factorsOf(ratios)).map(([name, factors]) => ({
    name,
    quota: exact(model_ratio, multiplier, ...factors),
    per: MILLION,
  }))

type BucketRatios = Omit<ModelRatios, 'model_ratio' | 'multiplier'>

/** Ratios of each bucket, whose product is relative to input; `reasoning` only where it has a price of its own. */
export function factorsOf(ratios: BucketRatios): Record<Bucket, number[]> & { reasoning?: number[] } {
  const { cache_creation_ratio, audio_ratio, completion_ratio, reasoning_ratio } = ratios
  const hour = ratios.cache_creation_hour_ratio
  return {
    input: [],
    cache_read: [ratios.cache_ratio],
    cache_write_5m: [cache_creation_ratio],
    cache_write_1h: hour === undefined ? [cache_creation_ratio, CACHE_HOUR] : [hour],
    input_audio: [audio_ratio],
    input_image: [ratios.image_ratio],
    output: [completion_ratio],
    output_audio: [audio_ratio, ratios.audio_completion_ratio],
    output_image: [completion_ratio],
    ...(reasoning_ratio !== undefined && { reasoning: [reasoning_ratio] }),
  }
}

/** Charges of the provider's own tools: the entry `tool:model`, else `tool`. */
export function toolCharges(model: string, prices: Table, quota_per_unit: number): UnitCharge[] {
  const tools = new Set(Object.keys(prices).map(name => name.split(':', 1)[0]!))
  return [...tools].map(name => {
    const usd = entry(prices, `${name}:${model}`) ?? prices[name]
    const quota = exact(usd ?? 0, quota_per_unit, 1 / THOUSAND)
    return { name, quota, per: THOUSAND, ...(usd === undefined && { unlisted: true }) }
  })
}
