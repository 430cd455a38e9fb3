/** A price option: numbers by model name, and the lookup of a model in it. */
export type Table = Readonly<Record<string, number>>

/** Effort suffix of a model name. Such a name has the price of the model without it, unless it has its own entry. */
const effort = /-(thinking(-\d+)?|nothinking|max|xhigh|high|medium|low|minimal|none)$/

/** The names under which a model may be listed, the exact one first. */
export const namesOf = (model: string): string[] => (effort.test(model) ? [model, model.replace(effort, '')] : [model])

/** The entry of the name, else of the longest prefix that is listed with `*` at its end. */
export function entry(table: Table, name: string): number | undefined {
  if (Object.hasOwn(table, name)) return table[name]
  const starred = Object.keys(table).filter(key => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
  return starred.length ? table[starred.reduce((a, b) => (b.length > a.length ? b : a))] : undefined
}

/** The entry of a model under its full name, else without its effort suffix. */
export function listed(table: Table, model: string): number | undefined {
  for (const name of namesOf(model)) {
    const ratio = entry(table, name)
    if (ratio !== undefined) return ratio
  }
}
