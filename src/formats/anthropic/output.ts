/** Structured output: newer models hold to a schema, older ones are told it. */

import { traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { mapSchema } from '../json/schema.ts'

/** What is said to a model that cannot be held. */
export function schemaInstruction({ output, model }: ChatRequest): string | undefined {
  if (!output || output.kind === 'text' || (output.kind === 'schema' && traitsOf(model, 'anthropic').schema))
    return undefined
  return jsonInstruction(output)
}

/** What the provider refuses to hold a model to. */
const unsupported = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'patternProperties', '$schema'],
])

/** Every object must be closed. */
export const writeSchema = (schema: Json): Json =>
  mapSchema(schema, part => {
    const kept = Object.fromEntries(Object.entries(part).filter(([key]) => !unsupported.has(key)))
    return isObject(kept.properties) || kept.type === 'object' ? { ...kept, additionalProperties: false } : kept
  })
