/** The price of the model that answered, where that is another than was priced. */
import { quotaOf } from '../../billing/bill.ts'
import type { Price } from '../../billing/price.ts'
import type { Usage } from '../../billing/usage.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import type { Call, PricedCall } from '../call.ts'
import { isAllowed } from '../request/field-rules.ts'
import { bareName, isSameModel, listedPrice } from './listed-price.ts'

interface ModelResponse {
  channel: RoutedChannel
  /** The upstream's name for the requested model. */
  model: string
  facts: { model?: string }
}

interface AnsweredPrice {
  price: Price
  answered_by: string
}

/** @returns undefined when the model that answered is the priced one, has no price of its own, or is no dearer */
export function answeredPrice(billable: PricedCall, response: ModelResponse, usage: Usage): AnsweredPrice | undefined {
  const { call, caller, price } = billable
  const { model: upstream } = response
  const { model: requested, multiplier } = call.facts
  const answered = usage.answered_by ?? response.facts.model
  if (answered && [upstream, requested].some(name => isSameModel(answered, name))) return undefined
  const dearer = (own: Price | undefined, answered_by: string) =>
    own && quotaOf(usage, own) > quotaOf(usage, price) ? { price: own, answered_by } : undefined
  const listed = (name: string) => listedPrice(name, caller, multiplier)?.under(price.tariffs)
  if (call.other_models && !allowsList(call, response)) {
    const models = Object.entries(call.other_models)
    const [own] = models.filter(([name]) => answered && isSameModel(answered, name))
    if (own) return dearer(own[1], own[0])
    // The dearest counts where the response names none of them, unless its model has a price.
    if (!answered || !listed(answered)) return dearest(models, usage, price)
  }
  if (!answered) return undefined
  // An operator's own name for a model or a deployment says nothing to compare with.
  if (upstream !== requested && !listed(upstream) && !listed(bareName(upstream))) return undefined
  const name = [answered, bareName(answered)].find(listed)
  return name === undefined ? undefined : dearer(listed(name), name)
}

const allowsList = ({ chosen_fields = [] }: Call, response: ModelResponse) =>
  chosen_fields.some(({ name, models }) => models && isAllowed(name, response))

function dearest(models: [string, Price][], usage: Usage, price: Price): AnsweredPrice | undefined {
  let [most, found]: [number, AnsweredPrice | undefined] = [quotaOf(usage, price), undefined]
  for (const [answered_by, own] of models) {
    const quota = quotaOf(usage, own)
    if (quota > most) [most, found] = [quota, { price: own, answered_by }]
  }
  return found
}
