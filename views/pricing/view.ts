/** Addresses of the price page, and what it shows of a model. */

import type { Sort } from '../../client/components/table.tsx'
import type { PriceLine } from '../../src/billing/price-lines.ts'
import type { TaskPrice } from '../../src/billing/task-price.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import { PRICING_PATH } from '../../src/contracts/pricing.ts'
import type { Capability } from '../../src/models/capabilities.ts'

export const PRICE_KINDS = ['tokens', 'call', 'second', '1k_tokens', 'none'] as const
/** Charged by tokens or by call, tasks also by second or 1,000 tokens of what is made; `none`: without a price. */
export type PriceKind = (typeof PRICE_KINDS)[number]

/** Columns that sort the price list; a minus in front puts the highest first. */
export const PRICE_COLUMNS = ['name', 'input', 'cache_read', 'output', 'context', 'success', 'first_token'] as const
export type PriceColumn = (typeof PRICE_COLUMNS)[number]
export type PriceSort = PriceColumn | `-${PriceColumn}`
export const PRICE_SORTS = PRICE_COLUMNS.flatMap((column): PriceSort[] => [column, `-${column}`])

/** Higher is better: sorted from the highest at first. */
const highestFirst: readonly PriceColumn[] = ['context', 'success']

/** The list by this column, and by the same column again the other way round. */
export function sortedBy(view: PricingView, column: PriceColumn): Sort {
  const { sort = 'name' } = view
  const [first, second]: [PriceSort, PriceSort] = highestFirst.includes(column)
    ? [`-${column}`, column]
    : [column, `-${column}`]
  const order = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
  return { order, href: pricingAt({ ...view, sort: sort === first ? second : first }) }
}

export interface PricingView {
  keyword?: string
  kind?: PriceKind
  vendor?: string
  /** Absent: the visitor's own. */
  group?: string
  /** Also the models after the first ones. */
  all?: string
  sort?: PriceSort
}

/** Models that are shown until the visitor wants all. */
const FIRST_MODELS = 50

/** All of them when the open one comes later. */
export function firstOf(models: ModelPrices[], { all }: PricingView, open?: string): ModelPrices[] {
  const first = models.slice(0, FIRST_MODELS)
  const isLater = open !== undefined && !first.some(({ name }) => name === open)
  return all || isLater ? models : first
}

/** A model with its prices in the chosen group. */
export interface ModelPrices {
  name: string
  vendor: string
  kind: PriceKind
  model_ratio: number
  lines: PriceLine[]
  /** Of a model whose calls are tasks. */
  task?: TaskPrice
  /** Prices of longer prompts, in ascending order of `from`. */
  tiers: { from: number; lines: PriceLine[] }[]
  /** Groups that can call it. */
  groups: string[]
  /** Those that are known. */
  capabilities: Capability[]
  /** The most tokens of input; undefined where that is not known. */
  context?: number
  /** Part of the attempts of the last 24 hours that succeeded; undefined after few. */
  success?: number
  /** Median time to first token of the last 24 hours, in milliseconds; undefined after few streamed calls. */
  first_token_ms?: number
}

/** @param open name of the model whose ratios are shown */
export const pricingAt = (view: PricingView, open?: string): string =>
  addressOf(PRICING_PATH, { page: 1, ...view }, { open })

/** What the visitor narrowed the list by; a group is always chosen. */
export const filterCount = ({ kind, vendor }: PricingView): number => [kind, vendor].filter(Boolean).length

export const lineOf = ({ lines }: Pick<ModelPrices, 'lines'>, bucket: PriceLine['bucket']): PriceLine | undefined =>
  lines.find(line => line.bucket === bucket)
