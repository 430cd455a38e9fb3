/** JSON schemas of contracts, with named ones as components of the API document. */
import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

const COMPONENTS = '#/components/schemas/'

/** @param components takes the schemas that have an id */
export function schemaOf(type: z.ZodType, io: 'input' | 'output', components: Record<string, JsonSchema>): JsonSchema {
  const { $schema, $defs, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any', override: withoutSafeRange })
  const text = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', COMPONENTS))
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = withoutId(text(definition))
  const { id } = schema
  if (typeof id !== 'string') return text(schema)
  components[id] = withoutId(text(schema))
  return { $ref: COMPONENTS + id }
}

const withoutId = ({ id, ...schema }: JsonSchema): JsonSchema => schema

/** Every whole number is between the safe ones: stated once, in the text of the document. */
function withoutSafeRange({ jsonSchema }: { jsonSchema: JsonSchema }) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

interface BodyRules {
  defaults?: object
  required?: readonly string[]
}

/** The schema of a body. @param rules what a contract decides outside of its schema */
export function bodySchemaOf(
  type: z.ZodType,
  { defaults = {}, required = [] }: BodyRules,
  components: Record<string, JsonSchema>,
) {
  const schema = schemaOf(type, 'input', components)
  const properties = { ...(schema.properties as Record<string, JsonSchema>) }
  for (const [name, value] of Object.entries(defaults)) properties[name] = { ...properties[name], default: value }
  const names = [...new Set([...((schema.required as string[] | undefined) ?? []), ...required])]
  const stillRequired = names.filter(name => !Object.hasOwn(defaults, name))
  const { required: _, ...rest } = schema
  return { ...rest, properties, ...(stillRequired.length && { required: stillRequired }) }
}
