/** Gemini's schemas: a part of OpenAPI's, which is a part of JSON Schema's with a few words of its own. */

import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { inlined, mapSchema } from '../json/schema.ts'

/** As JSON Schema says it. */
export const readSchema = (schema: Json): Json =>
  mapSchema(schema, ({ nullable, type, ...rest }) => {
    const word = typeof type === 'string' ? type.toLowerCase() : type
    if (word === undefined) return rest
    return { type: nullable === true ? [word, 'null'] : word, ...rest }
  })

/** As Gemini takes it: with nothing in it that it would refuse. */
export const writeSchema = (schema: Json): Json => mapSchema(mapSchema(inlined(schema), joined), cleaned)

const taken = new Set([
  ...['type', 'format', 'description', 'nullable', 'enum', 'items', 'properties', 'required', 'anyOf', 'title'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'propertyOrdering'],
  ...['minProperties', 'maxProperties', 'default', 'example'],
])

function cleaned(part: Json): Json {
  const { oneOf, const: only, ...rest } = part
  const said: Json = {
    ...rest,
    ...(Array.isArray(oneOf) && { anyOf: oneOf }),
    ...(only !== undefined && { enum: [only] }),
  }
  const typed = { ...said, ...writeType(said) }
  const kept = Object.fromEntries(Object.entries(typed).filter(([key, value]) => taken.has(key) && value !== undefined))
  return { ...kept, ...writeFormat(kept), ...writeEnum(kept), ...writeRequired(kept) }
}

/** `allOf` is all of it together. */
function joined({ allOf, ...part }: Json): Json {
  if (!Array.isArray(allOf)) return part
  const pieces = [part, ...allOf.filter(isObject)]
  const properties = Object.assign({}, ...pieces.map(piece => piece.properties))
  const required = pieces.flatMap(piece => piece.required ?? [])
  return Object.assign({}, ...pieces, Object.keys(properties).length && { properties }, required.length && { required })
}

/** One type, and whether there may be nothing; several types are alternatives. */
function writeType({ type, anyOf }: Json): Json {
  if (Array.isArray(anyOf)) {
    const others = anyOf.filter(option => !(isObject(option) && option.type === 'null'))
    const nullable = others.length < anyOf.length || undefined
    return others.length === 1 && isObject(others[0])
      ? { ...others[0], anyOf: undefined, nullable }
      : { anyOf: others, nullable }
  }
  if (!Array.isArray(type)) return {}
  const types = type.filter(word => word !== 'null')
  const nullable = types.length < type.length || undefined
  if (types.length === 1) return { type: types[0], nullable }
  return { type: undefined, anyOf: types.map(word => ({ type: word })), nullable }
}

const formats = new Map<unknown, unknown[]>([
  ['string', ['enum', 'date-time']],
  ['number', ['float', 'double']],
  ['integer', ['int32', 'int64']],
])

const writeFormat = ({ type, format }: Json): Json =>
  format !== undefined && !formats.get(type)?.includes(format) ? { format: undefined } : {}

/** Choices are texts, and none of them empty. */
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
