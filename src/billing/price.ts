/** The price of one model for one group, computed from the operator's tables and frozen for a call. */
import { type Family, familyCompletionRatio } from '../models/completion-ratios.ts'
import { type Decimal, decimal, numberOf, product } from '../pure/decimal.ts'
import { entry, listed, namesOf, type Table, type TierTable } from './price-table.ts'
import { type ModelRatios, type Rates, ratesOf, toolCharges } from './rate.ts'
import { promptTokens, type Tariffs, type Usage } from './usage.ts'

/** The price options, under their own names. */
export interface PriceTables {
  /** USD per call; an entry here overrides every ratio. */
  ModelPrice: Table
  /** 1 is one quota unit per input token. */
  ModelRatio: Table
  CompletionRatio: Table
  CacheRatio: Table
  CacheCreationRatio: Table
  /** For cache writes of one hour. */
  CacheCreationHourRatio: Table
  AudioRatio: Table
  AudioCompletionRatio: Table
  ImageRatio: Table
  /** For reasoning tokens, relative to input. */
  ReasoningRatio: Table
  TierRatio: TierTable
  /** USD per 1000 calls, by `tool` or `tool:model`. */
  ToolPrice: Table
  /** Factors on the price, by `tariff` or `tariff:model`; absent in versions from before tariffs had prices. */
  TariffRatio?: Table
  QuotaPerUnit: number
  /** For models with neither a price nor a ratio. */
  fallback?: Fallback
  /** Completion ratios by pattern of the model's name, for models without an entry; the first that fits counts. */
  families: readonly Family[]
  /** Hash of the tables. */
  version: string
}

export type Fallback = { model_price: number } | { model_ratio: number; completion_ratio: number }

export interface PriceQuery {
  group_ratio: number
  /** The user's group sets `group_ratio`, in place of the group that the call uses. */
  by_user_group?: boolean
  /** Gives a model without a price `UNSET_MODEL_RATIO`, which is high enough to be noticed. */
  accept_unset: boolean
  /** Factor on the listed price, for the size, quality or length that was requested; 1 by default. */
  multiplier?: number
}

/** `model_price` is `NO_PRICE` for a price by ratios. */
export interface Price extends ModelRatios, Rates {
  readonly source: 'listed' | 'fallback' | 'unset'
  readonly price_version: string
  readonly group_ratio: number
  readonly by_user_group: boolean
  readonly group: Decimal
  /** Prices of longer prompts, in descending order of `from`; empty for most models. */
  readonly tiers: readonly PriceTier[]
  /** Tariffs of the request, until the upstream reports others. */
  readonly tariffs: Tariffs
  /** The factor of a tariff, such as `priority`. @returns undefined for a tariff without a price */
  tariff(name: string): number | undefined
  /** The same price under other tariffs than `tariffs`. Those without a price change nothing. */
  under(tariffs: Tariffs): Price
}

export interface PriceTier extends ModelRatios, Rates {
  /** Tokens of the whole prompt. */
  readonly from: number
}

export const NO_PRICE = -1
export const UNSET_MODEL_RATIO = 37.5
export const CACHE_CREATION_DEFAULT = 1.25

/** @returns undefined when the model has no price and `accept_unset` is false */
export function priceOf(model: string, tables: PriceTables, query: PriceQuery): Price | undefined {
  const base = baseOf(model, tables, query.accept_unset)
  if (!base) return undefined
  const known = new Map<string, Price>()
  const tariff = (name: string) => tariffRatio(tables.TariffRatio, name, model)
  const under = (tariffs: Tariffs): Price => {
    const priced = Object.entries(tariffs).filter(([, name]) => tariff(name) !== undefined)
    const key = priced.map(([, name]) => name).join()
    let price = known.get(key)
    if (!price) {
      const factors = [query.multiplier ?? 1, ...priced.map(([, name]) => tariff(name)!)]
      const multiplier = numberOf(product(...factors.map(decimal)))
      const frozen = freeze(model, base, tables, { ...query, multiplier })
      price = { ...frozen, tariffs: Object.fromEntries(priced), tariff, under }
      known.set(key, price)
    }
    return price
  }
  return under({})
}

/** @returns the entry `tariff:model`, else `tariff` */
const tariffRatio = (ratios: Table = {}, name: string, model: string): number | undefined =>
  entry(ratios, `${name}:${model}`) ?? (Object.hasOwn(ratios, name) ? ratios[name] : undefined)

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

type Frozen = Omit<Price, 'tariffs' | 'tariff' | 'under'>

function freeze(model: string, base: Base, tables: PriceTables, query: PriceQuery): Frozen {
  const { source, ...prices } = base
  const { group_ratio, by_user_group = false, multiplier = 1 } = query
  const ratios: ModelRatios = {
    ...prices,
    completion_ratio:
      base.completion_ratio ?? listed(tables.CompletionRatio, model) ?? familyCompletionRatio(model, tables.families),
    cache_ratio: listed(tables.CacheRatio, model) ?? 1,
    cache_creation_ratio: listed(tables.CacheCreationRatio, model) ?? CACHE_CREATION_DEFAULT,
    cache_creation_hour_ratio: listed(tables.CacheCreationHourRatio, model),
    audio_ratio: listed(tables.AudioRatio, model) ?? 1,
    audio_completion_ratio: listed(tables.AudioCompletionRatio, model) ?? 1,
    image_ratio: listed(tables.ImageRatio, model) ?? 1,
    reasoning_ratio: listed(tables.ReasoningRatio, model),
    multiplier,
    quota_per_unit: tables.QuotaPerUnit,
  }
  const tools = toolCharges(model, tables.ToolPrice, tables.QuotaPerUnit)
  const longer = (base.mode === 'tokens' && listed(tables.TierRatio, model)) || []
  const tiers = longer.map(tier => ({ ...ratios, ...tier, ...ratesOf({ ...ratios, ...tier }, tools) })).reverse()
  const frozen = { source, price_version: tables.version, group_ratio, by_user_group, group: decimal(group_ratio) }
  return { ...ratios, ...ratesOf(ratios, tools), ...frozen, tiers }
}

/**
 * Ratios and rates of a call: its tier by the whole prompt, cached tokens included, else the price itself, also for
 * prompts of several tiers.
 */
export const tierFor = (price: Price, usage: Usage): Price | PriceTier => tierUnder(underReported(price, usage), usage)

const tierUnder = (price: Price, usage: Usage): Price | PriceTier =>
  price.tiers.length ? tierAt(price, promptLength(usage)) : price

const underReported = (price: Price, { tariffs }: Usage): Price => (tariffs ? price.under(tariffs) : price)

function promptLength(usage: Usage): number {
  const [only, another] = usage.by_tier?.keys() ?? [promptTokens(usage)]
  return another === undefined ? (only ?? 0) : 0
}

/** The usage of a call, in parts that each have one tier. */
export function partsFor(quoted: Price, usage: Usage): { tier: Price | PriceTier; usage: Usage }[] {
  const price = underReported(quoted, usage)
  return usage.by_tier
    ? Array.from(usage.by_tier, ([prompt, part]) => ({ tier: tierAt(price, prompt), usage: part }))
    : [{ tier: tierUnder(price, usage), usage }]
}

const tierAt = (price: Price, prompt: number): Price | PriceTier =>
  price.tiers.find(({ from }) => prompt >= from) ?? price

/** The price of a call whose whole prompt has this many tokens. */
export const priceAt = (price: Price, prompt: number): Price =>
  price.tiers.length ? { ...price, ...tierAt(price, prompt), tiers: [] } : price
