/** Prices on the wire: the public table and the groups. */

export const QuotaType = { tokens: 0, call: 1 } as const

/** One model of the public price table. */
export interface PricedModel {
  model_name: string
  quota_type: (typeof QuotaType)[keyof typeof QuotaType]
  model_ratio: number
  /** USD per call, 0 where ratios count. */
  model_price: number
  owner_by: string
  completion_ratio: number
  cache_ratio: number
  enable_groups: string[]
}

/** A group that someone may choose. */
export interface GroupOffer {
  ratio: number
  desc: string
}

/** The group of everyone who has no other, visitors included. */
export const DEFAULT_GROUP = 'default'
