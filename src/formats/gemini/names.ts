/** Field names of Google's JSON, in snake case or camel case. https://protobuf.dev/programming-guides/json (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

/** Fields whose content is the client's own and keeps its names. */
const opaque = new Set([
  ...['args', 'response', 'parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema', 'labels'],
])

/** @returns the JSON with all names in camel case */
export function camelised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelised)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    return [name, opaque.has(name) ? inner : camelised(inner)]
  })
  return Object.fromEntries(entries)
}

/** @returns a field and the one of its two names that is used */
export function fieldOf(object: Json, name: string): { name: string; value: unknown } {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return snake in object ? { name: snake, value: object[snake] } : { name, value: object[name] }
}
