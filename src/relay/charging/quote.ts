/** Freezes the price of a call, by the model name that the client sent. */

import type { Price } from '../../billing/price.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'

/** @throws Refusal 400 for a model without a price, unless its user accepts that */
export function quote({ facts }: ReadCall, { user, group }: ApiCaller): Price {
  const { model, multiplier } = facts
  const query = { group, user_group: user.group, multiplier }
  const price =
    priceFor(model, query) ?? (acceptsUnset(user) ? priceFor(model, { ...query, accept_unset: true }) : undefined)
  if (!price) throw new Refusal('relay.model_unpriced', { model }, 400, 'model')
  return price
}

/** Whether the user's settings accept models without a price. */
export function acceptsUnset({ setting }: { setting: string }): boolean {
  try {
    return setting !== '' && JSON.parse(setting).accept_unset_model_ratio_model === true
  } catch {
    return false
  }
}
