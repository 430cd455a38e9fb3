/** The models that a key opens. */
import { enabledModels } from '../console/channels/service.ts'
import { priceFor } from '../console/pricing/service.ts'
import { Refusal } from '../kit/refusal.ts'
import { mayUse } from './admit.ts'
import type { Caller } from './call.ts'
import { acceptsUnset } from './quote.ts'

/** When models were created nobody knows; clients expect a moment. */
const CREATED = 1_626_777_600

const modelOf = (id: string) => ({
  id,
  object: 'model',
  created: CREATED,
  owned_by: 'tollgate',
  root: id,
  parent: null,
})

export const listModels = async (caller: Caller) => ({ object: 'list', data: (await openTo(caller)).map(modelOf) })

/** @throws Refusal 404 */
export async function findModel(caller: Caller, id: string) {
  if (!(await openTo(caller)).includes(id)) throw new Refusal('relay.model_unknown', { model: id }, 404, 'model')
  return modelOf(id)
}

/** What is served to the caller's group, is not kept from the token, and has a price. */
async function openTo(caller: Caller): Promise<string[]> {
  const { group, user } = caller
  const accept_unset = acceptsUnset(user)
  const models = await enabledModels([group])
  return models.filter(model => mayUse(caller, model) && priceFor(model, { group, accept_unset }) !== undefined)
}
