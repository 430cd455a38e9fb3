/** Addresses of the price page, and what it shows of a model. */

import type { PriceLine } from '../../src/billing/price-lines.ts'
import type { TaskPrice } from '../../src/billing/task-price.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import { PRICING_PATH } from '../../src/contracts/pricing.ts'

export const PRICE_KINDS = ['tokens', 'call', 'second', '1k_tokens', 'none'] as const
/** Charged by tokens or by call, tasks also by second or 1,000 tokens of what is made; `none`: without a price. */
export type PriceKind = (typeof PRICE_KINDS)[number]

export interface PricingView {
  keyword?: string
  kind?: PriceKind
  vendor?: string
  /** Absent: the visitor's own. */
  group?: string
  /** Also the models after the first ones. */
  all?: string
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
}

/** @param open name of the model whose ratios are shown */
export const pricingAt = (view: PricingView, open?: string): string =>
  addressOf(PRICING_PATH, { page: 1, ...view }, { open })

/** What the visitor narrowed the list by; a group is always chosen. */
export const filterCount = ({ kind, vendor }: PricingView): number => [kind, vendor].filter(Boolean).length

export const lineOf = ({ lines }: Pick<ModelPrices, 'lines'>, bucket: PriceLine['bucket']): PriceLine | undefined =>
  lines.find(line => line.bucket === bucket)
