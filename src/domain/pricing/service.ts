/** Prices per model and group, from the operator's tables; cached until an option changes. */

import { type Fallback, NO_PRICE, type Price, type PriceTables, priceOf } from '../../billing/price.ts'
import { DEFAULT_GROUP, type GroupOffer, type PricedModel, QuotaType } from '../../contracts/pricing.ts'
import { digest } from '../../crypto/sealing.ts'
import { onReset } from '../../process/stores.ts'
import { enabledAbilities } from '../channels/index.ts'
import { onOptionChange, option } from '../options/index.ts'

interface PriceQuery {
  group: string
  /** Accepts models without a price: a user's setting; self-use mode accepts them for everyone. */
  accept_unset?: boolean
  /** Factor on the listed price for size, quality or seconds. */
  multiplier?: number
}

const PRICES_MAX = 10_000
const VERSION_LENGTH = 12

let tables: PriceTables | undefined
const prices = new Map<string, Price | undefined>()

function forgetPrices() {
  tables = undefined
  prices.clear()
}
onOptionChange(forgetPrices)
onReset('prices', forgetPrices)

/** The price of a requested model. @returns undefined for a model without a price, unless that is accepted */
export function priceFor(
  model: string,
  { group, accept_unset = false, multiplier = 1 }: PriceQuery,
): Price | undefined {
  const accepts = accept_unset || option('SelfUseModeEnabled')
  const key = `${multiplier}\0${accepts}\0${group}\0${model}`
  if (prices.has(key)) return prices.get(key)
  // Clients choose model names: invented ones must not fill the memory.
  if (prices.size >= PRICES_MAX) prices.clear()
  tables ??= readTables()
  const price = priceOf(model, tables, { group_ratio: groupRatio(group), accept_unset: accepts, multiplier })
  prices.set(key, price)
  return price
}

/** Factor on every price of a group; 1 for an unlisted group. */
export const groupRatio = (group: string): number => own(option('GroupRatio'), group) ?? 1

/** All groups with a ratio, the default group first. */
export const groupNames = (): string[] => Object.keys(option('GroupRatio')).sort(defaultFirst)

/** Groups that a user may choose, with their descriptions: the offered groups that have a ratio, and the user's own. */
export function usableGroups(group: string): Record<string, string> {
  const [offered, ratios] = [option('UserUsableGroups'), option('GroupRatio')]
  const names = new Set([...Object.keys(offered).filter(name => Object.hasOwn(ratios, name)), group])
  const usable: Record<string, string> = Object.create(null)
  for (const name of [...names].sort(defaultFirst)) usable[name] = own(offered, name) ?? name
  return usable
}

/** Usable groups with ratio and description. */
export const groupOffers = (group: string): Record<string, GroupOffer> =>
  Object.fromEntries(
    Object.entries(usableGroups(group)).map(([name, desc]) => [name, { ratio: groupRatio(name), desc }]),
  )

/** Prices of every model that a channel serves to a group which this group's users may choose. */
export async function priceList(group: string = DEFAULT_GROUP) {
  const usable_group = usableGroups(group)
  const served = new Map<string, Set<string>>()
  for (const ability of await enabledAbilities()) {
    if (!(ability.group in usable_group)) continue
    served.set(ability.model, (served.get(ability.model) ?? new Set()).add(ability.group))
  }
  const models = [...served].map(([model, groups]) => row(model, [...groups].sort(defaultFirst)))
  const group_ratio = Object.fromEntries(Object.keys(usable_group).map(name => [name, groupRatio(name)]))
  return { models: models.sort((a, b) => compare(a.model_name, b.model_name)), group_ratio, usable_group }
}

/** An unpriced model has the ratio at which self-use mode bills it. */
function row(model_name: string, enable_groups: string[]): PricedModel {
  const price = priceFor(model_name, { group: DEFAULT_GROUP, accept_unset: true })!
  return {
    model_name,
    quota_type: price.mode === 'call' ? QuotaType.call : QuotaType.tokens,
    model_ratio: price.model_ratio,
    model_price: price.model_price === NO_PRICE ? 0 : price.model_price,
    unpriced: price.source === 'unset',
    owner_by: '',
    completion_ratio: price.completion_ratio,
    cache_ratio: price.cache_ratio,
    enable_groups,
  }
}

/** The version is a digest of the content: equal on all nodes and after a restart. */
function readTables(): PriceTables {
  const read = {
    ModelPrice: option('ModelPrice'),
    ModelRatio: option('ModelRatio'),
    CompletionRatio: option('CompletionRatio'),
    CacheRatio: option('CacheRatio'),
    CacheCreationRatio: option('CacheCreationRatio'),
    AudioRatio: option('AudioRatio'),
    AudioCompletionRatio: option('AudioCompletionRatio'),
    ImageRatio: option('ImageRatio'),
    ToolPrice: option('ToolPrice'),
    QuotaPerUnit: option('QuotaPerUnit'),
    fallback: fallback(),
  }
  return { ...read, version: digest(JSON.stringify(read)).slice(0, VERSION_LENGTH) }
}

/** @returns undefined while the option is off or incomplete */
function fallback(): Fallback | undefined {
  if (!option('fallback_pricing_enabled')) return undefined
  const [model_price, model_ratio, completion_ratio] = [
    option('fallback_single_price'),
    option('fallback_input_ratio'),
    option('fallback_completion_ratio'),
  ]
  if (model_price) return { model_price }
  return model_ratio && completion_ratio ? { model_ratio, completion_ratio } : undefined
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const defaultFirst = (a: string, b: string) =>
  Number(b === DEFAULT_GROUP) - Number(a === DEFAULT_GROUP) || compare(a, b)
