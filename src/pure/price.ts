/** From the operator's tables to the price of one model for one group, frozen for a call. */
import { type Decimal, decimal, digitsAt, numberOf, product, textOf } from './decimal.ts'
import { familyCompletionRatio } from './families.ts'
import type { Bucket } from './usage.ts'

export type Table = Readonly<Record<string, number>>

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
  /** Names this state of the tables. */
  version: string
}

export type Fallback = { model_price: number } | { model_ratio: number; completion_ratio: number }

export interface Terms {
  group_ratio: number
  /** Whether a model that nobody priced may be used, at the high ratio that is meant to be noticed. */
  accept_unset: boolean
  /** Size, quality, seconds: what one thing of this call costs relative to the listed one. */
  multiplier?: number
}

/** The price of one thing that can be used. */
export interface Rate {
  /** Quota for one, in units of 10^−`scale` of the price. */
  readonly digits: bigint
  /** The same in plain decimals. */
  readonly ratio: string
  readonly unit_price: number
  readonly per: number
}

export interface Price {
  readonly mode: 'tokens' | 'call'
  readonly source: 'listed' | 'fallback' | 'unset'
  readonly price_version: string
  readonly group_ratio: number
  /** USD per call, or NO_PRICE where ratios count. */
  readonly model_price: number
  readonly model_ratio: number
  readonly completion_ratio: number
  readonly cache_ratio: number
  /** For entries kept five minutes; an hour costs CACHE_HOUR times that. */
  readonly cache_creation_ratio: number
  readonly audio_ratio: number
  readonly audio_completion_ratio: number
  readonly image_ratio: number
  readonly multiplier: number
  readonly quota_per_unit: number
  /** Decimal places that all rates share. */
  readonly scale: number
  readonly group: Decimal
  readonly rates: Readonly<Partial<Record<Bucket | 'call', Rate>>>
  readonly tools: ReadonlyMap<string, Rate>
}

export const NO_PRICE = -1
export const UNSET_MODEL_RATIO = 37.5
export const CACHE_CREATION_DEFAULT = 1.25
/** Entries kept for an hour cost 1.6 times those kept for five minutes. */
export const CACHE_HOUR = 1.6
const MILLION = 1_000_000
const THOUSAND = 1_000

/** Undefined when the model has no price and `accept_unset` does not allow that. */
export function priceOf(model: string, tables: PriceTables, terms: Terms): Price | undefined {
  const found = baseOf(model, tables, terms.accept_unset)
  return found && freeze(model, found, tables, terms)
}

type Base = Pick<Price, 'mode' | 'source' | 'model_price' | 'model_ratio'> & { completion_ratio?: number }

/** A price per call, else a ratio, else the fallback, else the ratio of the unpriced. */
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

function freeze(model: string, base: Base, tables: PriceTables, terms: Terms): Price {
  const listed = (table: Table) => ratioOf(model, table)
  const ratios = {
    completion_ratio: base.completion_ratio ?? listed(tables.CompletionRatio) ?? familyCompletionRatio(model),
    cache_ratio: listed(tables.CacheRatio) ?? 1,
    cache_creation_ratio: listed(tables.CacheCreationRatio) ?? CACHE_CREATION_DEFAULT,
    audio_ratio: listed(tables.AudioRatio) ?? 1,
    audio_completion_ratio: listed(tables.AudioCompletionRatio) ?? 1,
    image_ratio: listed(tables.ImageRatio) ?? 1,
  }
  const multiplier = terms.multiplier ?? 1
  const charges = chargesOf(base, ratios, multiplier, tables.QuotaPerUnit)
  const tools = toolCharges(model, tables)
  const scale = Math.max(...[...Object.values(charges), ...Object.values(tools)].map(charge => charge.quota.scale))
  const rated = (of: Record<string, UnitCharge>) =>
    Object.entries(of).map(([name, charge]) => [name, rateOf(charge, scale, tables.QuotaPerUnit)] as const)
  return {
    ...base,
    ...ratios,
    multiplier,
    group_ratio: terms.group_ratio,
    group: decimal(terms.group_ratio),
    quota_per_unit: tables.QuotaPerUnit,
    price_version: tables.version,
    scale,
    rates: Object.fromEntries(rated(charges)),
    tools: new Map(rated(tools)),
  }
}

/** Quota for one of something, and how many of it the price is usually quoted for. */
interface UnitCharge {
  quota: Decimal
  per: number
}

type Ratios = Pick<
  Price,
  'completion_ratio' | 'cache_ratio' | 'cache_creation_ratio' | 'audio_ratio' | 'audio_completion_ratio' | 'image_ratio'
>

function chargesOf(base: Base, ratios: Ratios, multiplier: number, quotaPerUnit: number): Record<string, UnitCharge> {
  if (base.mode === 'call') return { call: { quota: exact(base.model_price, quotaPerUnit, multiplier), per: 1 } }
  const factors: Record<Bucket, number[]> = {
    input: [],
    cache_read: [ratios.cache_ratio],
    cache_write_5m: [ratios.cache_creation_ratio],
    cache_write_1h: [ratios.cache_creation_ratio, CACHE_HOUR],
    input_audio: [ratios.audio_ratio],
    input_image: [ratios.image_ratio],
    output: [ratios.completion_ratio],
    output_audio: [ratios.audio_ratio, ratios.audio_completion_ratio],
    output_image: [ratios.completion_ratio],
  }
  const charge = (own: number[]) => ({ quota: exact(base.model_ratio, multiplier, ...own), per: MILLION })
  return Object.fromEntries(Object.entries(factors).map(([bucket, own]) => [bucket, charge(own)]))
}

/** A tool that no table prices is free. */
function toolCharges(model: string, { ToolPrice, QuotaPerUnit }: PriceTables): Record<string, UnitCharge> {
  const tools = new Set(Object.keys(ToolPrice).map(name => name.split(':', 1)[0]!))
  return Object.fromEntries(
    [...tools].map(tool => {
      const usd = entry(ToolPrice, `${tool}:${model}`) ?? ToolPrice[tool] ?? 0
      return [tool, { quota: exact(usd, QuotaPerUnit, 1 / THOUSAND), per: THOUSAND }]
    }),
  )
}

function rateOf({ quota, per }: UnitCharge, scale: number, quotaPerUnit: number): Rate {
  const unit_price = Number(((numberOf(quota) * per) / quotaPerUnit).toPrecision(12))
  return { digits: digitsAt(quota, scale), ratio: textOf(quota), unit_price, per }
}

const exact = (...factors: number[]): Decimal => product(...factors.map(decimal))

/** Marks of reasoning effort at the end of a name: such a name is priced as the model itself unless it has its own entry. */
const effort = /-(thinking(-\d+)?|nothinking|max|xhigh|high|medium|low|minimal)$/

/** The names under which a model may be listed, the exact one first. */
const namesOf = (model: string): string[] => (effort.test(model) ? [model, model.replace(effort, '')] : [model])

const ratioOf = (model: string, table: Table): number | undefined => {
  for (const name of namesOf(model)) {
    const ratio = entry(table, name)
    if (ratio !== undefined) return ratio
  }
}

/** The entry of this name, else the longest one ending in `*` that begins it. */
function entry(table: Table, name: string): number | undefined {
  if (Object.hasOwn(table, name)) return table[name]
  const starred = Object.keys(table).filter(key => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
  return starred.length ? table[starred.reduce((a, b) => (b.length > a.length ? b : a))] : undefined
}
