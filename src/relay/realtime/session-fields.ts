/** Checks what an event of a realtime client chooses: the session keeps its model, route and tariff. */
import { isObject } from '../../formats/json/checks.ts'
import type { Json } from '../../pure/json.ts'
import { unpriced } from '../errors/unpriced.ts'
import { fieldsIn } from '../request/chosen-fields.ts'
import { isAllowed, isForeign } from '../request/field-rules.ts'
import type { RealtimeLink } from './connect.ts'

/** @throws Refusal 400 that names the field */
export function checkSessionFields(event: Json, { call, channel, model }: RealtimeLink) {
  const { format } = call.endpoint
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
