/** Rows of the price list as the price page shows them. */
import type { ModelPrices, PriceKind } from '../../../views/pricing/view.ts'
import { priceLines } from '../../billing/price-lines.ts'
import type { ModelRatios } from '../../billing/rate.ts'
import { priceInGroup } from '../../billing/task-price.ts'
import { type PricedModel, QuotaType } from '../../contracts/pricing.ts'
import { capabilitiesOf } from '../../models/capabilities.ts'
import { inputMaxOf } from '../../models/input-max.ts'

interface PriceQuery {
  group_ratio: number
  quota_per_unit: number
}

export function modelPrices(model: PricedModel, { group_ratio, quota_per_unit }: PriceQuery): ModelPrices {
  const { model_name: name, owner_by: vendor, model_ratio, enable_groups: groups, task_price } = model
  const kind = kindOf(model)
  const ratios = ratiosOf(model, quota_per_unit)
  return {
    name,
    vendor,
    kind,
    model_ratio,
    groups,
    capabilities: capabilitiesOf(name),
    context: inputMaxOf(name),
    task: task_price && priceInGroup(task_price, group_ratio),
    lines: kind === 'none' ? [] : priceLines(ratios, group_ratio),
    tiers: (model.tiers ?? []).map(tier => ({
      from: tier.from,
      lines: priceLines({ ...ratios, ...tier }, group_ratio),
    })),
  }
}

function kindOf({ unpriced, quota_type, task_price }: PricedModel): PriceKind {
  if (unpriced) return 'none'
  if (task_price) return task_price.unit
  return quota_type === QuotaType.call ? 'call' : 'tokens'
}

const ratiosOf = (model: PricedModel, quota_per_unit: number): ModelRatios => ({
  ...model,
  mode: model.quota_type === QuotaType.call ? 'call' : 'tokens',
  multiplier: 1,
  quota_per_unit,
})
