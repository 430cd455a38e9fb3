/** Lists of `name=value`, comma-separated with percent-encoded values, as OpenTelemetry's variables hold them. */

/** @returns undefined for text that is no such list */
export function readPairs(text: string): Record<string, string> | undefined {
  const parts = text.split(',').filter(part => part.trim())
  const read = parts.map(part => {
    const equals = part.indexOf('=')
    const value = decoded(part.slice(equals + 1).trim())
    return equals > 0 && value !== undefined ? ([part.slice(0, equals).trim(), value] as const) : undefined
  })
  const known = read.filter(pair => pair !== undefined)
  return known.length === parts.length ? Object.fromEntries(known) : undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
