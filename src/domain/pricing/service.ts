/** Prices per model and group, from the operator's tables; cached until an option changes. */

import { NO_PRICE, type Price, type PriceTables, priceOf } from '../../billing/price.ts'
import { entry, listed } from '../../billing/price-table.ts'
import { hourRatio } from '../../billing/rate.ts'
import { type PriceBasis, perCall, type TaskPrice, taskPriceIn, UNLISTED_TASK_USD } from '../../billing/task-price.ts'
import { DEFAULT_GROUP, type GroupOffer, type PricedModel, QuotaType } from '../../contracts/pricing.ts'
import { isTaskKind, kindOf } from '../../models/kinds.ts'
import { vendorOf } from '../../models/vendors.ts'
import { onReset } from '../../process/stores.ts'
import { currentOptions, type OptionState, onOptionChange, option } from '../options/index.ts'
import { offeredAbilities } from '../routing/index.ts'
import { ratioIn } from './group-ratio.ts'
import { tablesOf } from './tables.ts'

interface PriceQuery {
  /** The group that the call uses. */
  group: string
  /** The user's own group, where it differs. */
  user_group?: string
  /** Accepts models without a price: a user's setting; self-use mode accepts them for everyone. */
  accept_unset?: boolean
  /** Factor on the listed price for size, quality or seconds. */
  multiplier?: number
}

const PRICES_MAX = 10_000

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
  { group, user_group = group, accept_unset = false, multiplier = 1 }: PriceQuery,
): Price | undefined {
  const accepts = accept_unset || option('SelfUseModeEnabled')
  const key = `${multiplier}\0${accepts}\0${user_group}\0${group}\0${model}`
  if (prices.has(key)) return prices.get(key)
  // Clients choose model names: invented ones must not fill the memory.
  if (prices.size >= PRICES_MAX) prices.clear()
  const ratio = ratioIn(currentOptions(), group, user_group)
  const price = priceOf(model, currentTables(), { ...ratio, accept_unset: accepts, multiplier })
  prices.set(key, price)
  return price
}

/** Whether a model has a price by these options, whatever its user accepts. */
export function pricedBy(options: OptionState): (model: string) => boolean {
  const tables = tablesOf(options)
  const query = { group_ratio: 1, by_user_group: false, accept_unset: options.value('SelfUseModeEnabled') }
  return model => priceOf(model, tables, query) !== undefined
}

/**
 * What the quota of a task is computed from, without what it asks for.
 * @returns undefined for a model without a price, where the operator demands one
 */
export function taskPriceFor(
  model: string,
  { group, user_group = group }: Pick<PriceQuery, 'group' | 'user_group'>,
): Omit<PriceBasis, 'choice'> | undefined {
  const current = currentTables()
  const listed = taskPriceIn(current, model)
  if (!listed && option('TaskPriceRequired')) return undefined
  const { group_ratio } = ratioIn(currentOptions(), group, user_group)
  const price = listed ?? perCall(UNLISTED_TASK_USD)
  return { price, group_ratio, quota_per_unit: current.QuotaPerUnit, price_version: current.version }
}

/** Whether a task under this name has a price of its own. */
export const hasTaskPrice = (name: string): boolean => taskPriceIn(currentTables(), name) !== undefined

/** What a call of a model costs that is known to be asked by tasks, and that has no other price. */
function shownTaskPrice(model: string): TaskPrice | undefined {
  const own = entry(currentTables().TaskPrice ?? {}, model)
  if (own || !isTaskKind(kindOf(model))) return own
  return taskPriceFor(model, { group: DEFAULT_GROUP })?.price
}

/** Those of the models whose calls are refused for want of a price, requested with this prefix. */
export const unpriced = (models: readonly string[], prefix = ''): string[] =>
  models.filter(model => !shownTaskPrice(prefix + model) && !priceFor(prefix + model, { group: DEFAULT_GROUP }))

export const currentTables = (): PriceTables => (tables ??= tablesOf(currentOptions()))

/** Factor on every price of a group, for users of `user_group`; 1 for an unlisted group. */
export const groupRatio = (group: string, user_group = group): number =>
  ratioIn(currentOptions(), group, user_group).group_ratio

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
    Object.entries(usableGroups(group)).map(([name, desc]) => [name, { ratio: groupRatio(name, group), desc }]),
  )

/**
 * Prices of every model that a channel serves to a group which this group's users may choose. A prefixed name replaces
 * the bare one.
 */
export async function priceList(group: string = DEFAULT_GROUP) {
  const usable_group = usableGroups(group)
  const served = new Map<string, Set<string>>()
  for (const { group, model } of await offeredAbilities()) {
    if (group in usable_group) served.set(model, (served.get(model) ?? new Set()).add(group))
  }
  const models = [...served].map(([model, groups]) => row(model, [...groups].sort(defaultFirst)))
  const group_ratio = Object.fromEntries(Object.keys(usable_group).map(name => [name, groupRatio(name, group)]))
  return {
    models: models.sort((a, b) => compare(a.model_name, b.model_name)),
    group_ratio,
    usable_group,
    tool_price: option('ToolPrice'),
    tariff_ratio: option('TariffRatio'),
  }
}

/** An unpriced model has the ratio at which self-use mode bills it. */
function row(model_name: string, enable_groups: string[]): PricedModel {
  const price = priceFor(model_name, { group: DEFAULT_GROUP, accept_unset: true })!
  const { reasoning_ratio } = price
  const tiers = price.tiers.length ? listed(option('TierRatio'), model_name) : undefined
  const task_price = price.source === 'listed' ? entry(option('TaskPrice'), model_name) : shownTaskPrice(model_name)
  return {
    model_name,
    quota_type: task_price || price.mode === 'call' ? QuotaType.call : QuotaType.tokens,
    model_ratio: price.model_ratio,
    model_price: task_price?.price ?? (price.model_price === NO_PRICE ? 0 : price.model_price),
    unpriced: !task_price && price.source === 'unset',
    owner_by: vendorOf(model_name),
    completion_ratio: price.completion_ratio,
    cache_ratio: price.cache_ratio,
    cache_creation_ratio: price.cache_creation_ratio,
    cache_creation_hour_ratio: hourRatio(price),
    audio_ratio: price.audio_ratio,
    audio_completion_ratio: price.audio_completion_ratio,
    image_ratio: price.image_ratio,
    ...(reasoning_ratio !== undefined && { reasoning_ratio }),
    ...(tiers && { tiers }),
    ...(task_price && { task_price }),
    enable_groups,
  }
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const defaultFirst = (a: string, b: string) =>
  Number(b === DEFAULT_GROUP) - Number(a === DEFAULT_GROUP) || compare(a, b)
