/**
 * Reads field names in both spellings of protocol buffers JSON, `snake_case` and `camelCase`.
 * https://protobuf.dev/programming-guides/json (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

/** Fields with content of the client: the names inside stay as they are. */
const opaqueFields = new Set([
  ...['args', 'response', 'parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema', 'labels'],
])

/** Converts field names to camelCase. */
export function camelised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelised)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    return [name, opaqueFields.has(name) ? inner : camelised(inner)]
  })
  return Object.fromEntries(entries)
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** @param name in camelCase */
export const spellingsOf = (name: string): string[] => [...new Set([name, snakeCase(name)])]

/** A field under the spelling that the object uses, camelCase when it has neither. */
export function fieldOf(object: Json, name: string): { name: string; value: unknown } {
  const snake = snakeCase(name)
  return snake in object ? { name: snake, value: object[snake] } : { name, value: object[name] }
}
