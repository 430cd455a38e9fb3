/** The price of one model for one group, computed from the operator's tables and frozen for a call. */
import { familyCompletionRatio } from '../models/families.ts'
import { type Decimal, decimal } from '../pure/decimal.ts'
import { entry, listed, namesOf, type Table } from './price-table.ts'
import { type Figures, type Rates, ratesOf, toolCharges } from './rate.ts'

/** The price options, under their own names. */
export interface PriceTables {
  /** USD per call; an entry here overrides every ratio. */
  ModelPrice: Table
  /** 1 is one quota unit per input token. */
  ModelRatio: Table
  CompletionRatio: Table
  CacheRatio: Table
  CacheCreationRatio: Table
  AudioRatio: Table
  AudioCompletionRatio: Table
  ImageRatio: Table
  /** USD per 1000 calls, by `tool` or `tool:model`. */
  ToolPrice: Table
  QuotaPerUnit: number
  /** For models with neither a price nor a ratio. */
  fallback?: Fallback
  /** Hash of the tables. */
  version: string
}

export type Fallback = { model_price: number } | { model_ratio: number; completion_ratio: number }

export interface PriceQuery {
  group_ratio: number
  /** Gives a model without a price `UNSET_MODEL_RATIO`, which is high enough to be noticed. */
  accept_unset: boolean
  /** Factor on the listed price, for the size, quality or length that was requested; 1 by default. */
  multiplier?: number
}

/** `model_price` is `NO_PRICE` for a price by ratios. */
export interface Price extends Figures, Rates {
  readonly source: 'listed' | 'fallback' | 'unset'
  readonly price_version: string
  readonly group_ratio: number
  readonly group: Decimal
}

export const NO_PRICE = -1
export const UNSET_MODEL_RATIO = 37.5
export const CACHE_CREATION_DEFAULT = 1.25

/** @returns undefined when the model has no price and `accept_unset` is false */
export function priceOf(model: string, tables: PriceTables, query: PriceQuery): Price | undefined {
  const base = baseOf(model, tables, query.accept_unset)
  return base && freeze(model, base, tables, query)
}

type Base = Pick<Price, 'mode' | 'source' | 'model_price' | 'model_ratio'> & { completion_ratio?: number }

/** The first that exists: price per call, ratio, fallback, `UNSET_MODEL_RATIO`. */
function baseOf(model: string, tables: PriceTables, acceptUnset: boolean): Base | undefined {
  for (const name of namesOf(model)) {
    const model_price = entry(tables.ModelPrice, name)
    if (model_price !== undefined) return { mode: 'call', source: 'listed', model_price, model_ratio: 0 }
    const model_ratio = entry(tables.ModelRatio, name)
    if (model_ratio !== undefined) return { mode: 'tokens', source: 'listed', model_price: NO_PRICE, model_ratio }
  }
  const { fallback } = tables
  if (fallback && 'model_price' in fallback) return { mode: 'call', source: 'fallback', model_ratio: 0, ...fallback }
  if (fallback) return { mode: 'tokens', source: 'fallback', model_price: NO_PRICE, ...fallback }
  if (!acceptUnset) return undefined
  return { mode: 'tokens', source: 'unset', model_price: NO_PRICE, model_ratio: UNSET_MODEL_RATIO }
}

function freeze(model: string, base: Base, tables: PriceTables, { group_ratio, multiplier = 1 }: PriceQuery): Price {
  const { source, ...prices } = base
  const figures: Figures = {
    ...prices,
    completion_ratio: base.completion_ratio ?? listed(tables.CompletionRatio, model) ?? familyCompletionRatio(model),
    cache_ratio: listed(tables.CacheRatio, model) ?? 1,
    cache_creation_ratio: listed(tables.CacheCreationRatio, model) ?? CACHE_CREATION_DEFAULT,
    audio_ratio: listed(tables.AudioRatio, model) ?? 1,
    audio_completion_ratio: listed(tables.AudioCompletionRatio, model) ?? 1,
    image_ratio: listed(tables.ImageRatio, model) ?? 1,
    multiplier,
    quota_per_unit: tables.QuotaPerUnit,
  }
  const rates = ratesOf(figures, toolCharges(model, tables.ToolPrice, tables.QuotaPerUnit))
  return { ...figures, ...rates, source, price_version: tables.version, group_ratio, group: decimal(group_ratio) }
}
