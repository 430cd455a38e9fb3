/** Checks what an event of a realtime client chooses: the session keeps its model, route and tariff. */
import { isObject } from '../../formats/json/checks.ts'
import type { Json } from '../../pure/json.ts'
import { unpriced } from '../errors/unpriced.ts'
import { fieldsIn } from '../request/chosen-fields.ts'
import { isAllowed } from '../request/field-rules.ts'
import type { RealtimeLink } from './connect.ts'

/** @throws Refusal 400 that names the field */
export function checkSessionFields(event: Json, { call, channel, model }: RealtimeLink) {
  for (const part of ['session', 'response']) {
    const object = event[part]
    if (!isObject(object)) continue
    const field = fieldsIn(object, 'realtime', `${part}.`).find(({ name }) => !isAllowed(name, { channel }))
    if (field) throw unpriced(field.param)
    const { model: named } = object
    if (named !== undefined && named !== model && named !== call.facts.model && !isAllowed('model', { channel }))
      throw unpriced(`${part}.model`)
  }
}
