/** Entries of single models in the price tables. */
import { DEFAULT_GROUP, MODEL_TABLES, type PriceEntries, type PriceTexts } from '../../contracts/pricing.ts'
import { option } from '../options/index.ts'
import { enabledAbilities } from '../routing/index.ts'
import { hasTaskPrice, priceFor } from './service.ts'

const tables = [...MODEL_TABLES, 'TierRatio', 'TaskPrice'] as const

const pricing = ['ModelPrice', 'ModelRatio', 'TaskPrice'] as const

/** Names with a price per call, a ratio or a price of tasks, in order. */
export const listedModels = (): string[] => [...new Set(pricing.flatMap(table => Object.keys(option(table))))].sort()

/** A model's own entries; what it has by a pattern or its family is none. */
export const entriesOf = (model: string): PriceEntries =>
  Object.fromEntries(
    tables.flatMap(table => (Object.hasOwn(option(table), model) ? [[table, option(table)[model]]] : [])),
  )

/** Texts of the tables that these changes touch. */
export function textsWith(changes: readonly (readonly [model: string, entries: PriceEntries])[]): PriceTexts {
  const texts: PriceTexts = {}
  for (const table of tables) {
    // Without a prototype: a model may be named `__proto__`.
    const changed: Record<string, unknown> = Object.assign(Object.create(null), option(table))
    for (const [model, { [table]: entry }] of changes) {
      if (entry === null) delete changed[model]
      else if (entry !== undefined) changed[model] = entry
    }
    const text = JSON.stringify(changed)
    if (text !== JSON.stringify(option(table))) texts[table] = text
  }
  return texts
}

interface ServedModels {
  priced: string[]
  /** Without a price of any kind. */
  unpriced: string[]
}

/** Models that a channel serves, in order. */
export async function servedModels(): Promise<ServedModels> {
  const served = [...new Set((await enabledAbilities()).map(({ model }) => model))].sort()
  const isListed = (model: string) =>
    hasTaskPrice(model) || priceFor(model, { group: DEFAULT_GROUP })?.source === 'listed'
  return { priced: served.filter(isListed), unpriced: served.filter(model => !isListed(model)) }
}
