/** Circles of imports: Tarjan's strongly connected components with more than one member. */
export function circlesIn(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []

  const visit = (from: string) => {
    order.set(from, order.size)
    lowest.set(from, order.get(from)!)
    stack.push(from)
    for (const to of arrows.get(from) ?? []) {
      if (!arrows.has(to)) continue
      if (!order.has(to)) visit(to)
      if (stack.includes(to)) lowest.set(from, Math.min(lowest.get(from)!, lowest.get(to)!))
    }
    if (lowest.get(from) !== order.get(from)) return
    const circle = stack.splice(stack.indexOf(from))
    if (circle.length > 1) circles.push(circle.sort())
  }

  for (const from of arrows.keys()) if (!order.has(from)) visit(from)
  return circles
}

/** Arrows between groups of files, such as the nouns of a folder. Files of no group have no part in it. */
export function grouped(
  arrows: ReadonlyMap<string, readonly string[]>,
  groupOf: (path: string) => string | undefined,
): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [from, targets] of arrows) {
    const group = groupOf(from)
    if (group === undefined) continue
    const known = groups.get(group) ?? []
    groups.set(group, known)
    known.push(...targets.flatMap(to => groupOf(to) ?? []).filter(other => other !== group))
  }
  return groups
}
