/** Reads price answers of other gateways: ratio tables, price lists, option lists. */
import { UNSET_MODEL_RATIO } from '../../billing/price.ts'
import type { ForeignKey } from '../../contracts/pricing.ts'

export type ForeignPrices = Partial<Record<ForeignKey, number>>

type Fields = Record<string, unknown>

/** Names of a table in `/api/ratio_config`, and of a figure in a row of `/api/pricing`. */
const names: Record<ForeignKey, readonly string[]> = {
  ModelPrice: ['model_price', 'ModelPrice'],
  ModelRatio: ['model_ratio', 'ModelRatio'],
  CompletionRatio: ['completion_ratio', 'CompletionRatio'],
  CacheRatio: ['cache_ratio', 'CacheRatio'],
  CacheCreationRatio: ['create_cache_ratio', 'cache_creation_ratio', 'CreateCacheRatio', 'CacheCreationRatio'],
  AudioRatio: ['audio_ratio', 'AudioRatio'],
  AudioCompletionRatio: ['audio_completion_ratio', 'AudioCompletionRatio'],
  ImageRatio: ['image_ratio', 'ImageRatio'],
}
const keys = Object.keys(names) as ForeignKey[]

/** Figures by model. @returns an empty map for a response of no known form */
export function readForeign(response: unknown): Map<string, ForeignPrices> {
  const body = fieldsOf(response)?.data ?? response
  if (Array.isArray(body)) return readList(body.map(fieldsOf).filter(row => row !== undefined))
  return readTables(fieldsOf(body) ?? {})
}

function readList(rows: Fields[]): Map<string, ForeignPrices> {
  if (rows.some(row => 'key' in row && 'value' in row)) {
    return readTables(Object.fromEntries(rows.map(({ key, value }) => [String(key), value])))
  }
  return new Map(rows.flatMap(readRow))
}

/** A row of `/api/pricing`, or of a list of prices by `input` and `output`. A model without a price is left out. */
function readRow(row: Fields): [model: string, prices: ForeignPrices][] {
  if (typeof row.model === 'string' && 'input' in row) return [[row.model, readInputOutput(row)]]
  if (typeof row.model_name !== 'string') return []
  const figures = Object.fromEntries(keys.flatMap(key => entryOf(key, figureIn(row, key)))) as ForeignPrices
  const { ModelPrice, ModelRatio, CompletionRatio } = figures
  if (row.quota_type === 1) return ModelPrice === undefined ? [] : [[row.model_name, { ModelPrice }]]
  if (row.unpriced === true || (ModelRatio === UNSET_MODEL_RATIO && CompletionRatio === 1)) return []
  const { ModelPrice: _, ...ratios } = figures
  return ModelRatio === undefined ? [] : [[row.model_name, ratios]]
}

/** USD of one unit in such a list: a ratio of 1 is 0.002 USD for 1000 tokens. */
const USD_PER_UNIT = 0.002

function readInputOutput({ type, input, output }: Fields): ForeignPrices {
  const [ratio, written] = [amountOf(input), amountOf(output)]
  if (ratio === undefined) return {}
  if (type === 'times') return { ModelPrice: Number((ratio * USD_PER_UNIT).toPrecision(12)) }
  return { ModelRatio: ratio, ...(ratio > 0 && written !== undefined && { CompletionRatio: written / ratio }) }
}

function readTables(tables: Fields): Map<string, ForeignPrices> {
  const prices = new Map<string, ForeignPrices>()
  for (const key of keys) {
    for (const name of names[key]) {
      for (const [model, value] of Object.entries(tableOf(tables[name]))) {
        const figure = amountOf(value)
        if (figure !== undefined) prices.set(model, { ...prices.get(model), [key]: figure })
      }
    }
  }
  return prices
}

/** A table, or its JSON text as options have it. */
function tableOf(table: unknown): Fields {
  if (typeof table !== 'string') return fieldsOf(table) ?? {}
  try {
    return fieldsOf(JSON.parse(table)) ?? {}
  } catch {
    return {}
  }
}

const figureIn = (row: Fields, key: ForeignKey) =>
  names[key].map(name => amountOf(row[name])).find(figure => figure !== undefined)

const entryOf = (key: ForeignKey, figure: number | undefined) => (figure === undefined ? [] : [[key, figure] as const])

const amountOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
