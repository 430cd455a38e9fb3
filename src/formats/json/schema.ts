/** JSON schemas, as far as providers can read them. */

import type { Json } from '../../pure/json.ts'
import { isObject } from './checks.ts'
import { objectOf } from './lenient-json.ts'

/** The schema with every sub-schema replaced; `write` gets each after those inside it. */
export function mapSchema(schema: Json, write: (schema: Json) => Json): Json {
  const inner = (value: unknown): unknown => (isObject(value) ? mapSchema(value, write) : value)
  const mapped = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (named.has(key) && isObject(value)) return [key, mapValues(value, inner)]
      if (listed.has(key) && Array.isArray(value)) return [key, value.map(inner)]
      return [key, single.has(key) ? inner(value) : value]
    }),
  )
  return write(mapped)
}

const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const single = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'])

export const mapValues = (object: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))

/** How deep a schema that refers to itself is followed. */
const DEPTH = 6
/** And how far: with what each refers to in its place, a few lines that refer to each other would fill the memory. */
const PIECES = 10_000

/** With every local `$ref` replaced by what it refers to; what refers to itself ends in an open object. */
export function inlined(schema: Json): Json {
  const definitions: Json = { ...objectOf(schema.definitions), ...objectOf(schema.$defs) }
  let pieces = 0
  const follow = (value: unknown, depth: number): unknown => {
    pieces++
    if (Array.isArray(value)) return value.map(item => follow(item, depth))
    if (!isObject(value)) return value
    if (typeof value.$ref !== 'string') return mapValues(value, inner => follow(inner, depth))
    const { $ref, ...beside } = value
    const target = definitions[value.$ref.replace(/^#\/(?:\$defs|definitions)\//, '')]
    if (!isObject(target) || depth >= DEPTH || pieces > PIECES) return { type: 'object', ...beside }
    return follow({ ...target, ...beside }, depth + 1)
  }
  const { definitions: _, $defs: __, ...rest } = schema
  return objectOf(follow(rest, 0))
}

/** Whether OpenAI would take it as strict: every object closed, every property required. */
export function isStrict(schema: Json): boolean {
  let strict = true
  mapSchema(schema, part => {
    if (!isObject(part.properties)) return part
    const required = Array.isArray(part.required) ? part.required : []
    const all = Object.keys(part.properties).every(name => required.includes(name))
    if (!all || part.additionalProperties !== false) strict = false
    return part
  })
  return strict
}
