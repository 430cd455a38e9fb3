/** Keeps the candidates that serve a call at the model, route and tariff that its price covers. */
import type { Price } from '../../billing/price.ts'
import type { Call, Candidate } from '../call.ts'
import { unpriced } from '../errors/unpriced.ts'
import { type ChosenField, chosenFields } from '../request/chosen-fields.ts'
import { isAllowed, ruleFor } from '../request/field-rules.ts'

/** @throws Refusal 400 that names the field, when no candidate covers it */
export function withinTariffs(candidates: Candidate[], call: Call, price: Price): Candidate[] {
  const chosen = chosenFields(call)
  if (!chosen.length) return candidates
  call.chosen_fields = chosen
  const covers = (candidate: Candidate) => (field: ChosenField) => isCovered(field, candidate, call, price)
  const able = candidates.filter(candidate => chosen.every(covers(candidate)))
  if (able.length) return able
  const { param } = chosen.find(field => !covers(candidates[0]!)(field))!
  throw unpriced(param)
}

function isCovered(field: ChosenField, candidate: Candidate, call: Call, price: Price): boolean {
  if (isAllowed(field.name, candidate)) return true
  const rule = ruleFor(field, candidate, call)
  if (!rule) return true
  if (field.kind === 'beta') return field.name === 'context-1m' ? price.tiers.length > 0 : isTariff('fast', price)
  if (rule.tariff) return isTariff(field.value, price)
  const rate = rule.tool && price.tools.get(rule.tool)
  return rate ? !rate.unlisted : false
}

const isTariff = (name: unknown, price: Price) => typeof name === 'string' && price.tariff(name) !== undefined
