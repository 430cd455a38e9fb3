import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

/** What is inside these is the caller's own, and keeps its names. */
const theirs = new Set([
  ...['args', 'response', 'parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema', 'labels'],
])

/** Google's JSON may be spelled `like_this` or `likeThis`; here it is read in the second way. */
export function camelised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelised)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    return [name, theirs.has(name) ? inner : camelised(inner)]
  })
  return Object.fromEntries(entries)
}

/** A field under the one of its names that it has. */
export function fieldOf(object: Json, name: string): { name: string; value: unknown } {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return snake in object ? { name: snake, value: object[snake] } : { name, value: object[name] }
}
