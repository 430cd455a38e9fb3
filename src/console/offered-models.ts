/** The models of a group, with their prices there. */
import { type OfferedModel, type PricedModel, QuotaType } from '../contracts/pricing.ts'
import type { Token } from '../contracts/token.ts'
import { option } from '../domain/options/index.ts'
import { groupOffers, groupRatio, priceList } from '../domain/pricing/index.ts'
import { offeredModels } from '../domain/routing/index.ts'
import { kindOf } from '../models/kinds.ts'
import { commaList } from '../pure/lists.ts'

const TOKENS_PER_PRICE = 1_000_000

/** Models of one of the groups that `group`'s users may choose, by name; none for another one. */
export async function modelsOf(group: string, chosen: string): Promise<OfferedModel[]> {
  const ratio = groupOffers(group)[chosen]?.ratio
  if (ratio === undefined) return []
  const [names, { models }] = await Promise.all([offeredModels([chosen]), priceList(group)])
  const priced = new Map(models.map(model => [model.model_name, model]))
  return names.map(name => ({ name, ...priceIn(priced.get(name), ratio) }))
}

/** Those of them that answer a chat. */
export const chatsOf = async (group: string, chosen: string): Promise<OfferedModel[]> =>
  (await modelsOf(group, chosen)).filter(({ name }) => kindOf(name) === 'chat')

/** Chat models that a key may call, the cheapest first, those without a price last. */
export async function chatModelsOf(token: Token, ownGroup: string): Promise<OfferedModel[]> {
  const groups = [token.group || ownGroup, ...commaList(token.fallback_groups)]
  const found = await Promise.all(groups.map(group => modelsOf(ownGroup, group)))
  const offered = [
    ...new Map(
      found
        .flat()
        .reverse()
        .map(model => [model.name, model]),
    ).values(),
  ]
  const allowed = token.model_limits_enabled ? commaList(token.model_limits) : undefined
  return offered
    .filter(({ name }) => kindOf(name) === 'chat' && (allowed?.includes(name) ?? true))
    .sort((a, b) => expense(a) - expense(b))
}

/** Calls at a price each come after those by tokens. */
const expense = ({ input = Infinity, output = 0, per_call }: OfferedModel) =>
  per_call === undefined ? input + output : Number.MAX_SAFE_INTEGER

/** The prices of a group by model. */
export async function pricesFor(group: string): Promise<(name: string) => Omit<OfferedModel, 'name'>> {
  const { models } = await priceList(group)
  const priced = new Map(models.map(model => [model.model_name, model]))
  return name => priceIn(priced.get(name), groupRatio(group))
}

function priceIn(model: PricedModel | undefined, ratio: number) {
  if (!model || model.unpriced) return {}
  if (model.task_price && model.task_price.unit !== 'call') return {}
  if (model.quota_type === QuotaType.call) return { per_call: model.model_price * ratio }
  const input = (model.model_ratio * ratio * TOKENS_PER_PRICE) / option('QuotaPerUnit')
  return { input, output: input * model.completion_ratio }
}
