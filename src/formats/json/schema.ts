/** JSON schemas, reduced to what providers accept. */

import type { Json } from '../../pure/json.ts'
import { isObject } from './checks.ts'
import { objectOf } from './lenient-json.ts'

/** @param write gets every schema, after the schemas inside it. @returns the schema with all of them replaced */
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

/** Nesting to which a schema that refers to itself is followed. */
const DEPTH_MAX = 6
/** Values of the result: a few schemas that refer to each other would fill the memory. */
const VALUES_MAX = 10_000

/** @returns the schema with every local `$ref` replaced by its target; a recursive one ends in an open object */
export function inlined(schema: Json): Json {
  const definitions: Json = { ...objectOf(schema.definitions), ...objectOf(schema.$defs) }
  let values = 0
  const follow = (value: unknown, depth: number): unknown => {
    values++
    if (Array.isArray(value)) return value.map(item => follow(item, depth))
    if (!isObject(value)) return value
    if (typeof value.$ref !== 'string') return mapValues(value, inner => follow(inner, depth))
    const { $ref, ...beside } = value
    const target = definitions[value.$ref.replace(/^#\/(?:\$defs|definitions)\//, '')]
    if (!isObject(target) || depth >= DEPTH_MAX || values > VALUES_MAX) return { type: 'object', ...beside }
    return follow({ ...target, ...beside }, depth + 1)
  }
  const { definitions: _, $defs: __, ...rest } = schema
  return objectOf(follow(rest, 0))
}

/** Tells whether OpenAI accepts it as strict: every object closed, every property required. https://platform.openai.com/docs/guides/structured-outputs (read 2026-11) */
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
