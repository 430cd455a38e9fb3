/** A JSON object of unknown shape. */
export type Json = Record<string, unknown>

/** @returns undefined for text that is no JSON */
export function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
