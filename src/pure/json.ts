/** JSON of unknown shape. */

export type Json = Record<string, unknown>

/** @returns undefined when the text is not JSON */
export function parsedOrUndefined(text: string): unknown {
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
