/** Lists the models that a key may use, in the client's format. */

import { Refusal } from '../../contracts/refusal.ts'
import { hasTaskPrice, priceFor, taskPriceFor } from '../../domain/pricing/index.ts'
import { enabledModels, servingChannels, upstreamModel } from '../../domain/routing/index.ts'
import { groupsOf } from '../../domain/tokens/index.ts'
import { isTaskKind, kindOf } from '../../models/kinds.ts'
import type { ApiCaller } from '../caller.ts'
import { acceptsUnset } from '../charging/quote.ts'
import { mayUse, mayUseGroup } from '../request/access-rules.ts'
import type { ModelListFormat, ServedModel } from './model-formats.ts'

/** @throws Refusal 400 for a page that does not exist */
export async function listModels(caller: ApiCaller, format: ModelListFormat, { url }: { url: string }) {
  return format.list(format.page(await modelsFor(caller), new URL(url).searchParams))
}

/** @throws Refusal 404 */
export async function findModel(caller: ApiCaller, id: string, format: ModelListFormat) {
  const found = (await modelsFor(caller)).find(model => model.id === id)
  if (!found) throw new Refusal('relay.model_not_found', { model: id }, 404, 'model')
  return format.one(found)
}

/** Models of each group of the key, as the first that has them serves them. */
async function modelsFor(caller: ApiCaller): Promise<ServedModel[]> {
  if (!caller.token.fallback_groups) return modelsIn(caller)
  const groups = groupsOf(caller).filter(group => mayUseGroup(caller.user, group))
  const served = await Promise.all(groups.map(group => modelsIn({ ...caller, group })))
  const first = new Map(
    served
      .flat()
      .reverse()
      .map(model => [model.id, model]),
  )
  return [...first.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Models that the group is served, the token may use and a price exists for, by name. */
async function modelsIn(caller: ApiCaller): Promise<ServedModel[]> {
  const { group, user } = caller
  const accept_unset = acceptsUnset(user)
  const models = (await enabledModels([group])).filter(model => mayUse(caller, model))
  const priced = models.flatMap((id): Omit<ServedModel, 'upstream'>[] => {
    const price = priceFor(id, { group, user_group: user.group, accept_unset })
    if (price?.source === 'listed') return [{ id, price }]
    const isTask = isTaskKind(kindOf(id)) || hasTaskPrice(id)
    const task = isTask ? taskPriceFor(id, { group, user_group: user.group }) : undefined
    if (task) return [{ id, task }]
    return price && !isTask ? [{ id, price }] : []
  })
  return Promise.all(priced.map(async model => ({ ...model, upstream: await upstreamOf(group, model.id) })))
}

/** The name by which the channel that is tried first knows the model. */
async function upstreamOf(group: string, model: string): Promise<string> {
  const [channel] = await servingChannels(group, model)
  return channel ? upstreamModel(channel, model) : model
}
