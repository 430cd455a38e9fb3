/**
 * Checks what an event of a realtime client chooses: the session keeps its model, route and tariff, and none of what
 * sessions refer to by id is made here.
 */
import { Refusal } from '../../contracts/refusal.ts'
import { isObject } from '../../formats/json/checks.ts'
import { storedInEvent } from '../../formats/openai-realtime/index.ts'
import type { Json } from '../../pure/json.ts'
import { unpriced } from '../errors/unpriced.ts'
import { fieldsIn } from '../request/chosen-fields.ts'
import { isAllowed, isForeign } from '../request/field-rules.ts'
import { unknownFault } from '../upstream/holders.ts'
import type { RealtimeLink } from './connect.ts'

/** @throws Refusal 400 that names the field, Fault in the maker's words for an id that is unknown here */
export function checkSessionFields(event: Json, { call, channel, model }: RealtimeLink) {
  const { format } = call.endpoint
  const { stored, id_flaw } = storedInEvent(event)
  if (id_flaw) throw new Refusal(id_flaw.code, id_flaw.params, 400, id_flaw.param ?? undefined)
  if (stored && !channel.setting.allow_unknown_ids) throw unknownFault(stored[0]!, format.name)
  for (const part of ['session', 'response']) {
    const object = event[part]
    if (!isObject(object)) continue
    const field = fieldsIn(object, call.endpoint, `${part}.`).find(
      field => !isAllowed(field.name, { channel }) && !isForeign(field, { channel }, format.name),
    )
    if (field) throw unpriced(field.param, field.name)
    const { model: named } = object
    if (named !== undefined && named !== model && named !== call.facts.model && !isAllowed('model', { channel }))
      throw unpriced(`${part}.model`, 'model')
  }
}
