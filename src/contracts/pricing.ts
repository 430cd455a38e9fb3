/** Prices in the API: the public table, the groups, changes of prices, another gateway's prices, the simulation. */
import { z } from 'zod'
import type { Tier } from '../billing/price-table.ts'
import type { TaskPrice } from '../billing/task-price.ts'

export const PRICING_PATH = '/pricing'

export const QuotaType = { tokens: 0, call: 1 } as const

/** One model of the public price table. Ratios of cache, audio, image and reasoning are relative to `model_ratio`. */
export interface PricedModel {
  model_name: string
  quota_type: (typeof QuotaType)[keyof typeof QuotaType]
  model_ratio: number
  /** USD per call; 0 for a model that is priced by ratios. */
  model_price: number
  /** No table has a price for it: the ratios are those at which self-use mode bills such models. */
  unpriced: boolean
  /** Vendor, read from the name; empty for a name that tells nothing. */
  owner_by: string
  completion_ratio: number
  cache_ratio: number
  /** For cache writes of five minutes. */
  cache_creation_ratio: number
  cache_creation_hour_ratio: number
  audio_ratio: number
  /** Relative to `audio_ratio`. */
  audio_completion_ratio: number
  image_ratio: number
  /** Absent where reasoning tokens cost as much as output. */
  reasoning_ratio?: number
  /** Prices of longer prompts, in ascending order of `from`; ratios that a tier lacks are those of the model. */
  tiers?: Tier[]
  /** Of a model whose calls are tasks; `model_price` is its price of one unit. */
  task_price?: TaskPrice
  enable_groups: string[]
}

/** A model that a group offers, with its price there. Prices are absent for an unpriced model. */
export interface OfferedModel {
  name: string
  /** USD per million tokens. */
  input?: number
  output?: number
  /** USD per call; absent for tasks with another unit. */
  per_call?: number
}

/** A group that a user may choose. */
export const GroupOffer = z.object({ ratio: z.number(), desc: z.string() })
export type GroupOffer = z.output<typeof GroupOffer>

/** The group of visitors, and of users without another. */
export const DEFAULT_GROUP = 'default'

/** Tables with one figure for each model. */
export const MODEL_TABLES = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CacheCreationRatio',
  'CacheCreationHourRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
  'ReasoningRatio',
] as const
export type ModelTable = (typeof MODEL_TABLES)[number]

/** Tables of prices by model or tool. */
export const PRICE_TABLES = [...MODEL_TABLES, 'TierRatio', 'TaskPrice', 'ToolPrice', 'TariffRatio'] as const

/** Options whose values decide a bill before the group ratio: one version of the prices. */
export const VERSION_KEYS = [
  ...PRICE_TABLES,
  'QuotaPerUnit',
  'fallback_pricing_enabled',
  'fallback_single_price',
  'fallback_input_ratio',
  'fallback_completion_ratio',
] as const

/** Options of groups; a log entry keeps the ratio that was used. */
export const GROUP_KEYS = ['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio'] as const

export const PRICE_KEYS = [...VERSION_KEYS, ...GROUP_KEYS] as const
export type PriceKey = (typeof PRICE_KEYS)[number]

export const isPriceKey = (key: string): key is PriceKey => (PRICE_KEYS as readonly string[]).includes(key)

/** A choice of the price options, each as its text. */
export type PriceTexts = Partial<Record<PriceKey, string>>

/** One save of prices. */
export interface PriceChange {
  id: number
  created_time: number
  /** Name of the acting user; null for the system. */
  actor: string | null
  /** Digests of the tables after and before; equal when only groups changed. */
  version: string
  previous_version: string
  /** The changed options. */
  keys: PriceKey[]
  /** Their texts. */
  before: PriceTexts
  after: PriceTexts
  /** No later change touched the same options. */
  can_undo: boolean
}

/** A model's own entries. In a change, null removes one, and an absent one stays. */
export type PriceEntries = { [Table in ModelTable]?: number | null } & {
  TierRatio?: Tier[] | null
  TaskPrice?: TaskPrice | null
}

/** Tables that another gateway's answer can differ in. */
export const FOREIGN_KEYS = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CacheCreationRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
] as const
export type ForeignKey = (typeof FOREIGN_KEYS)[number]

/** A figure of a model that another gateway has otherwise. */
export interface PriceDifference {
  model: string
  key: ForeignKey
  /** What a call is billed with now; null where the model has no price of this kind. */
  ours: number | null
  theirs: number
}

/** Cost of the same calls, in quota: as billed, and under draft prices. */
export interface SimulatedCost {
  calls: number
  before: number
  after: number
}

export interface Simulation {
  /** Unix seconds. */
  since: number
  total: SimulatedCost
  /** The greatest change first. */
  users: (SimulatedCost & { user_id: number; username: string })[]
  models: (SimulatedCost & { model: string })[]
  /** Calls whose log entry has no lines of a bill; they count nowhere else. */
  skipped: number
}
