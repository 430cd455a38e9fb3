/** Prices of models that are named beside the requested one, and the names that one model goes by. */
import type { Price } from '../../billing/price.ts'
import { namesOf } from '../../billing/price-table.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import type { ApiCaller } from '../caller.ts'

/** @returns undefined for a model without an entry of its own in the price table */
export function listedPrice(
  name: string,
  { group, user }: Pick<ApiCaller, 'group' | 'user'>,
  multiplier?: number,
): Price | undefined {
  const found = priceFor(name, { group, user_group: user.group, multiplier })
  return found?.source === 'listed' ? found : undefined
}

/** Whether names differ in nothing but case, the provider before them, and a version, effort or route after them. */
export const isSameModel = (answered: string, model: string): boolean =>
  namesOf(model).some(name => {
    const [a, b] = [bareName(answered).toLowerCase(), bareName(name).toLowerCase()]
    const [short, long] = a.length < b.length ? [a, b] : [b, a]
    return long.startsWith(short) && versions.test(long.slice(short.length))
  })

/** Nothing, or dates and versions as in `gpt-4o-2024-08-06`, `gemini-2.0-flash-001`, `claude-sonnet-4@20250514`. */
const versions = /^(?:[-@](?:\d{3,8}|\d{4}-\d\d-\d\d|\d\d-\d\d(?:\d\d)?|latest|preview|exp|search|v\d+(?::\d+)?))*$/

const routes = /:(?:free|online|nitro|floor|extended|thinking|exacto|beta)$/

/** Without the provider and OpenRouter's route: `openai/gpt-4o:nitro` is `gpt-4o`. */
export const bareName = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(routes, '')
