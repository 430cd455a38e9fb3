/**
 * Reads and writes Gemini's schemas: a subset of OpenAPI schemas.
 * https://ai.google.dev/gemini-api/docs/structured-output (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { inlined, mapSchema } from '../json/schema.ts'

/** Converts to JSON Schema: lowercase types, and `nullable` as a type list. */
export const readSchema = (schema: Json): Json =>
  mapSchema(schema, ({ nullable, type, ...rest }) => {
    const name = typeof type === 'string' ? type.toLowerCase() : type
    if (name === undefined) return rest
    return { type: nullable === true ? [name, 'null'] : name, ...rest }
  })

/** Converts from JSON Schema, without references and keywords that Gemini rejects. */
export const writeSchema = (schema: Json): Json => mapSchema(mapSchema(inlined(schema), withoutAllOf), converted)

const accepted = new Set([
  ...['type', 'format', 'description', 'nullable', 'enum', 'items', 'properties', 'required', 'anyOf', 'title'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'propertyOrdering'],
  ...['minProperties', 'maxProperties', 'default', 'example'],
])

function converted(part: Json): Json {
  const { oneOf, const: constant, ...rest } = part
  const renamed: Json = {
    ...rest,
    ...(Array.isArray(oneOf) && { anyOf: oneOf }),
    ...(constant !== undefined && { enum: [constant] }),
  }
  const typed = { ...renamed, ...writeType(renamed) }
  const supported = Object.fromEntries(
    Object.entries(typed).filter(([key, value]) => accepted.has(key) && value !== undefined),
  )
  return { ...supported, ...writeFormat(supported), ...writeEnum(supported), ...writeRequired(supported) }
}

/** Merges `allOf`, which Gemini lacks, into one schema. */
function withoutAllOf({ allOf, ...part }: Json): Json {
  if (!Array.isArray(allOf)) return part
  const pieces = [part, ...allOf.filter(isObject)]
  const properties = Object.assign({}, ...pieces.map(piece => piece.properties))
  const required = pieces.flatMap(piece => piece.required ?? [])
  return Object.assign({}, ...pieces, Object.keys(properties).length && { properties }, required.length && { required })
}

/** A `null` type becomes `nullable`; several types become `anyOf`. */
function writeType({ type, anyOf }: Json): Json {
  if (Array.isArray(anyOf)) {
    const others = anyOf.filter(option => !(isObject(option) && option.type === 'null'))
    const nullable = others.length < anyOf.length || undefined
    return others.length === 1 && isObject(others[0])
      ? { ...others[0], anyOf: undefined, nullable }
      : { anyOf: others, nullable }
  }
  if (!Array.isArray(type)) return {}
  const types = type.filter(name => name !== 'null')
  const nullable = types.length < type.length || undefined
  if (types.length === 1) return { type: types[0], nullable }
  return { type: undefined, anyOf: types.map(name => ({ type: name })), nullable }
}

const formatsByType = new Map<unknown, unknown[]>([
  ['string', ['enum', 'date-time']],
  ['number', ['float', 'double']],
  ['integer', ['int32', 'int64']],
])

const writeFormat = ({ type, format }: Json): Json =>
  format !== undefined && !formatsByType.get(type)?.includes(format) ? { format: undefined } : {}

/** Gemini accepts enums of non-empty strings only. */
function writeEnum({ type, enum: choices }: Json): Json {
  if (!Array.isArray(choices)) return {}
  const texts = choices.filter(choice => typeof choice === 'string' && choice)
  const isText = (type === undefined || type === 'string') && texts.length > 0
  return isText ? { type: 'string', enum: texts } : { enum: undefined }
}

function writeRequired({ required, properties }: Json): Json {
  if (!Array.isArray(required)) return {}
  const known = required.filter(
    name => isObject(properties) && typeof name === 'string' && Object.hasOwn(properties, name),
  )
  return { required: known.length ? [...new Set(known)] : undefined }
}
