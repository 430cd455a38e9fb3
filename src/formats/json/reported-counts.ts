/** Counts that an upstream reports: implausible ones are ignored and noted as doubts. */

/** Tokens: no model reads or writes more in one call. */
const COUNT_MAX = 10_000_000

export function plausible(value: unknown, name: string, doubts: string[]): number | undefined {
  if (value === undefined || value === null) return undefined
  const count = typeof value === 'object' ? Number.NaN : Math.round(Number(value))
  const isPlausible = count >= 0 && count <= COUNT_MAX
  if (count !== value || !isPlausible) doubts.push(`${name} is ${String(JSON.stringify(value)).slice(0, 40)}`)
  return isPlausible ? count : undefined
}

/** Takes parts from a total until it is used up. */
export function share(total: number, name: string, doubts: string[]) {
  let left = total
  return {
    take(part: number | undefined, partName: string): number {
      const taken = Math.min(part ?? 0, left)
      if (taken < (part ?? 0)) doubts.push(`${partName} above ${name}`)
      left -= taken
      return taken
    },
    rest: () => left,
  }
}
