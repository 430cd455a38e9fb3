/**
 * Writes structured output: a JSON schema for models that support it, an instruction in the system prompt for others.
 * https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs (read 2026-11)
 */
import { traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { mapSchema } from '../json/schema.ts'

/** @returns undefined when the request needs no instruction */
export function schemaInstruction({ output, model }: ChatRequest): string | undefined {
  if (!output || output.kind === 'text' || (output.kind === 'schema' && traitsOf(model, 'anthropic').schema))
    return undefined
  return jsonInstruction(output)
}

/** JSON Schema keywords that structured outputs reject. */
const unsupported = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'patternProperties', '$schema'],
])

/** Removes unsupported keywords and sets `additionalProperties: false` on every object, as the API requires. */
export const writeSchema = (schema: Json): Json =>
  mapSchema(schema, part => {
    const supported = Object.fromEntries(Object.entries(part).filter(([key]) => !unsupported.has(key)))
    return isObject(supported.properties) || supported.type === 'object'
      ? { ...supported, additionalProperties: false }
      : supported
  })
