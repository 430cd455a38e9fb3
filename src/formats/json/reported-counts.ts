/** Figures of an upstream's report: believed as far as they make sense, and what does not is noted. */

/** No model reads or writes more in one call; a larger figure is a mistake. */
const BELIEVABLE_MAX = 10_000_000

export function plausible(value: unknown, name: string, doubts: string[]): number | undefined {
  if (value === undefined || value === null) return undefined
  const count = typeof value === 'object' ? Number.NaN : Math.round(Number(value))
  const believable = count >= 0 && count <= BELIEVABLE_MAX
  if (count !== value || !believable) doubts.push(`${name} is ${String(JSON.stringify(value)).slice(0, 40)}`)
  return believable ? count : undefined
}

/** Parts are taken from a total until it is used up. */
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
