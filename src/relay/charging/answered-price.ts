/** The price of the model that answered, where that is another and dearer one than was priced. */
import { quotaOf } from '../../billing/bill.ts'
import type { Price } from '../../billing/price.ts'
import { namesOf } from '../../billing/price-table.ts'
import type { Usage } from '../../billing/usage.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import type { BillableCall } from '../call.ts'

interface Answered {
  /** The upstream's name for the requested model. */
  model: string
  facts: { model?: string }
}

/** @returns undefined when the model that answered is the priced one, has no price of its own, or is no dearer */
export function answeredPrice(
  { call, caller, price }: BillableCall,
  { model: upstream, facts }: Answered,
  usage: Usage,
): { price: Price; answered_by: string } | undefined {
  const { model: answered } = facts
  const { model: requested, multiplier } = call.facts
  if (!answered || answered === upstream || answered === requested) return undefined
  if ([upstream, requested].some(name => isSameModel(answered, name))) return undefined
  const query = { group: caller.group, user_group: caller.user.group, multiplier }
  const listed = (name: string) => {
    const found = priceFor(name, query)
    return found?.source === 'listed' ? found : undefined
  }
  // An operator's own name for a model or a deployment says nothing to compare with.
  if (upstream !== requested && !listed(upstream) && !listed(bare(upstream))) return undefined
  for (const name of [answered, bare(answered)]) {
    const own = listed(name)?.under(price.tariffs)
    if (own) return quotaOf(usage, own) > quotaOf(usage, price) ? { price: own, answered_by: name } : undefined
  }
}

/** Whether names differ in nothing but case, the provider before them, and a version, effort or route after them. */
const isSameModel = (answered: string, model: string): boolean =>
  namesOf(model).some(name => {
    const [a, b] = [bare(answered).toLowerCase(), bare(name).toLowerCase()]
    const [short, long] = a.length < b.length ? [a, b] : [b, a]
    return long.startsWith(short) && versions.test(long.slice(short.length))
  })

/** Nothing, or dates and versions as in `gpt-4o-2024-08-06`, `gemini-2.0-flash-001`, `claude-sonnet-4@20250514`. */
const versions = /^(?:[-@](?:\d{3,8}|\d{4}-\d\d-\d\d|\d\d-\d\d(?:\d\d)?|latest|preview|exp|search|v\d+(?::\d+)?))*$/

/** Without the provider and OpenRouter's route: `openai/gpt-4o:nitro` is `gpt-4o`. */
const bare = (name: string): string =>
  name.slice(name.lastIndexOf('/') + 1).replace(/:(?:free|online|nitro|floor|extended|thinking|exacto|beta)$/, '')
