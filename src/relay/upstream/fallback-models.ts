/** Models of a request that may serve it where the requested one cannot: OpenRouter's field `models`, in every format. */
import { FALLBACK_MODELS_MAX } from '../../contracts/fallback-model.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import { isListed, servingChannels } from '../../domain/routing/index.ts'
import type { Operation } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { bareName } from '../charging/listed-price.ts'
import { acceptsUnset } from '../charging/quote.ts'
import { mayUse } from '../request/access-rules.ts'
import { isAllowed } from '../request/field-rules.ts'
import { modelList } from '../request/model-list.ts'

/** The field of a request. */
export const MODELS = 'models'
const falling = new Set<Operation>(['chat', 'responses', 'completions'])

/** Whether another model may serve the operation: vectors of one model, or a voice, are none of another. */
export const mayChangeModel = ({ endpoint }: ReadCall): boolean => falling.has(endpoint.operation)

/** Whether the request has a list of models that is not empty. */
export const hasFallbackModels = (read: ReadCall): boolean =>
  Array.isArray(read.body[MODELS]) && read.body[MODELS].length > 0 && mayChangeModel(read)

/**
 * The names by which channels list them, in order, without the requested model; none where the list is another gateway's:
 * no group of the key serves any of them, or the operator lets a channel have any list.
 * @throws Refusal 400 for a model without a price, one that is not served beside others that are, or too many; 403 for
 * one that the key may not use
 */
export async function fallbackModels(read: ReadCall, caller: ApiCaller, groups: readonly string[]): Promise<string[]> {
  const { models } = modelList(read.body[MODELS], '')
  if (!models || (await isLeftToChannel(read, groups))) return []
  const asked = models.slice(0, FALLBACK_MODELS_MAX)
  const served = await Promise.all(asked.map(model => servedAs(model, groups)))
  if (!served.some(name => name !== undefined && name !== read.facts.model)) return []
  if (models.length > FALLBACK_MODELS_MAX)
    throw new Refusal('relay.too_many_models', { limit: FALLBACK_MODELS_MAX }, 400, MODELS)
  const names = new Set(asked.map((model, at) => checked(model, served[at], caller)))
  names.delete(read.facts.model)
  return [...names]
}

/** Whether the operator lets a channel have any list. */
async function isLeftToChannel({ facts }: ReadCall, groups: readonly string[]): Promise<boolean> {
  const serving = await Promise.all(groups.map(group => servingChannels(group, facts.model)))
  return serving.flat().some(channel => isAllowed(MODELS, { channel }))
}

/** @returns undefined for a model that no channel of these groups lists */
async function servedAs(model: string, groups: readonly string[]): Promise<string | undefined> {
  for (const name of new Set([model, bareName(model)])) {
    const listing = await Promise.all(groups.map(group => isListed(group, name)))
    if (listing.includes(true)) return name
  }
}

/** @throws Refusal 400 or 403 */
function checked(model: string, served: string | undefined, caller: ApiCaller): string {
  const { user, group } = caller
  if (!mayUse(caller, model) && !mayUse(caller, bareName(model)))
    throw new Refusal('relay.model_forbidden', { model }, 403, MODELS)
  if (served === undefined) throw new Refusal('relay.model_not_found', { model }, 400, MODELS)
  if (!priceFor(served, { group, user_group: user.group, accept_unset: acceptsUnset(user) }))
    throw new Refusal('relay.model_unpriced', { model: served }, 400, MODELS)
  return served
}

/** The body for a channel that is not to choose among models itself. */
export function withoutList({ [MODELS]: _, ...body }: Json): Json {
  if (body.route === 'fallback') delete body.route
  return body
}
