/** JSON of unknown shape. */
import { JsonScan, RESPONSE_LIMITS } from './json-scan.ts'

export type Json = Record<string, unknown>

/** Shorter texts are parsed without a look at their shape. */
const SCANNED_MIN = 4096

/** @returns undefined when the text is not JSON, or too deep or in too many pieces to work with */
export function parsedOrUndefined(text: string): unknown {
  if (text.length > SCANNED_MIN && !new JsonScan(RESPONSE_LIMITS).push(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns undefined for text that is no JSON object or array */
export function parseObject(text: string): Json | undefined {
  const value = parsedOrUndefined(text)
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}
