/** Prices of tasks: units × price, with rules for what was chosen. Frozen when a task is submitted. */
import { type Decimal, decimal, numberOf, one, product, roundedUp, sum, textOf } from '../pure/decimal.ts'
import type { Bill, BillLine } from './bill-line.ts'
import { entry, type Table } from './price-table.ts'

export const taskUnits = ['call', 'second', '1k_tokens'] as const
export type TaskUnit = (typeof taskUnits)[number]

/**
 * Conditions by the name of a choice, such as `resolution`, and what follows where all of them match: another price of
 * a unit, or a factor.
 */
export type TaskRule = Readonly<Record<string, string | number>> & { readonly price?: number; readonly times?: number }

export interface TaskPrice {
  readonly unit: TaskUnit
  /** USD per unit. */
  readonly price: number
  /** The first with a price that matches counts; every factor that matches multiplies. */
  readonly when?: readonly TaskRule[]
  /** USD for each of what is counted beside the units, such as `image`. Factors leave it as it is. */
  readonly add?: Readonly<Record<string, number>>
  /** Units that are billed at least. */
  readonly min?: number
}

export type TaskPriceTable = Readonly<Record<string, TaskPrice>>

/** What a task asks for, as far as prices depend on it. */
export interface TaskChoice {
  /** Calls, seconds or thousands of tokens; 0 for a task that is free, whatever its price. */
  units: number
  /** Such as `{ resolution: '1080p', input: 'video' }`. */
  traits?: Readonly<Record<string, string>>
  /** Such as `{ image: 2 }`. */
  extras?: Readonly<Record<string, number>>
}

/** What the quota of a task is computed from, stored with it. */
export interface PriceBasis {
  price: TaskPrice
  choice: TaskChoice
  group_ratio: number
  quota_per_unit: number
  /** Hash of the tables. */
  price_version: string
}

/** Without an entry, a task costs this much. */
export const UNLISTED_TASK_USD = 0.1

/** The entry of a model in `TaskPrice`, else its price per call. @returns undefined for a model without either */
export function taskPriceIn(tables: { TaskPrice?: TaskPriceTable; ModelPrice: Table }, model: string) {
  const own = entry(tables.TaskPrice ?? {}, model)
  const per_call = own ? undefined : entry(tables.ModelPrice, model)
  return own ?? (per_call === undefined ? undefined : perCall(per_call))
}

/** The price in a group, for display. */
export function priceInGroup(task: TaskPrice, group_ratio: number): TaskPrice {
  const usd = (amount: number) => Number((amount * group_ratio).toPrecision(PRINTED_DIGITS))
  const { price, when, add } = task
  return {
    ...task,
    price: usd(price),
    ...(when && { when: when.map(rule => (rule.price === undefined ? rule : { ...rule, price: usd(rule.price) })) }),
    ...(add && { add: Object.fromEntries(Object.entries(add).map(([name, amount]) => [name, usd(amount)])) }),
  }
}

/** Significant digits; further ones are noise of the arithmetic. */
const PRINTED_DIGITS = 12

export const perCall = (price: number): TaskPrice => ({ unit: 'call', price })

/** Exact, with one ceiling at the end: a task that has a price costs 1 quota or more. */
export function taskBill({ price, choice, group_ratio, quota_per_unit }: Omit<PriceBasis, 'price_version'>): Bill {
  const { units, extras = {} } = choice
  const rate = product(...[unitPrice(price, choice), ...factors(price, choice)].map(decimal))
  const charges = [
    { bucket: price.unit, count: units && Math.max(units, price.min ?? 0), rate },
    ...Object.entries(price.add ?? {}).map(([name, usd]) => ({
      bucket: `add:${name}` as const,
      count: extras[name] ?? 0,
      rate: decimal(usd),
    })),
  ].filter(({ count }) => count > 0)
  const per_unit = decimal(quota_per_unit)
  const amounts = charges.map(({ count, rate }) => product(rate, per_unit, decimal(count)))
  const lines = charges.map(({ bucket, count, rate }, at): BillLine => {
    const ratio = textOf(product(rate, per_unit))
    return { bucket, count, unit_price: numberOf(rate), per: 1, ratio, amount: textOf(amounts[at]!) }
  })
  const total = roundedUp(product(amounts.length ? sum(amounts) : nothing, decimal(group_ratio)))
  return { quota: Math.min(Number(total), Number.MAX_SAFE_INTEGER), lines }
}

const nothing: Decimal = { ...one, digits: 0 }

const unitPrice = ({ price, when = [] }: TaskPrice, choice: TaskChoice): number =>
  when.find(rule => rule.price !== undefined && matches(rule, choice))?.price ?? price

const factors = ({ when = [] }: TaskPrice, choice: TaskChoice): number[] =>
  when.flatMap(rule => (rule.times !== undefined && matches(rule, choice) ? [rule.times] : []))

const matches = ({ price: _, times: __, ...conditions }: TaskRule, { traits = {} }: TaskChoice): boolean =>
  Object.entries(conditions).every(([name, value]) => Object.hasOwn(traits, name) && traits[name] === String(value))
