/** One option's table of numbers by model, and how a model's entry is found in it. */
export type Table = Readonly<Record<string, number>>

/** Marks of reasoning effort at the end of a name: such a name is priced as the model itself unless it has its own entry. */
const effort = /-(thinking(-\d+)?|nothinking|max|xhigh|high|medium|low|minimal|none)$/

/** The names under which a model may be listed, the exact one first. */
export const namesOf = (model: string): string[] => (effort.test(model) ? [model, model.replace(effort, '')] : [model])

/** The entry of exactly this name, else the longest one ending in `*` that begins it. */
export function entry(table: Table, name: string): number | undefined {
  if (Object.hasOwn(table, name)) return table[name]
  const starred = Object.keys(table).filter(key => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
  return starred.length ? table[starred.reduce((a, b) => (b.length > a.length ? b : a))] : undefined
}

/** What is listed for a model under any of its names. */
export function listed(table: Table, model: string): number | undefined {
  for (const name of namesOf(model)) {
    const ratio = entry(table, name)
    if (ratio !== undefined) return ratio
  }
}
