/** Keys that are JSON documents, commas and spaces included. */
import { isObject } from '../../formats/json/checks.ts'
import { parsedOrUndefined } from '../../pure/json.ts'

/**
 * The keys in a text: one document, a list of documents and texts, or documents one after the other. Every document
 * has the spelling of `JSON.stringify`, so that a repeated one is found. A broken one is returned as it is.
 */
export function jsonKeysIn(text: string): string[] {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return trimmed.split(/[,\n]/)
  const value = parsedOrUndefined(trimmed) ?? parsedOrUndefined(`[${trimmed.replace(/\}\s+\{/g, '},{')}]`)
  if (Array.isArray(value)) return value.map(keyOf)
  return [isObject(value) ? JSON.stringify(value) : trimmed]
}

const keyOf = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item))

/** @returns the text that `jsonKeysIn` reads */
export const joinJsonKeys = (keys: readonly string[]): string =>
  keys.length === 1 ? keys[0]! : `[${keys.map(key => (isDocument(key) ? key : JSON.stringify(key))).join(',')}]`

export const isDocument = (key: string): boolean => key.startsWith('{')
