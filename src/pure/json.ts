/** An object of JSON, of which nothing is known yet. */
export type Json = Record<string, unknown>

/** @returns undefined for text that is no JSON object or array */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
