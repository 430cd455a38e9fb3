/** Freezes what a task costs, and bills one that an upstream has accepted. */
import { type PriceBasis, type TaskChoice, type TaskUnit, taskBill } from '../../billing/task-price.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { taskPriceFor } from '../../domain/pricing/index.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'

/** What a request asks for, in the unit that is priced. */
export type ChooseUnits = (unit: TaskUnit) => TaskChoice

interface TaskQuote {
  /** The name under which it is priced; the model unless given. */
  price_name?: string
  is_free?: boolean
  choose?: ChooseUnits
}

const oneCall: ChooseUnits = () => ({ units: 1 })
const nothing: ChooseUnits = () => ({ units: 0 })

/** @throws Refusal 400 for a model without a price, where the operator demands one */
export function quoteTask(
  { facts: { model } }: ReadCall,
  { user, group }: ApiCaller,
  { price_name = model, is_free = false, choose = oneCall }: TaskQuote = {},
): PriceBasis {
  const price = taskPriceFor(price_name, { group, user_group: user.group })
  if (!price) throw new Refusal('relay.model_unpriced', { model }, 400, 'model')
  return { ...price, choice: (is_free ? nothing : choose)(price.price.unit) }
}

/** @param is_free the maker charges nothing for it, in spite of its price */
export function billAccepted(basis: PriceBasis, is_free = false) {
  const choice = is_free ? nothing('call') : basis.choice
  return { choice, ...taskBill({ ...basis, choice }) }
}
