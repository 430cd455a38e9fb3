/**
 * Responses of ChatCompletions with OpenAI's names: the fields are the same, in PascalCase.
 * https://cloud.tencent.com/document/product/1729/105701 (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

/** @param response without the wrapper `Response` */
export const asOpenAi = (response: Json): Json => renamed(response) as Json

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, field]) => entryOf(name, field)))
}

/** Until the last event the finish reason is an empty text. The count of cached tokens may be a text. */
function entryOf(name: string, field: unknown): [string, unknown][] {
  if (name === 'FinishReason' && !field) return []
  if (name === 'CachedTokens' && typeof field === 'string') return [['cached_tokens', Number(field)]]
  return [[snakeCase(name), renamed(field)]]
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
