/** The header `Range` of a request: one range of bytes. https://www.rfc-editor.org/rfc/rfc9110#section-14 (read 2026-11) */

/**
 * @returns start and end (exclusive); undefined for the whole file, also where the header asks for several ranges or
 * cannot be read; `outside` where no byte of the file is in the range
 */
export function rangeOf(header: string | null, size: number): [number, number] | 'outside' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (!first && !last)) return undefined
  if (!first) return Number(last) === 0 || size === 0 ? 'outside' : [Math.max(0, size - Number(last)), size]
  if (last && Number(last) < Number(first)) return undefined
  return Number(first) >= size ? 'outside' : [Number(first), Math.min(size, last ? Number(last) + 1 : size)]
}
