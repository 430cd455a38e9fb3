/** A model's price as text in the fields of its drawer, and back. */
import { priceOf } from '../../billing/price.ts'
import { hourRatio } from '../../billing/rate.ts'
import {
  type Ratios,
  ratioPairs,
  ratiosFromUsd,
  type UsdPrices,
  usdFromRatios,
  usdPerRatio,
} from '../../billing/usd-ratios.ts'
import type { ModelTable, PriceEntries } from '../../contracts/pricing.ts'
import { currentTables, entriesOf, listedModels } from '../../domain/pricing/index.ts'
import { plain } from '../../pure/decimal.ts'
import { amount, type Form, refuse } from './amount.ts'
import { isTaskField, taskFields, taskPriceIn } from './task-price-form.ts'
import { isTierField, tierFields, tiersIn } from './tier-form.ts'

type RatioTable = Exclude<ModelTable, 'ModelPrice'>
type RatioName = (typeof ratioPairs)[number]['ratio']

const tableOf: Record<RatioName, RatioTable> = {
  model_ratio: 'ModelRatio',
  completion_ratio: 'CompletionRatio',
  cache_ratio: 'CacheRatio',
  cache_creation_ratio: 'CacheCreationRatio',
  cache_creation_hour_ratio: 'CacheCreationHourRatio',
  audio_ratio: 'AudioRatio',
  audio_completion_ratio: 'AudioCompletionRatio',
  image_ratio: 'ImageRatio',
  reasoning_ratio: 'ReasoningRatio',
}

const ratioNames = Object.keys(tableOf) as RatioName[]

/** Field of the drawer for an option's error. */
export const fieldOfOption = (key: string): string | undefined =>
  tableFields[key] ??
  (key in fieldNames || isTaskField(key) || isTierField(key) ? key : ratioNames.find(name => tableOf[name] === key))

const tableFields: Record<string, string> = { TierRatio: 'tier_0_from', TaskPrice: 'task_price' }

const fieldNames = Object.fromEntries(
  ['name', 'mode', 'model_price', ...ratioPairs.flatMap(({ ratio, usd }) => [ratio, usd])].map(name => [name, true]),
)

/** How a price by tokens is spelt. */
export type Spelling = 'usd' | 'ratio'

/** Field values of a model, or those of a new one. */
export function formOf(model: string | undefined, spelling: Spelling): Record<string, string> {
  const entries = model === undefined ? {} : entriesOf(model)
  const ratios: Ratios = Object.fromEntries(
    ratioNames.flatMap(name => (typeof entries[tableOf[name]] === 'number' ? [[name, entries[tableOf[name]]]] : [])),
  )
  return {
    name: '',
    mode: entries.TaskPrice ? 'task' : typeof entries.ModelPrice === 'number' ? 'call' : spelling,
    model_price: textOf(entries.ModelPrice ?? undefined),
    ...texts(ratios),
    ...texts(usdFromRatios(ratios, unit())),
    ...tierFields(entries.TierRatio ?? [], ratios, unit()),
    ...taskFields(entries.TaskPrice),
  }
}

/** What applies where a field stays empty. */
export function defaultsOf(model: string | undefined): Record<string, string> {
  const tables = currentTables()
  const price = priceOf(model || 'new', { ...tables, ModelPrice: {} }, { group_ratio: 1, accept_unset: true })!
  const { completion_ratio, cache_ratio, cache_creation_ratio, audio_ratio, audio_completion_ratio, image_ratio } =
    price
  return texts({
    ...{ completion_ratio, cache_ratio, cache_creation_ratio, audio_ratio, audio_completion_ratio, image_ratio },
    cache_creation_hour_ratio: hourRatio(price),
    reasoning_ratio: completion_ratio,
  })
}

export const unit = () => usdPerRatio(currentTables().QuotaPerUnit)

const textOf = (value: number | undefined) => (value === undefined ? '' : plain(value))

const texts = (values: Record<string, number | undefined>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]))

/** The entries that the form describes: those of the other kind of price are removed. @throws ZodError at a field */
export function entriesIn(form: Form): [model: string, PriceEntries] {
  const model = form.edit ?? nameIn(form)
  const removed: PriceEntries = Object.fromEntries(
    [...Object.values(tableOf), 'ModelPrice', 'TierRatio', 'TaskPrice'].map(table => [table, null]),
  )
  if (form.mode === 'task') return [model, { ...removed, TaskPrice: taskPriceIn(form) }]
  if (form.mode === 'call') return [model, { ...removed, ModelPrice: amount(form, 'model_price', true) }]
  const usd = form.mode === 'usd' ? pricesIn(form) : undefined
  const ratios = usd ? ratiosFromUsd(usd, unit()) : ratiosIn(form)
  const entries = Object.entries(ratios).map(([name, value]) => [tableOf[name as RatioName], value])
  const tiers = tiersIn(form, usd, unit())
  return [model, { ...removed, ...Object.fromEntries(entries), ...(tiers.length && { TierRatio: tiers }) }]
}

function nameIn(form: Form): string {
  const name = (form.name ?? '').trim()
  if (!name) refuse('name', 'pricing.name_required')
  if (listedModels().includes(name)) refuse('name', 'pricing.name_exists')
  return name
}

function ratiosIn(form: Form): Ratios {
  const ratios: Ratios = {}
  for (const name of ratioNames) {
    const value = amount(form, name, name === 'model_ratio')
    if (value !== undefined) ratios[name] = value
  }
  return ratios
}

function pricesIn(form: Form): UsdPrices {
  const prices: UsdPrices = {}
  for (const { usd } of ratioPairs) {
    const value = amount(form, usd, usd === 'usd_input')
    if (value !== undefined) prices[usd] = value
  }
  if (prices.usd_input === 0) refuse('usd_input', 'pricing.price_zero')
  return prices
}
