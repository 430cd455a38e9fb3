/** The accounts of OpenAI, and of gateways that answer as it once did. */
import { now } from '../process/clock.ts'
import { baseOf, under } from './base-url.ts'
import type { UpstreamQuery } from './provider.ts'
import { amountIn, fieldOf } from './upstream-query.ts'

const DAY = 86_400
const DAYS_WITHOUT_CARD = 100

const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

/** What may be spent at most, less what was: this month where a card pays, in a hundred days where none does. */
export const openAiBalance = (base_url: string): UpstreamQuery<number> =>
  function* (line) {
    const billing = `${under(baseOf(line, base_url).replace(/\/chat\/completions$/, ''), '/v1')}/dashboard/billing`
    const subscription = yield `${billing}/subscription`
    const limit = amountIn(subscription, 'hard_limit_usd')
    if (limit === undefined) return undefined
    const today = now()
    const month = `${dayOf(today).slice(0, 7)}-01`
    const since = fieldOf(subscription, 'has_payment_method') ? month : dayOf(today - DAYS_WITHOUT_CARD * DAY)
    const used = amountIn(yield `${billing}/usage?start_date=${since}&end_date=${dayOf(today + DAY)}`, 'total_usage')
    return used === undefined ? undefined : limit - used / 100
  }
