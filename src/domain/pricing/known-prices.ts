/** Prices computed before: log entries are many, their models few. */
import { type Price, type PriceTables, priceOf } from '../../billing/price.ts'
import type { LogDetails } from '../../contracts/log.ts'

const PRICES_MAX = 2000

export class KnownPrices {
  readonly #prices = new Map<string, Price>()

  /** The price of a logged call; a model without a price was billed because that had been accepted. */
  of(requested: string, tables: PriceTables, { group_ratio = 1, multiplier, answered_by }: LogDetails): Price {
    const model = answered_by ?? requested
    const key = `${tables.version}\0${group_ratio}\0${multiplier}\0${model}`
    const known = this.#prices.get(key)
    if (known) return known
    const price = priceOf(model, tables, { group_ratio, multiplier, accept_unset: true })!
    if (this.#prices.size >= PRICES_MAX) this.#prices.clear()
    this.#prices.set(key, price)
    return price
  }
}
