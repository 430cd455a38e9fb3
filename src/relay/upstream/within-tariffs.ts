/** Keeps the candidates that serve a call at the models, route and tariff that prices cover. */
import type { Price } from '../../billing/price.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type Candidate, type RoutedChannel, upstreamModel } from '../../domain/routing/index.ts'
import { chargedBetas } from '../../providers/index.ts'
import { nextStage, type PlannedCall, type RoutedCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { bareName, listedPrice } from '../charging/listed-price.ts'
import { requestedTariffs } from '../charging/tariffs.ts'
import { unpriced } from '../errors/unpriced.ts'
import { mayUse } from '../request/access-rules.ts'
import type { ChosenField } from '../request/chosen-field.ts'
import { chosenFields } from '../request/chosen-fields.ts'
import { isAllowed, ruleFor } from '../request/field-rules.ts'
import { offeredTools } from '../request/offered-tools.ts'
import { runsTools } from '../request/server-tools.ts'

interface Tariffs {
  call: RoutedCall
  caller: ApiCaller
  price: Price
}

/**
 * @returns the call with what it chooses, and those candidates
 * @throws Refusal 400 that names the field and the setting that allows it, when no candidate covers it; 403 for a model
 * that the key may not use
 */
export function withinTariffs(candidates: Candidate[], tariffs: Tariffs): [PlannedCall, Candidate[]] {
  const { call, caller } = tariffs
  const tools = offeredTools(call.body, call.endpoint.format.name)
  const runs_tools = runsTools(call, tools)
  const chosen_fields = chosenFields(call, tools)
  if (!chosen_fields.length) return [nextStage<RoutedCall, PlannedCall>(call, { runs_tools }), candidates]
  const covers = (candidate: Candidate) => (field: ChosenField) => isCovered(field, candidate, tariffs)
  const able = candidates.filter(candidate => chosen_fields.every(covers(candidate)))
  if (!able.length) throw refusal(chosen_fields.find(field => !covers(candidates[0]!)(field))!, caller)
  const other_models = otherModels(chosen_fields, able, tariffs)
  return [nextStage<RoutedCall, PlannedCall>(call, { runs_tools, chosen_fields, other_models }), able]
}

function isCovered(field: ChosenField, candidate: Candidate, tariffs: Tariffs): boolean {
  const { call, caller, price } = tariffs
  const rule = ruleFor(field, candidate, call)
  if (!rule) return true
  if (forbidden(field, caller)) return false
  if (isAllowed(field.name, candidate)) return true
  if (field.kind === 'beta') return isTiered(field.name, candidate, tariffs)
  if (rule.tariff) return typeof field.value === 'string' && price.tariff(field.value) !== undefined
  if (rule.models)
    return field.models?.every(model => serves(candidate.channel, model) && listedAs(model, tariffs)) ?? false
  const rate = rule.tool && price.tools.get(rule.tool)
  return rate ? !rate.unlisted : false
}

/** A model without tiers costs the same at any length, unless it is of a family that does not. */
function isTiered(beta: string, { channel }: Candidate, { call, price }: Tariffs): boolean {
  const { model } = call.facts
  const dearer = chargedBetas[beta]!
  return price.tiers.length > 0 || ![model, upstreamModel(channel, model)].some(name => dearer.test(name))
}

/** A list goes to the upstream as it is: its models are the channel's own, or named as the upstream names them. */
const serves = ({ models, model_mapping }: RoutedChannel, model: string): boolean =>
  [model, bareName(model)].some(name => models.includes(name)) ||
  models.some(name => Object.hasOwn(model_mapping, name) && model_mapping[name] === model)

/** The name under which the price table lists a model, with its price. */
function listedAs(model: string, { caller, call }: Tariffs): [name: string, price: Price] | undefined {
  for (const name of [model, bareName(model)]) {
    const price = listedPrice(name, caller, call.facts.multiplier)
    if (price) return [name, price]
  }
}

/** The first model of a field that the key may not use. */
const forbidden = ({ models = [] }: ChosenField, caller: ApiCaller): string | undefined =>
  models.find(model => !mayUse(caller, model) && !mayUse(caller, bareName(model)))

function refusal(field: ChosenField, caller: ApiCaller): Refusal {
  const model = forbidden(field, caller)
  return model === undefined
    ? unpriced(field.param, field.name)
    : new Refusal('relay.model_forbidden', { model }, 403, field.param)
}

/** Prices of the models that may answer in place of the requested one. @returns undefined when there are none */
function otherModels(chosen: ChosenField[], able: Candidate[], tariffs: Tariffs): Record<string, Price> | undefined {
  const { call, price } = tariffs
  const lists = chosen.filter(
    field =>
      field.models && able.some(candidate => ruleFor(field, candidate, call) && !isAllowed(field.name, candidate)),
  )
  const named = lists.flatMap(({ models = [] }) => models.map(model => listedAs(model, tariffs)!))
  const requested = requestedTariffs(chosen, price)
  return named.length ? Object.fromEntries(named.map(([name, own]) => [name, own.under(requested)])) : undefined
}
