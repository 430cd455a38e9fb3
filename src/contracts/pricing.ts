/** Prices in the API: the public table and the groups. */

export const QuotaType = { tokens: 0, call: 1 } as const

/** One model of the public price table. */
export interface PricedModel {
  model_name: string
  quota_type: (typeof QuotaType)[keyof typeof QuotaType]
  model_ratio: number
  /** USD per call; 0 for a model that is priced by ratios. */
  model_price: number
  /** No table has a price for it: the ratios are those at which self-use mode bills such models. */
  unpriced: boolean
  owner_by: string
  completion_ratio: number
  cache_ratio: number
  enable_groups: string[]
}

/** A group that a user may choose. */
export interface GroupOffer {
  ratio: number
  desc: string
}

/** The group of visitors, and of users without another. */
export const DEFAULT_GROUP = 'default'
